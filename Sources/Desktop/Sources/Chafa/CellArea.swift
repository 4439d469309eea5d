/// Where on a terminal a picture may stand: so many characters of such a size.
public struct CellArea: Hashable, Sendable {
  /// How many characters there are in a line.
  public let columns: Int
  /// How many lines there are.
  public let rows: Int
  /// How wide a character is, in dots.
  public let cellWidth: Int
  /// How high a character is, in dots.
  public let cellHeight: Int

  /// Nil for an area that no terminal has; characters of a size that is not known are 8 by 16 dots.
  public init?(columns: Int, rows: Int, cellWidth: Int = 8, cellHeight: Int = 16) {
    guard (1...2000).contains(columns), (1...2000).contains(rows), (1...200).contains(cellWidth),
      (1...200).contains(cellHeight)
    else { return nil }
    self.columns = columns
    self.rows = rows
    self.cellWidth = cellWidth
    self.cellHeight = cellHeight
  }

  /// How many of them a picture takes in its own shape: never more than there are, and never so many that
  /// it would be bigger than it is.
  func taken(by picture: Pixels, as format: PictureFormat) -> (columns: Int, rows: Int) {
    let (width, height) = (Double(picture.width), Double(picture.height))
    var (wide, high) = (width / Double(cellWidth), height / Double(cellHeight))
    if format == .blocks {
      // A dot for each character in a line, and as many lines as keep the shape.
      (wide, high) = (width, height * Double(cellWidth) / Double(cellHeight))
    }
    let factor = min(1, Double(columns) / wide, Double(rows) / high)
    func whole(_ number: Double, _ most: Int) -> Int { min(most, max(1, Int(number.rounded()))) }
    return (whole(wide * factor, columns), whole(high * factor, rows))
  }
}
