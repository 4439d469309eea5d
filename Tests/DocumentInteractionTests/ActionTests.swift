import Foundation
import LinuxSystem
import TestSupport
import Testing

@testable import DesktopFiles
@testable import DocumentInteraction

struct ActionTests {
  private func directories(_ desktop: Desktop) -> DesktopDirectories {
    DesktopDirectories(
      home: desktop.world.files,
      dataHome: desktop.data,
      configHome: desktop.config,
      cacheHome: desktop.cache,
      dataDirectories: [desktop.system]
    )
  }

  @Test func `pictures go where the user keeps them`() throws {
    let desktop = try Desktop {}
    #expect(UserFolders(directories(desktop)).pictures == desktop.file("Pictures"))
    try desktop.put(
      desktop.config.appending("user-dirs.dirs"),
      "# comment\nXDG_PICTURES_DIR=\"$HOME/Bilder\"\nXDG_VIDEOS_DIR=\"/films\"\n"
    )
    let folders = UserFolders(directories(desktop))
    #expect(folders.pictures == desktop.file("Bilder"))
    #expect(folders.videos == FilePath("/films"))
  }

  @Test func `an icon is looked up by size, through the themes it inherits from`() throws {
    let desktop = try Desktop {}
    let icons = desktop.data.appending("icons")
    for place in ["Mine/16x16/mimetypes", "Base/48x48/mimetypes", "Base/scalable/mimetypes"] {
      let path = place.split(separator: "/").reduce(icons) { $0.appending(String($1)) }
      try FileSystem.makeDirectories(path)
    }
    func put(_ name: String, _ text: String) throws {
      try desktop.put(name.split(separator: "/").reduce(icons) { $0.appending(String($1)) }, text)
    }
    try put(
      "Mine/index.theme",
      "[Icon Theme]\nName=Mine\nInherits=Base\nDirectories=16x16/mimetypes\n"
        + "[16x16/mimetypes]\nSize=16\nType=Fixed\n"
    )
    try put(
      "Base/index.theme",
      "[Icon Theme]\nName=Base\nDirectories=48x48/mimetypes,scalable/mimetypes,../evil\n"
        + "[48x48/mimetypes]\nSize=48\nType=Fixed\n"
        + "[scalable/mimetypes]\nSize=64\nMinSize=64\nMaxSize=512\nType=Scalable\n"
    )
    try put("Mine/16x16/mimetypes/only-mine.png", "")
    try put("Base/48x48/mimetypes/text-plain.png", "")
    try put("Base/scalable/mimetypes/text-plain.svg", "")
    try FileSystem.makeDirectories(desktop.config.appending("gtk-4.0"))
    try desktop.put(
      desktop.config.appending("gtk-4.0").appending("settings.ini"),
      "[Settings]\ngtk-icon-theme-name=Mine\n"
    )
    let theme = IconTheme(directories(desktop))
    func found(_ names: [String], _ size: Int) -> String? {
      theme.file(names, size: size).map { String($0.description.dropFirst(icons.count + 1)) }
    }
    #expect(found(["only-mine"], 256) == "Mine/16x16/mimetypes/only-mine.png")
    #expect(found(["text-plain"], 48) == "Base/48x48/mimetypes/text-plain.png")
    #expect(found(["text-plain"], 256) == "Base/scalable/mimetypes/text-plain.svg")
    #expect(found(["none", "text-plain"], 48) == "Base/48x48/mimetypes/text-plain.png")
    #expect(found(["../../etc/passwd"], 48) == nil)
  }

  @Test(arguments: [
    "", "[Icon Theme]", "[Icon Theme\nInherits=", "\u{0}\u{1}=\u{2}",
    "[Icon Theme]\nInherits=Mine,Mine\nDirectories=a\n[a]\nSize=-1\nType=Scalable\nMinSize=9\nMaxSize=1",
  ])
  func `a damaged theme has no icons, and does no harm`(_ text: String) throws {
    let desktop = try Desktop {}
    let place = desktop.data.appending("icons").appending("Adwaita")
    try FileSystem.makeDirectories(place)
    try desktop.put(place.appending("index.theme"), text)
    #expect(IconTheme(directories(desktop)).file(["no-such-icon-anywhere"], size: 16) == nil)
  }

  @Test func `an annotation is read as it was written, and rubbish is none`() throws {
    let annotation: [String: Any] = ["page": 7, "tags": ["a", "b"]]
    let bytes = try DocumentAnnotation.encode(annotation, for: nil)
    let back = DocumentAnnotation.read(Data(bytes)) as? [String: Any]
    #expect(back?["page"] as? Int == 7)
    #expect(DocumentAnnotation.read(Data([1, 2, 3])) == nil)
    // Foundation's parser would end the process: a set, a list that holds itself, an offset outside.
    for objects in [[0xc1, 1, 0x51, 0x61], [0xa1, 0], [0x4e]] as [[UInt8]] {
      #expect(DocumentAnnotation.read(Self.binaryList(objects)) == nil, "\(objects)")
    }
    #expect(DocumentAnnotation.read(Self.binaryList([0xa1, 1, 0x51, 0x61])) as? [String] == ["a"])
    #expect(throws: DocumentInteractionError.self) {
      try DocumentAnnotation.encode(String(repeating: "x", count: 100_000), for: nil)
    }
  }

  /// A binary property list of one object, or of one of two bytes and a string behind it.
  private static func binaryList(_ objects: [UInt8]) -> Data {
    let offsets: [UInt8] = objects.count == 4 ? [8, 10] : [8]
    let trailer: [UInt8] =
      [0, 0, 0, 0, 0, 0, 1, 1] + [0, 0, 0, 0, 0, 0, 0, UInt8(offsets.count)]
      + [0, 0, 0, 0, 0, 0, 0, 0] + [0, 0, 0, 0, 0, 0, 0, UInt8(8 + objects.count)]
    return Data(Array("bplist00".utf8) + objects + offsets + trailer)
  }
}
