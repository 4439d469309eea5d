package import LinuxSystem

/// A directory tree as a literal.
///
/// ```swift
/// try FileTree.write(into: directory.path) {
///   Directory("d") { File("f", "text") }
///   Link("s", to: "d")
/// }
/// ```
package enum FileTree {
  package static func write(
    into directory: FilePath,
    @FileTreeBuilder _ items: () -> [any FileTreeItem]
  ) throws {
    for item in items() { try item.write(into: directory) }
  }
}

/// Something that can stand in a tree.
package protocol FileTreeItem {
  func write(into directory: FilePath) throws
}

/// A regular file.
package struct File: FileTreeItem {
  let name: String
  let text: String
  package init(_ name: String, _ text: String = "") {
    self.name = name
    self.text = text
  }
  package func write(into directory: FilePath) throws {
    let file = try Descriptor.open(
      directory.appending(name),
      [.writeOnly, .create, .truncate],
      mode: 0o644
    )
    try file.write(Array(text.utf8))
  }
}

/// A directory, or with the extension of one a file package.
package struct Directory: FileTreeItem {
  let name: String
  let items: [any FileTreeItem]
  package init(_ name: String, @FileTreeBuilder _ items: () -> [any FileTreeItem] = { [] }) {
    self.name = name
    self.items = items()
  }
  package func write(into directory: FilePath) throws {
    let path = directory.appending(name)
    try FileSystem.makeDirectory(path, mode: 0o755)
    for item in items { try item.write(into: path) }
  }
}

/// A symbolic link.
package struct Link: FileTreeItem {
  let name: String
  let target: String
  package init(_ name: String, to target: String) {
    self.name = name
    self.target = target
  }
  package func write(into directory: FilePath) throws {
    try FileSystem.makeLink(directory.appending(name), to: FilePath(target))
  }
}

@resultBuilder
package enum FileTreeBuilder {
  package static func buildExpression(_ item: any FileTreeItem) -> [any FileTreeItem] { [item] }
  package static func buildBlock(_ items: [any FileTreeItem]...) -> [any FileTreeItem] {
    items.flatMap { $0 }
  }
  package static func buildArray(_ items: [[any FileTreeItem]]) -> [any FileTreeItem] {
    items.flatMap { $0 }
  }
}
