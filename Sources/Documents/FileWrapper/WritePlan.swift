import LinuxSystem

/// A tree to be written, as values.
struct WritePlan: Sendable {
  enum Kind: Sendable {
    case directory([Entry])
    case regular(LazyContents)
    case link(FilePath)
  }
  struct Entry: Sendable {
    /// The name to write under.
    let name: FilePath
    /// The name it has in the original.
    let oldName: FilePath
    let plan: WritePlan
  }
  let kind: Kind
  let origin: FileOrigin
  var attributes: WrapperAttributes.Planned
}
