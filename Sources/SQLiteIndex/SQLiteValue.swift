/// What stands in one column of one row.
package enum SQLiteValue: Sendable, Hashable {
  case null
  case integer(Int64)
  case text(String)
  case blob([UInt8])

  package var integer: Int64? { if case .integer(let value) = self { value } else { nil } }
  package var text: String? { if case .text(let value) = self { value } else { nil } }
  package var blob: [UInt8]? { if case .blob(let value) = self { value } else { nil } }
}

/// What SQLite refused, in its own words.
package struct SQLiteError: Error, Sendable, CustomStringConvertible {
  /// Primary result code, as sqlite3.h lists it.
  package let code: Int32
  package let description: String
  /// SQLITE_CORRUPT and SQLITE_NOTADB: the file is not what it should be.
  package var isDamage: Bool { code & 0xff == 11 || code & 0xff == 26 }
}
