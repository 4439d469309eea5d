import DesktopPrograms
import DocInteractionModel

extension FolderItem {
  /// What stands for the icon where there are only characters.
  var symbol: String {
    if isDirectory { return "▸" }
    return switch mimeType.prefix(while: { $0 != "/" }) {
    case "text": "≡"
    case "image": "▣"
    case "audio": "♪"
    case "video": "▶"
    case "font": "A"
    default: DesktopPrograms.isA(mimeType, "text/plain") ? "≡" : "·"
    }
  }
}
