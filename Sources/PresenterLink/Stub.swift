// Stand-in until the layer lands: delete this file in the merge that brings the real types.
package import LinuxSystem
package import CoordinationRuntime
package struct PresenceID: Hashable, Sendable {}
package struct PresenceQuery: Sendable { package var exact: [FilePath]; package var inside: [FilePath]; package init(exact: [FilePath], inside: [FilePath]) { self.exact = exact; self.inside = inside } }
package struct PeerPresence: Sendable { package let process: ProcessIdentity; package let paths: [FilePath] }
package final class PresenterLink: @unchecked Sendable {
  package static func shared() throws(RuntimeDirectoryError) -> PresenterLink { PresenterLink() }
  package var host: (any PresenterHost)?
  package func present(_ p: FilePath) throws -> PresenceID { PresenceID() }
  package func move(_ i: PresenceID, to: FilePath) throws {}
  package func withdraw(_ i: PresenceID) {}
  package func mayBePresented(_ q: PresenceQuery) -> Bool { false }
  package func peers(presenting q: PresenceQuery) -> [PeerPresence] { [] }
  package func converse(with: ProcessIdentity) throws(SystemError) -> Conversation { Conversation() }
}
package final class Conversation: Sendable {
  package enum Received: Sendable { case message(LinkMessage, [SharedDescriptor]), nothing, closed }
  package var peer: ProcessIdentity { .current }
  package var socketNumber: CInt { -1 }
  package func send(_ m: LinkMessage, descriptors: [CInt] = []) throws(SystemError) {}
  package func receive() throws(SystemError) -> Received { .nothing }
  package func finish() {}
}
package final class IncomingConversation: Sendable { package typealias ID = UInt64; package var id: ID { 0 }; package var peer: ProcessIdentity { .current }; package func reply(_ m: LinkMessage, descriptors: [CInt] = []) {} }
package protocol PresenterHost: AnyObject, Sendable {
  func received(_ m: LinkMessage, descriptors: [SharedDescriptor], in c: IncomingConversation)
  func lost(_ c: IncomingConversation)
}
package enum LinkMessage: Sendable { case ask(AskMessage), received, answered(WireError?), accessBegan(WriteBegin), finished(FinishMessage), noted, abandoned(ClaimID) }
package struct AskMessage: Sendable { package let claim: ClaimID; package let items: [AskedItem]; package let onBehalfOf: [ClaimID]
 package init(claim: ClaimID, items: [AskedItem], onBehalfOf: [ClaimID]) { self.claim = claim; self.items = items; self.onBehalfOf = onBehalfOf } }
package struct AskedItem: Sendable { package enum Access: Sendable { case reading(UInt), writing(UInt) }
 package let item: FilePath, packages: [FilePath], access: Access, isDirectory: Bool, isPackage: Bool, isPrepare: Bool
 package init(item: FilePath, packages: [FilePath], access: Access, isDirectory: Bool, isPackage: Bool, isPrepare: Bool) { self.item = item; self.packages = packages; self.access = access; self.isDirectory = isDirectory; self.isPackage = isPackage; self.isPrepare = isPrepare } }
package struct WriteBegin: Sendable { package let claim: ClaimID, paths: [FilePath]; package init(claim: ClaimID, paths: [FilePath]) { self.claim = claim; self.paths = paths } }
package struct FinishMessage: Sendable { package let claim: ClaimID, notices: [Notice]; package init(claim: ClaimID, notices: [Notice]) { self.claim = claim; self.notices = notices } }
package enum Notice: Sendable { case changed(FilePath), appeared(FilePath), deleted(FilePath, wasAccommodated: Bool), moved(FilePath, FilePath), ubiquity(FilePath, [String]) }
package struct WireError: Sendable { package let domain: String, code: Int, strings: [String: String]; package init(domain: String, code: Int, strings: [String: String]) { self.domain = domain; self.code = code; self.strings = strings } }
