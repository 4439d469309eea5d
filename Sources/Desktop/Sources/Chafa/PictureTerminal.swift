import CChafa

/// A terminal, as far as pictures are concerned: what it knows, by what its environment says of it.
///
/// Asks the terminal nothing and blocks for nothing.
/// - SeeAlso: ChafaTermDb
@safe public struct PictureTerminal: Sendable {
  /// What chafa knows of a terminal.
  // @unchecked because it is not changed once it was made, and chafa counts references atomically.
  @safe private final class Info: @unchecked Sendable {
    let pointer: OpaquePointer
    /// Takes over one reference.
    init(_ pointer: OpaquePointer) { unsafe self.pointer = pointer }
    deinit { unsafe chafa_term_info_unref(pointer) }

    func has(_ sequence: ChafaTermSeq) -> Bool {
      unsafe chafa_term_info_have_seq(pointer, sequence) != 0
    }
  }

  private let info: Info
  /// Whether a multiplexer stands between us and the terminal, which draws characters only.
  private let isMultiplexed: Bool

  /// The terminal of an environment: `NAME=value` each.
  public init(environment: [String]) {
    func value(_ name: String) -> Substring? {
      environment.first { $0.hasPrefix(name + "=") }?.dropFirst(name.utf8.count + 1)
    }
    let kind = value("TERM") ?? ""
    isMultiplexed =
      value("TMUX")?.isEmpty == false || kind.hasPrefix("tmux") || kind.hasPrefix("screen")
    // Those without colours; chafa takes terminals that it does not know for ones that have them.
    let isPlain =
      kind.isEmpty || kind == "dumb" || kind == "unknown" || kind.hasPrefix("vt")
      || kind.hasSuffix("-m") || kind.hasSuffix("-mono")
    guard !isPlain, let database = unsafe chafa_term_db_get_default() else {
      info = Self.plain()
      return
    }
    let strings = Strings(environment)
    let found = unsafe strings.with { unsafe chafa_term_db_detect(database, $0) }
    info = unsafe found.map { unsafe Info($0) } ?? Self.plain()
  }

  /// One that knows nothing but characters.
  private static func plain() -> Info {
    // GLib ends the process where memory ends, so there is always one.
    guard let made = unsafe chafa_term_info_new() else { preconditionFailure("no memory") }
    return unsafe Info(made)
  }

  /// The best way to show a picture here.
  public var format: PictureFormat {
    if isMultiplexed { return .blocks }
    if info.has(CHAFA_TERM_SEQ_BEGIN_KITTY_IMMEDIATE_IMAGE_V1) { return .kitty }
    if info.has(CHAFA_TERM_SEQ_BEGIN_ITERM2_IMAGE) { return .iterm }
    if info.has(CHAFA_TERM_SEQ_BEGIN_SIXELS) { return .sixel }
    return .blocks
  }

  private var colours: ChafaCanvasMode {
    if info.has(CHAFA_TERM_SEQ_SET_COLOR_FGBG_DIRECT) { return CHAFA_CANVAS_MODE_TRUECOLOR }
    // The first sixteen are the user's to choose.
    if info.has(CHAFA_TERM_SEQ_SET_COLOR_FGBG_256) { return CHAFA_CANVAS_MODE_INDEXED_240 }
    if info.has(CHAFA_TERM_SEQ_SET_COLOR_FGBG_16) { return CHAFA_CANVAS_MODE_INDEXED_16 }
    if info.has(CHAFA_TERM_SEQ_SET_COLOR_FGBG_8) { return CHAFA_CANVAS_MODE_INDEXED_8 }
    return CHAFA_CANVAS_MODE_FGBG
  }

