import CGtk

/// A list of any length: rows are made for what is seen only.
package final class ListView: Widget {
  /// What makes and fills rows.
  @MainActor package protocol Source: AnyObject {
    /// An empty row.
    func makeRow() -> any Row
    /// Has a row show the item at a place.
    func fill(_ row: any Row, at index: Int)
  }

  /// One row, used for one item after another.
  @MainActor package protocol Row: AnyObject {
    var root: Widget { get }
  }

  private let handlers: Handlers

  /// Rows of a source, which it keeps.
  package init(_ source: any Source) {
    handlers = Handlers(source)
    let data = unsafe Unmanaged.passRetained(handlers).toOpaque()
    let made = unsafe gw_list_new(
      { _, item, data in
        guard let data = unsafe data else { return }
        let handlers = unsafe Unmanaged<Handlers>.fromOpaque(data).takeUnretainedValue()
        let address = UInt(bitPattern: item)
        MainActor.assumeIsolated { handlers.setUp(address) }
      },
      { _, item, data in
        guard let data = unsafe data else { return }
        let handlers = unsafe Unmanaged<Handlers>.fromOpaque(data).takeUnretainedValue()
        let address = UInt(bitPattern: item)
        MainActor.assumeIsolated { handlers.bind(address) }
      },
      data,
      releaseHandler
    )
    unsafe super.init(made)
  }

  /// At `index`, `removed` items have gone and `added` have come.
  package func splice(at index: Int, removed: Int, added: Int) {
    unsafe gw_list_splice(pointer, UInt32(index), UInt32(removed), UInt32(added))
  }

  /// Which item is selected, or nil: there is none.
  package var selected: Int? {
    get {
      let index = unsafe gw_list_selected(pointer)
      return index == UInt32.max ? nil : Int(index)
    }
    set { if let newValue { unsafe gw_list_select(pointer, UInt32(newValue)) } }
  }

  /// Called when an item is double-clicked or Enter is pressed.
  package func onActivate(_ handle: @escaping @MainActor (Int) -> Void) {
    let handler = Handler<Int, Void>(handle)
    unsafe gw_list_on_activate(
      pointer,
      { _, index, data in unsafe Handler<Int, Void>.run(data, Int(index), otherwise: ()) },
      handler.retained,
      releaseHandler
    )
  }

  /// The rows that there are, by the address of what GTK knows them by.
  @MainActor private final class Handlers {
    let source: any Source
    private var rows: [UInt: any Row] = [:]

    init(_ source: any Source) { self.source = source }

    func setUp(_ address: UInt) {
      guard let item = unsafe OpaquePointer(bitPattern: address) else { return }
      let row = source.makeRow()
      unsafe gw_item_set_child(item, row.root.pointer)
      rows[unsafe UInt(bitPattern: row.root.pointer)] = row
    }

    func bind(_ address: UInt) {
      guard let item = unsafe OpaquePointer(bitPattern: address),
        let row = unsafe rows[UInt(bitPattern: gw_item_child(item))]
      else { return }
      source.fill(row, at: Int(unsafe gw_item_position(item)))
    }
  }
}
