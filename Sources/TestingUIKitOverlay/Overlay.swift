// Swift Testing says that whoever imports it beside a module named UIKit also wants the module
// `_Testing_UIKit`, and ships none for Linux. Without this one, that file would not compile.
