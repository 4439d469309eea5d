import DocumentSource
import Foundation
import IconRendering
import Testing

struct IconChoiceTests {
  private func info(_ sizes: (Int, Int)...) -> AppInfo {
    AppInfo(icons: sizes.map { AppInfo.Icon(width: $0.0, height: $0.1, src: "\($0.0)x\($0.1)") })
  }

  @Test func `statement 47: the exact icon, else the next larger, never a smaller`() {
    let icons = info((29, 29), (58, 58), (87, 87), (1024, 1024))
    for rule in [AppInfo.Rule.published, .corrected] {
      for (scale, width) in [(1.0, 29), (2, 58), (3, 87), (4, 1024)] {
        #expect(icons.icon(scale: scale, rule: rule)?.width == width)
      }
      #expect(info((16, 16)).icon(scale: 1, rule: rule) == nil)
      #expect(info().icon(scale: 1, rule: rule) == nil)
    }
    #expect(icons.icon(scale: 1.5)?.width == 58)
  }

  @Test func `statement 48: of icons that are not square the corrected rule takes the smaller`() {
    #expect(info((64, 200), (63, 150)).icon(scale: 1, rule: .published)?.width == 64)
    #expect(info((64, 200), (63, 150)).icon(scale: 1)?.width == 63)
    #expect(info((63, 150), (64, 200)).icon(scale: 1)?.width == 63)
    #expect(info((40, 60), (60, 40)).icon(scale: 1)?.width == 40)
    #expect(info((60, 40), (40, 60)).icon(scale: 1)?.width == 40)
  }

  @Test func `lists with nonsense in them are read as far as they make sense`() throws {
    let json = """
      {"icons": [1, null, [], {"width": "29", "height": 29, "src": "a"}, {"width": null},
       {"width": 29, "height": 29}, {"width": 29, "height": 29, "src": 7}, {"width": -29, "height": 29,
       "src": "a"}, {"width": 1e300, "height": 29, "src": "a"}, {"width": 29.5, "height": 29, "src": "a"},
       {"width": 29, "height": 29, "src": "good"}]}
      """
    #expect(try AppInfo(json: Data(json.utf8)).icons == [.init(width: 29, height: 29, src: "good")])
    for text in [
      "", "[]", "{}", "{\"icons\": 7}", "{\"icons\": ", String(repeating: "[", count: 100_000),
    ] {
      #expect(throws: (any Error).self) { try AppInfo(json: Data(text.utf8)) }
    }
  }

  @Test func `statement 49: corners are clear, the edge is darker, the middle is the image`() throws
  {
    let side = 58
    let plain = PixelImage(
      width: side,
      height: side,
      pixels: (0..<(side * side)).flatMap { _ in [200, 100, 50, 255] as [UInt8] }
    )
    let round = plain.rounded(scale: 2)
    for (x, y) in [(0, 0), (57, 0), (0, 57), (57, 57)] { #expect(round[x, y].alpha == 0) }
    let middle = round[29, 29]
    #expect((middle.red, middle.green, middle.blue, middle.alpha) == (200, 100, 50, 255))
    // Half a point of a tenth black is one pixel here.
    for (x, y) in [(29, 0), (0, 29), (57, 29), (29, 57)] {
      let edge = round[x, y]
      #expect((edge.red, edge.green, edge.blue, edge.alpha) == (180, 90, 45, 255), "\(x) \(y)")
    }
    #expect(round[29, 1].red == 200)
    // 7 points, so 14 pixels: where the curve begins.
    #expect(round[14, 0].alpha == 255 && round[9, 0].alpha < 255)
  }

  @Test func `images go through PNG unchanged; what is none, or is huge, is refused`() throws {
    let image = PixelImage(width: 2, height: 1, pixels: [1, 2, 3, 255, 250, 251, 252, 128])
    let png = try image.png()
    #expect(try PixelImage(decoding: png, scaledTo: 2, 1) == image)
    for bytes in [
      [], Array("<svg/>".utf8), Array(png.prefix(20)), Array(png.prefix(png.count / 2)),
    ] {
      #expect(throws: PixelImage.Failure.self) { try PixelImage(decoding: bytes, scaledTo: 2, 2) }
    }
    // The header of a PNG of 100,000 by 100,000 pixels.
    var bomb = png
    bomb.replaceSubrange(16..<24, with: [0, 1, 0x86, 0xa0, 0, 1, 0x86, 0xa0])
    #expect(throws: PixelImage.Failure.self) { try PixelImage(decoding: bomb, scaledTo: 29, 29) }
    for at in png.indices {
      var broken = png
      broken[at] ^= 0x41
      _ = try? PixelImage(decoding: broken, scaledTo: 2, 1)
    }
  }
}
