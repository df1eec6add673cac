import RoostEngine
import RoostSQL

/// A table as it is in the file, whoever made it.
struct StoredTable {
  struct Column: Equatable {
    var type: String
    var isNotNull: Bool
    /// The place among the columns of the primary key, from 1; 0 for others. The first is what it finds rows by.
    var primaryKeyPlace: Int
    /// The table that it refers to, and what becomes of the row when that one's is deleted.
    var reference: Reference?
  }

  struct Reference: Equatable {
    var table: String
    var onDelete: String
  }

  private(set) var columns: [String: Column] = [:]

  /// - Throws: `DatabaseError`. A table that is not there has no columns.
  init(_ name: String, in connection: Connection) throws {
    let info = try connection.statement("SELECT name, type, \"notnull\", pk FROM pragma_table_info(?)")
    defer { info.reset() }
    info.bind(name, at: 1)
    while try info.step() {
      columns[info.string(0)] = Column(
        type: info.string(1), isNotNull: info.int64(2) != 0, primaryKeyPlace: Int(info.int64(3)))
    }
    let keys = try connection.statement("SELECT \"from\", \"table\", on_delete FROM pragma_foreign_key_list(?)")
    defer { keys.reset() }
    keys.bind(name, at: 1)
    while try keys.step() {
      columns[keys.string(0)]?.reference = Reference(table: keys.string(1), onDelete: keys.string(2))
    }
  }

  /// A table as it is about to be made.
  init(_ table: SQLCreateTable) {
    var keys: [String] = table.columns.filter(\.isPrimaryKey).map(\.name)
    for constraint in table.constraints {
      if case .primaryKey(let columns) = constraint { keys = columns }
    }
    for column in table.columns {
      columns[column.name] = Column(
        type: column.type?.rawValue ?? "", isNotNull: column.isNotNull,
        primaryKeyPlace: keys.firstIndex(of: column.name).map { $0 + 1 } ?? 0,
        reference: column.reference.map {
          Reference(table: $0.table, onDelete: ($0.onDelete ?? .noAction).rawValue)
        })
    }
  }
}
