import RoostCore
import RoostEngine
import RoostSQL

/// What is wrong with a store, and what is only remarkable.
package struct StoreVerification: Equatable, Sendable {
  /// What makes fetches or saves fail, or values wrong: a line each.
  package var problems: [String] = []
  /// What the next opening puts right, or nobody of Roost's has made: a line each.
  package var remarks: [String] = []
}

extension StoreFile {
  /// Looks for damage, and whether tables, rows and files are as the file's schema says.
  ///
  /// - Throws: `DatabaseError` when the file is too damaged to be looked at.
  package func verify() throws -> StoreVerification {
    var verification = StoreVerification()
    verification.problems += try damage()
    // Nothing else can be relied upon then.
    if !verification.problems.isEmpty { return verification }
    do {
      let schema = try DescribedSchemaBuilder(DescribedSchema(definition)).info
      try verifyTables(schema, &verification)
      try verifyFullText(schema, &verification)
      verification.problems += try brokenReferences()
      try verifyFiles(&verification)
    } catch let error as SwiftDataError where error == .invalidSchema {
      verification.problems.append("\(error.model ?? "the schema"): \(error.message)")
    }
    return verification
  }

  private func damage() throws -> [String] {
    do {
      return try connection.integrityCheck().map { "damage: \($0)" }
    } catch {
      guard error.primaryCode == DatabaseError.corrupt else { throw error }
      return ["damage: \(error.message)"]
    }
  }

  // MARK: - References

  /// References to rows that are not there, a line for each column.
  private func brokenReferences() throws -> [String] {
    let statement = try connection.statement(
      """
      SELECT found."table", ifnull(keys."from", '?'), found.parent, count(*), min(found.rowid) \
      FROM pragma_foreign_key_check AS found \
      LEFT JOIN pragma_foreign_key_list(found."table") AS keys ON keys.id = found.fkid GROUP BY 1, 2, 3
      """)
    defer { statement.reset() }
    var lines: [String] = []
    while try statement.step() {
      let example = statement.columnType(4) == .null ? "" : ", such as row \(statement.int64(4))"
      lines.append(
        "\(statement.string(0)).\(statement.string(1)): "
          + StoreVerification.count(statement.int64(3), "row refers", "rows refer")
          + " to rows of \(statement.string(2)) that are not there\(example)")
    }
    return lines
  }

  // MARK: - Full text

  private func verifyFullText(_ schema: SchemaInfo, _ verification: inout StoreVerification) throws {
    let present = Set(try connection.strings("SELECT name FROM sqlite_schema WHERE type = 'table'"))
    let changes = try StoreSetup.fullTextChanges(connection, schema, stored: [])
    verification.remarks += changes.made.map { index in
      present.contains(index.name)
        ? "\(index.name): parts of the full-text index are missing or others; the next opening makes it anew"
        : "\(index.name): the full-text index is missing; the next opening makes it"
    }
  }
}

extension StoreVerification {
  static func count(_ number: Int64, _ one: String, _ many: String) -> String {
    "\(number) \(number == 1 ? one : many)"
  }
}
