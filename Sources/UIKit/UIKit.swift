// Model code written for iOS says `import UIKit` and gets what its documents need.
//
// A product of its own: in a build that asks for it, asking whether UIKit can be imported
// gives yes. Of view controllers there is what documents need: pickers and who shows them.

@_exported public import DocumentInteraction
@_exported public import DocumentPicker
@_exported public import DocumentTypes
@_exported public import Documents
@_exported public import FileCoordination
@_exported public import Foundation
