// Provider code says `import FileProvider` and gets what file providers need.

@_exported public import DocumentPicker
@_exported public import Foundation
