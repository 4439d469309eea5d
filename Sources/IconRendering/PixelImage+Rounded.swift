extension PixelImage {
  /// The image as an application's icon: clipped to a rounded rectangle whose edge is a little darker.
  ///
  /// The radius is 0.225 of the width in points, rounded; the edge a line of one point of black at a
  /// tenth, of which the clip hides the outer half.
  package func rounded(scale: Double) -> PixelImage {
    let radius = (0.225 * Double(width) / scale).rounded() * scale
    let line = 0.5 * scale
    let samples = 4
    var result = self
    for y in 0..<height {
      for x in 0..<width {
        // Far from the edge nothing changes.
        let middle = depth(Double(x) + 0.5, Double(y) + 0.5, radius)
        if middle > line + 1 { continue }
        var inside = 0
        var onLine = 0
        for row in 0..<samples {
          for column in 0..<samples {
            let depth = depth(
              Double(x) + (Double(column) + 0.5) / Double(samples),
              Double(y) + (Double(row) + 0.5) / Double(samples),
              radius
            )
            if depth >= 0 { inside += 1 }
            if depth >= 0, depth < line { onLine += 1 }
          }
        }
        let at = (y * width + x) * 4
        guard inside > 0 else {
          for index in 0..<4 { result.pixels[at + index] = 0 }
          continue
        }
        let black = 0.1 * Double(onLine) / Double(inside)
        let alpha = Double(pixels[at + 3]) / 255
        let covered = black + alpha * (1 - black)
        for index in 0..<3 {
          let value = Double(pixels[at + index]) * alpha * (1 - black) / max(covered, 1e-9)
          result.pixels[at + index] = UInt8(value.rounded())
        }
        let clip = Double(inside) / Double(samples * samples)
        result.pixels[at + 3] = UInt8((covered * clip * 255).rounded())
      }
    }
    return result
  }

  /// How far inside of the rounded rectangle a point lies; negative outside.
  private func depth(_ x: Double, _ y: Double, _ radius: Double) -> Double {
    let dx = abs(x - Double(width) / 2) - (Double(width) / 2 - radius)
    let dy = abs(y - Double(height) / 2) - (Double(height) / 2 - radius)
    let outside = (max(dx, 0) * max(dx, 0) + max(dy, 0) * max(dy, 0)).squareRoot()
    return radius - outside - min(max(dx, dy), 0)
  }
}