  /// The bytes that show a picture, not bigger than it is and within an area, ended by a line feed.
  ///
  /// In a format that the terminal does not know they are what another one takes.
  public func write(_ picture: Pixels, in area: CellArea, as format: PictureFormat) -> [UInt8] {
    guard let config = unsafe chafa_canvas_config_new() else { return [] }
    defer { unsafe chafa_canvas_config_unref(config) }
    let size = area.taken(by: picture, as: format)
    unsafe chafa_canvas_config_set_geometry(config, gint(size.columns), gint(size.rows))
    unsafe chafa_canvas_config_set_cell_geometry(
      config,
      gint(area.cellWidth),
      gint(area.cellHeight)
    )
    let mode =
      switch format {
      case .sixel: CHAFA_PIXEL_MODE_SIXELS
      case .kitty: CHAFA_PIXEL_MODE_KITTY
      case .iterm: CHAFA_PIXEL_MODE_ITERM2
      case .blocks: CHAFA_PIXEL_MODE_SYMBOLS
      }
    unsafe chafa_canvas_config_set_pixel_mode(config, mode)
    unsafe chafa_canvas_config_set_canvas_mode(
      config,
      format == .blocks ? colours : CHAFA_CANVAS_MODE_TRUECOLOR
    )
    let symbols = unsafe Self.symbols(hasColours: colours != CHAFA_CANVAS_MODE_FGBG)
    unsafe chafa_canvas_config_set_symbol_map(config, symbols)
    unsafe chafa_symbol_map_unref(symbols)
    guard let canvas = unsafe chafa_canvas_new(config) else { return [] }
    defer { unsafe chafa_canvas_unref(canvas) }
    unsafe picture.bytes.withUnsafeBufferPointer { bytes in
      unsafe chafa_canvas_draw_all_pixels(
        canvas,
        CHAFA_PIXEL_RGB8,
        bytes.baseAddress,
        gint(picture.width),
        gint(picture.height),
        gint(picture.width * 3)
      )
    }
    let known = format == .blocks ? info : supplemented()
    guard let text = unsafe chafa_canvas_print(canvas, known.pointer) else { return [] }
    defer { unsafe g_string_free(text, 1) }
    let bytes = unsafe UnsafeRawBufferPointer(start: text.pointee.str, count: Int(text.pointee.len))
    var result = unsafe Array(bytes)
    if result.last != UInt8(ascii: "\n") { result.append(UInt8(ascii: "\n")) }
    return result
  }

  /// What is known of the terminal, and where it says nothing, what others do.
  private func supplemented() -> Info {
    guard let copy = unsafe chafa_term_info_copy(info.pointer),
      let database = unsafe chafa_term_db_get_default(),
      let others = unsafe chafa_term_db_get_fallback_info(database)
    else { return info }
    unsafe chafa_term_info_supplement(copy, others)
    unsafe chafa_term_info_unref(others)
    return unsafe Info(copy)
  }

  /// The characters that a picture is made of: halves and quarters, without colours shades as well.
  private static func symbols(hasColours: Bool) -> OpaquePointer? {
    let map = unsafe chafa_symbol_map_new()
    unsafe chafa_symbol_map_add_by_tags(map, CHAFA_SYMBOL_TAG_SPACE)
    unsafe chafa_symbol_map_add_by_tags(map, CHAFA_SYMBOL_TAG_BLOCK)
    if !hasColours { unsafe chafa_symbol_map_add_by_tags(map, CHAFA_SYMBOL_TAG_STIPPLE) }
    return unsafe map
  }
}

/// Strings as C has lists of them.
@safe private final class Strings {
  private let pointers: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
  private let count: Int

  init(_ words: [String]) {
    count = words.count
    unsafe pointers = .allocate(capacity: words.count + 1)
    for (index, word) in words.enumerated() {
      unsafe (pointers + index).initialize(to: g_strdup(word))
    }
    unsafe (pointers + words.count).initialize(to: nil)
  }

  deinit {
    for index in 0..<count { unsafe g_free(pointers[index]) }
    unsafe pointers.deallocate()
  }

  func with<R>(_ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> R) -> R {
    withExtendedLifetime(self) { unsafe body(pointers) }
  }
}
