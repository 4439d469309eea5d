import CoordinationRuntime
import LinuxSystem

extension LinkMessage {
  /// The number of the type on the wire; never given to another.
  var type: UInt8 {
    switch self {
    case .hello: 1
    case .ask: 2
    case .received: 3
    case .answered: 4
    case .accessBegan: 5
    case .finished: 6
    case .noted: 7
    case .abandoned: 8
    case .partner: 9
    case .partnerReply: 10
    case .refused: 11
    }
  }

  func put(into writer: inout WireWriter) {
    switch self {
    case .hello(let process): writer.put(process)
    case .ask(let message): message.put(into: &writer)
    case .received, .noted: break
    case .abandoned(let claim): writer.put(claim)
    case .answered(let error):
      writer.put(error != nil)
      error?.put(into: &writer)
    case .accessBegan(let message):
      writer.put(message.claim)
      writer.put(each: message.paths) { $1.put($0) }
    case .finished(let message):
      writer.put(message.claim)
      writer.put(records: message.notices) { $0.put(into: &$1) }
    case .partner(let bytes), .partnerReply(let bytes): writer.bytes += bytes
    case .refused(let refusal):
      writer.put(refusal.reason.rawValue)
      writer.put(refusal.version)
    }
  }

  /// Bytes behind what this version knows are left alone: later ones may append fields.
  init(type: UInt8, from reader: inout WireReader) throws(WireFault) {
    switch type {
    case 1: self = .hello(try reader.process())
    case 2: self = .ask(try AskMessage(from: &reader))
    case 3: self = .received
    case 4: self = .answered(try reader.flag() ? try WireError(from: &reader) : nil)
    case 5:
      self = .accessBegan(
        WriteBegin(
          claim: try reader.claim(),
          paths: try reader.each { reader throws(WireFault) in try reader.path() }
        )
      )
    case 6:
      let claim = try reader.claim()
      let notices = try reader.records { reader throws(WireFault) in try Notice(from: &reader) }
      self = .finished(FinishMessage(claim: claim, notices: notices))
    case 7: self = .noted
    case 8: self = .abandoned(try reader.claim())
    case 9: self = .partner(Array(try reader.take(reader.remaining)))
    case 10: self = .partnerReply(Array(try reader.take(reader.remaining)))
    case 11:
      let reason = Refusal.Reason(rawValue: try reader.byte()) ?? .malformed
      self = .refused(Refusal(reason, version: try reader.byte()))
    default: throw WireFault("unknown type \(type)")
    }
  }
}

extension AskMessage {
  fileprivate func put(into writer: inout WireWriter) {
    writer.put(claim)
    writer.put(records: items) { $0.put(into: &$1) }
    writer.put(purpose)
    writer.put(each: onBehalfOf) { $1.put($0) }
  }

  fileprivate init(from reader: inout WireReader) throws(WireFault) {
    self.init(
      claim: try reader.claim(),
      items: try reader.records { reader throws(WireFault) in try AskedItem(from: &reader) },
      purpose: try reader.text(),
      onBehalfOf: try reader.each { reader throws(WireFault) in try reader.claim() }
    )
  }
}

extension AskedItem {
  fileprivate func put(into writer: inout WireWriter) {
    writer.put(item)
    writer.put(each: packages) { $1.put($0) }
    switch access {
    case .reading(let options):
      writer.put(UInt8(0))
      writer.put(UInt32(truncatingIfNeeded: options))
    case .writing(let options):
      writer.put(UInt8(1))
      writer.put(UInt32(truncatingIfNeeded: options))
    }
    writer.put(isDirectory)
    writer.put(isPackage)
    writer.put(isPrepare)
  }

  fileprivate init(from reader: inout WireReader) throws(WireFault) {
    let item = try reader.path()
    let packages = try reader.each { reader throws(WireFault) in try reader.path() }
    let isWriting = try reader.flag()
    let options = UInt(try reader.uint32())
    self.init(
      item: item,
      packages: packages,
      access: isWriting ? .writing(options) : .reading(options),
      isDirectory: try reader.flag(),
      isPackage: try reader.flag(),
      isPrepare: try reader.flag()
    )
  }
}

extension Notice {
  fileprivate func put(into writer: inout WireWriter) {
    switch self {
    case .changed(let path):
      writer.put(UInt8(1))
      writer.put(path)
    case .appeared(let path):
      writer.put(UInt8(2))
      writer.put(path)
    case .deleted(let path, let wasAccommodated):
      writer.put(UInt8(3))
      writer.put(path)
      writer.put(wasAccommodated)
    case .moved(let old, let new):
      writer.put(UInt8(4))
      writer.put(old)
      writer.put(new)
    case .ubiquity(let path, let keys):
      writer.put(UInt8(5))
      writer.put(path)
      writer.put(each: keys) { $1.put($0) }
    case .version(let path, let kind, let payload):
      writer.put(UInt8(6))
      writer.put(path)
      writer.put(kind)
      writer.put(payload)
    }
  }

  /// Nil for a kind that a later version knows.
  fileprivate init?(from reader: inout WireReader) throws(WireFault) {
    switch try reader.byte() {
    case 1: self = .changed(try reader.path())
    case 2: self = .appeared(try reader.path())
    case 3: self = .deleted(try reader.path(), wasAccommodated: try reader.flag())
    case 4: self = .moved(try reader.path(), try reader.path())
    case 5:
      let path = try reader.path()
      self = .ubiquity(path, try reader.each { reader throws(WireFault) in try reader.text() })
    case 6:
      self = .version(
        try reader.path(),
        kind: try reader.byte(),
        payload: Array(try reader.data())
      )
    default: return nil
    }
  }
}

extension WireError {
  fileprivate func put(into writer: inout WireWriter) {
    writer.put(domain)
    writer.put(UInt64(bitPattern: Int64(code)))
    writer.put(each: strings.sorted { $0.key < $1.key }) { entry, writer in
      writer.put(entry.key)
      writer.put(entry.value)
    }
  }

  fileprivate init(from reader: inout WireReader) throws(WireFault) {
    let domain = try reader.text()
    let code = Int(Int64(bitPattern: try reader.uint64()))
    let entries = try reader.each { reader throws(WireFault) in
      (try reader.text(), try reader.text())
    }
    self.init(
      domain: domain,
      code: code,
      strings: Dictionary(entries, uniquingKeysWith: { $1 })
    )
  }
}
