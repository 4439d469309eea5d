// Stand-in until the layer lands: delete this file in the merge that brings the real types.
package import LinuxSystem
package struct ItemIdentity: Hashable, Sendable { package let claimed: FilePath; package let item: FilePath; package let packages: [FilePath] }
package final class ItemResolver: Sendable { package static let shared = ItemResolver()
 package func resolve(_ p: FilePath, followingLink: Bool) throws(SystemError) -> ItemIdentity { ItemIdentity(claimed: p, item: p, packages: []) } }
package struct ClaimID: Hashable, Sendable { package let process: ProcessIdentity; package let number: UInt64
 package init(process: ProcessIdentity, number: UInt64) { self.process = process; self.number = number }
 package static func next() -> ClaimID { ClaimID(process: .current, number: 0) } }
package enum CoordinationTrace { package enum Event { case peerUnreachable(ProcessIdentity, String) }; package static func record(_ e: Event) {} }
extension RuntimeDirectory { package func successor() throws(RuntimeDirectoryError) -> RuntimeDirectory {
 _ = noticeReplacement()
 return Self.choice().path == path ? try Self.shared() : try RuntimeDirectory(Choice(path: path, isExplicit: true, isTemporary: false)) } }
