/// What an overlay is made of.
///
/// - SeeAlso: proc_pid_mountinfo(5)
enum OverlayLayers {
  /// Whether a layer of the overlay behind a descriptor lies where others make changes.
  ///
  /// Layers that cannot be reached by their paths from here count as local.
  static func areServedElsewhere(_ descriptor: CInt) -> Bool {
    guard let device = try? FileStatus(ofNumber: descriptor).device,
      let file = try? Descriptor.open(FilePath("/proc/self/mountinfo"), .readOnly),
      let bytes = try? file.readToEnd()
    else { return false }
    // glibc's layout of device numbers.
    let major = (device >> 8 & 0xfff) | (device >> 32 & ~0xfff)
    let minor = (device & 0xff) | (device >> 12 & ~0xff & 0xffff_ffff)
    return layers(bytes, "\(major):\(minor)").contains { layer in
      guard let directory = try? Descriptor.open(layer, [.pathOnly, .directory]),
        case .notReported = FileSystemKind.answer(of: directory.number)
      else { return false }
      return true
    }
  }

  /// The layers of the overlay with this device number, as mountinfo has them.
  static func layers(_ mounts: [UInt8], _ device: String) -> [FilePath] {
    let space = UInt8(ascii: " ")
    for line in mounts.split(separator: UInt8(ascii: "\n")) {
      let fields = line.split(separator: space)
      guard fields.count > 6, fields[2].elementsEqual(device.utf8),
        let dash = fields[6...].firstIndex(where: { $0.elementsEqual("-".utf8) }),
        dash + 3 < fields.count, fields[dash + 1].elementsEqual("overlay".utf8)
      else { continue }
      return fields[dash + 3].split(separator: UInt8(ascii: ",")).flatMap(layers)
    }
    return []
  }

  private static func layers(_ option: ArraySlice<UInt8>) -> [FilePath] {
    let names = ["lowerdir=", "lowerdir+=", "datadir+=", "upperdir="]
    guard let name = names.first(where: { option.starts(with: $0.utf8) }) else { return [] }
    var paths: [[UInt8]] = [[]]
    var rest = option.dropFirst(name.utf8.count)
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "\\"):
        // mountinfo writes odd bytes as three octal digits; the overlay itself puts \ before a colon.
        let digits = rest.prefix(3)
        if digits.count == 3, digits.allSatisfy({ (0x30...0x37).contains($0) }) {
          paths[paths.count - 1].append(digits.reduce(0) { $0 &* 8 &+ ($1 & 7) })
          rest = rest.dropFirst(3)
        } else if let next = rest.popFirst() {
          paths[paths.count - 1].append(next)
        }
      case UInt8(ascii: ":") where name == "lowerdir=": paths.append([])
      default: paths[paths.count - 1].append(byte)
      }
    }
    return paths.filter { $0.first == .slash }.map { FilePath(bytes: $0) }
  }
}
