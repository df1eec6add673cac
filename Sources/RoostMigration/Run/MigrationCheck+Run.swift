import Foundation
import RoostCore
import RoostEngine
import RoostSQL

extension MigrationCheck {
  /// What is in the way; nil when no row is.
  func obstacle(_ connection: Connection) throws -> MigrationObstacle? {
    let count = SQLSelect([SQLResultColumn(.countAll)], from: .select(rows, alias: "found"))
    let counted = try first(count, connection)
    guard case .integer(let number)? = counted?.first, number > 0 else { return nil }
    var one = rows
    one.limit = 1
    let example = try first(one, connection).map { row in
      let key = DatabaseValue(row[0]).description
      // Errors end in logs.
      guard row.count > 1, connection.options.reportsArguments else { return key }
      return "\(key) (\(Self.shortened(DatabaseValue(row[1]).description)))"
    }
    return MigrationObstacle(
      model: model, property: place, message: message, rowCount: Int(number), exampleRow: example, remedy: remedy)
  }

  private func first(_ select: SQLSelect, _ connection: Connection) throws -> [SQLValue]? {
    let text = SQLitePrinter.print(select)
    let statement = try connection.statement(text.sql)
    defer { statement.reset() }
    statement.bind(text.arguments)
    guard try statement.step() else { return nil }
    return (0..<select.columns.count).map { statement.sqlValue(Int32($0)) }
  }

  private static func shortened(_ text: String) -> String { text.count > 60 ? text.prefix(60) + "…" : text }
}

extension SwiftDataError {
  /// A migration that cannot be inferred, with all that is in the way.
  static func obstacles(_ obstacles: [MigrationObstacle], url: URL?) -> SwiftDataError {
    SwiftDataError(
      obstacles: obstacles,
      "The store has an older schema than the program, and these differences need your word:\n  "
        + obstacles.map { $0.description.replacing("\n", with: "\n  ") }.joined(separator: "\n  ") + "\n",
      remedy: "Nothing was changed.", url: url)
  }
}
