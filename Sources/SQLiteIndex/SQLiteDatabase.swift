import CSQLite
package import LinuxSystem

/// One connection to an SQLite file, which several processes may have open.
///
/// Any thread; one statement at a time. Blocks for as long as another process writes, ten seconds at
/// most, after which a statement throws SQLITE_BUSY. Never used across a fork.
package final class SQLiteDatabase: Sendable {
  @safe private struct Connection: ~Copyable {
    // Owned by this value; reached only under the lock.
    let handle: OpaquePointer?
    deinit { unsafe sqlite3_close_v2(handle) }
  }
  private let connection: Mutex<Connection>

  /// Opens a file, creating it with mode 0600 where it is missing.
  ///
  /// - SeeAlso: sqlite3_open_v2
  package init(_ path: FilePath) throws(SQLiteError) {
    var handle: OpaquePointer?
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_FULLMUTEX
    let code = unsafe sqlite3_open_v2(path.description, &handle, flags, nil)
    let opened = unsafe Connection(handle: handle)
    guard code == SQLITE_OK else { throw unsafe Self.error(code, handle) }
    unsafe sqlite3_busy_timeout(handle, 10_000)
    connection = Mutex(opened)
  }

  /// Runs statements without values or rows, separated by semicolons.
  package func execute(_ sql: String) throws(SQLiteError) {
    let failure = connection.withLock { connection -> SQLiteError? in
      let code = unsafe sqlite3_exec(connection.handle, sql, nil, nil, nil)
      return code == SQLITE_OK ? nil : unsafe Self.error(code, connection.handle)
    }
    if let failure { throw failure }
  }

  /// Runs one statement and returns its rows.
  @discardableResult
  package func run(_ sql: String, _ values: [SQLiteValue] = []) throws(SQLiteError)
    -> [[SQLiteValue]]
  {
    let result = connection.withLock { connection -> Result<[[SQLiteValue]], SQLiteError> in
      unsafe Self.run(sql, values, connection.handle)
    }
    return try result.get()
  }

  /// Runs statements as one transaction that no other process sees half of.
  ///
  /// The lock of the connection is held from the first to the last, and so is SQLite's write lock.
  package func transaction<R: Sendable>(
    _ body: (_ run: (String, [SQLiteValue]) throws(SQLiteError) -> [[SQLiteValue]])
      throws(SQLiteError) -> R
  ) throws(SQLiteError) -> R {
    let result = connection.withLock { connection -> Result<R, SQLiteError> in
      let handle = unsafe connection.handle
      do throws(SQLiteError) {
        _ = try unsafe Self.run("BEGIN IMMEDIATE", [], handle).get()
        do throws(SQLiteError) {
          let value = try body { (sql, values) throws(SQLiteError) in
            try unsafe Self.run(sql, values, handle).get()
          }
          _ = try unsafe Self.run("COMMIT", [], handle).get()
          return .success(value)
        } catch {
          // The failure itself is what the caller must know.
          _ = unsafe Self.run("ROLLBACK", [], handle)
          return .failure(error)
        }
      } catch { return .failure(error) }
    }
    return try result.get()
  }

  private static func run(
    _ sql: String,
    _ values: [SQLiteValue],
    _ handle: OpaquePointer?
  ) -> Result<[[SQLiteValue]], SQLiteError> {
    var statement: OpaquePointer?
    let code = unsafe sqlite3_prepare_v2(handle, sql, -1, &statement, nil)
    guard code == SQLITE_OK else { return .failure(unsafe error(code, handle)) }
    defer { unsafe sqlite3_finalize(statement) }
    for (index, value) in values.enumerated() {
      let place = Int32(index + 1)
      switch value {
      case .null: unsafe sqlite3_bind_null(statement, place)
      case .integer(let number): unsafe sqlite3_bind_int64(statement, place, number)
      case .text(let text):
        unsafe csqlite_bind_text(statement, place, text, Int32(text.utf8.count))
      case .blob(let bytes):
        _ = unsafe bytes.withUnsafeBytes {
          unsafe csqlite_bind_blob(statement, place, $0.baseAddress, Int32($0.count))
        }
      }
    }
    var rows: [[SQLiteValue]] = []
    while true {
      switch unsafe sqlite3_step(statement) {
      case SQLITE_ROW: rows.append(unsafe row(statement))
      case SQLITE_DONE: return .success(rows)
      case let code: return .failure(unsafe error(code, handle))
      }
    }
  }

  private static func row(_ statement: OpaquePointer?) -> [SQLiteValue] {
    unsafe (0..<sqlite3_column_count(statement)).map { column in
      switch unsafe sqlite3_column_type(statement, column) {
      case SQLITE_INTEGER: return .integer(unsafe sqlite3_column_int64(statement, column))
      case SQLITE_TEXT:
        guard let text = unsafe sqlite3_column_text(statement, column) else { return .null }
        return .text(unsafe String(cString: text))
      case SQLITE_BLOB:
        let count = Int(unsafe sqlite3_column_bytes(statement, column))
        guard let start = unsafe sqlite3_column_blob(statement, column) else { return .blob([]) }
        return .blob(unsafe Array(UnsafeRawBufferPointer(start: start, count: count)))
      default: return .null
      }
    }
  }

  private static func error(_ code: Int32, _ handle: OpaquePointer?) -> SQLiteError {
    let text =
      unsafe sqlite3_errmsg(handle).map { unsafe String(cString: $0) } ?? "SQLite error \(code)"
    return SQLiteError(code: code, description: text)
  }
}
