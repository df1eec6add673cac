import CBenchmarkSQLite
import GRDB

/// A row with a number to count up.
struct CounterRow: Equatable {
  var id: Int64
  var title: String
  var count: Int
  var isOn: Bool
}

extension Database {
  func fetchAllCounters(of sql: String = "SELECT id, title, count, isOn FROM counter") throws -> [CounterRow] {
    var rows: [CounterRow] = []
    try forEachRow(sql) { statement in
      rows.append(
        CounterRow(
          id: sqlite3_column_int64(statement, 0), title: SampleRow.text(statement, 1),
          count: Int(sqlite3_column_int64(statement, 2)), isOn: sqlite3_column_int64(statement, 3) != 0))
    }
    return rows
  }
}

/// Mapped by hand, columns by position.
extension CounterRow: FetchableRecord, PersistableRecord {
  static let databaseTableName = "counter"

  init(row: Row) {
    id = row[0]
    title = row[1]
    count = row[2]
    isOn = row[3]
  }

  func encode(to container: inout PersistenceContainer) {
    container["id"] = id
    container["title"] = title
    container["count"] = count
    container["isOn"] = isOn
  }
}
