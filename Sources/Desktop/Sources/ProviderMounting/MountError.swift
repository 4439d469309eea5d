import Fuse

/// Why a provider's folder is not mounted: a sentence that says what to do.
enum MountError: Error, Equatable, CustomStringConvertible {
  case usage
  case noProvider(String)
  case noFolder(String)
  case folderUnusable(String, SystemErrno)
  case mountpointUnusable(String, SystemErrno)
  case notADirectory(String)
  case notEmpty(String)
  case overlapping(String, folder: String)
  case noDevice(SystemErrno)
  case noHelper
  case refused(String, SystemErrno)

  var description: String {
    switch self {
    case .usage: MountProgram.usage
    case .noProvider(let name):
      "no provider “\(name)” is declared, and none has that folder; filecoord providers list shows all"
    case .noFolder(let name):
      "the provider “\(name)” shares no folder: it declares no documentGroup"
    case .folderUnusable(let folder, let error): "the provider's folder \(folder): \(error)"
    case .mountpointUnusable(let place, let error): "\(place): \(error)"
    case .notADirectory(let place): "\(place) is no directory"
    case .notEmpty(let place):
      "\(place) is not empty: what is in it would be hidden; make a new one"
    case .overlapping(let place, let folder):
      "\(place) and the provider's folder \(folder) lie one in the other; choose another place"
    case .noDevice(let error) where error == .noEntry:
      "there is no FUSE here: /dev/fuse is missing; load the module (modprobe fuse), or in a container "
        + "hand the device over (--device /dev/fuse --cap-add SYS_ADMIN)"
    case .noDevice(let error):
      "FUSE cannot be used: /dev/fuse: \(error); this user needs read and write access to it"
    case .noHelper: "fusermount3 is not installed; it comes with the package fuse3"
    case .refused(let place, let error): "\(place) cannot be mounted: \(error)"
    }
  }

  /// As in sysexits.h: what was wrong with the words, with the machine, with the rest.
  var status: Int32 {
    switch self {
    case .usage: 64
    case .noDevice, .noHelper: 69
    default: 1
    }
  }
}
