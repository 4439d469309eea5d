import Documents
import Foundation
import LinuxSystem

// The other process of the tests of documents. What it does stands in its arguments:
//
//   loop KIND FILE        opens, edits with undo, saves and closes a document under a main loop
//   save KIND FILE TEXT   saves once (KIND: file, package, document, package-document)
//   edit FILE TEXT        opens, edits, saves and closes
//   resolve conflicts FILE  says of all conflicts of it that they are settled
//   present file FILE     presents it until its input ends
//   versions FILE COUNT   adds that many versions, removing every other one
//
// Between `/marker-begin` and `/marker-end`, which do not exist, lies what is to be tried.

let arguments = CommandLine.arguments
switch arguments.count > 3 ? arguments[1] : "" {
case "loop": LoopedDocument.run(under: arguments[2], arguments[3])
case "save": SavingOnce.run(arguments[2], arguments[3], arguments[4])
case "edit": SavingOnce.run("document", arguments[2], arguments[3])
case "resolve": VersionChurn.resolve(arguments[3])
case "present": PresentingOnly.run(arguments[3])
case "versions": VersionChurn.run(arguments[2], Int(arguments[3]) ?? 1)
default:
  StandardError.write("document-peer: what?\n")
  Environment.exit(64)
}
