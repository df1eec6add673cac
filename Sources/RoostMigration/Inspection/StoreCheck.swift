package import RoostCore
import RoostEngine
import RoostSQL

/// What a program does with a store when it opens it.
package enum StoreCheck {
  /// It has the program's schema already. Lines say what is made all the same, such as full-text indexes.
  case current([String])
  /// A migration follows by itself. Lines say what becomes of the tables, and what goes with all it holds.
  case migrates(StoreDifference, [String], drops: [MigrationReport.Drop])
  /// The program's initialiser of the container throws; `isOlder`: as the store had the program's schema before.
  case refused(StoreDifference, [MigrationObstacle], isOlder: Bool)

  /// What is different, a line each.
  package typealias StoreDifference = [String]
}

extension StoreFile {
  /// Says what a program without a migration plan does with the store. No row is changed; those in the way are counted.
  ///
  /// - Parameters:
  ///   - schema: what the program's models are.
  ///   - options: its `storeOptions.migration`.
  /// - Returns: what the migration does, or what keeps it from being inferred.
  /// - Throws: `SwiftDataError` when the schema contradicts itself, `DatabaseError` when the tables are others.
  package func check(against schema: DescribedSchema, _ options: ModelConfiguration.MigrationOptions) throws
    -> StoreCheck
  {
    let info = try DescribedSchemaBuilder(schema).info
    let wanted = schema.definition
    if wanted.isServed(by: definition) { return .current(try fullTextLines(info)) }
    let differences = wanted.changes(from: definition)
    let migrator = try migrator(to: info)
    let verdict = try migrator.verdict(on: wanted, options)
    if !verdict.obstacles.isEmpty { return .refused(differences, verdict.obstacles, isOlder: verdict.isOlder) }
    return .migrates(
      differences, try tableLines(migrator) + indexLines(info, migrator) + fullTextLines(info), drops: verdict.drops)
  }

  /// What would change the tables.
  func migrator(to schema: SchemaInfo) throws -> Migrator {
    try Migrator(
      connection, from: definition, to: schema, files: ExternalFiles(of: url, cipher: FileCipher(connection)))
  }

  private func tableLines(_ migrator: Migrator) throws -> [String] {
    let plans = try migrator.tablePlans()
    var lines: [String] = []
    for plan in plans {
      let name = plan.definition.name
      guard let source = plan.source else {
        lines.append("\(name): a new table\(plan.rows == nil ? "" : ", filled from others")")
        continue
      }
      switch plan.change {
      case .alter(let changes, _) where changes.isEmpty: break
      case .alter(let changes, _):
        lines.append("\(name): altered in place: \(changes.map(Self.text).joined(separator: ", "))")
      case .rebuild:
        let former = source == name ? "" : ", which was \(source)"
        lines.append("\(name)\(former): copied into a new table, \(try rows(of: source))")
      }
    }
    for name in migrator.droppedTables(plans) { lines.append("\(name): dropped, \(try rows(of: name))") }
    return lines
  }

  private func rows(of table: String) throws -> String {
    let count = try connection.strings("SELECT count(*) FROM \(quotedIdentifier(table))").first ?? "0"
    return count == "1" ? "1 row" : "\(count) rows"
  }

  private static func text(_ change: SQLAlterTable) -> String {
    switch change {
    case .rename(let former, _): "renamed from \(former)"
    case .renameColumn(_, let former, let name): "column \(former) renamed to \(name)"
    case .addColumn(_, let column): "column \(column.name) added"
    case .dropColumn(_, let name): "column \(name) dropped"
    }
  }

  private func indexLines(_ info: SchemaInfo, _ migrator: Migrator) throws -> [String] {
    let wanted = Set(TableDefinitions.indexes(of: info).map(\.name))
    let present = Set(try ForeignObjects(connection).ownIndexes(connection).keys)
    return wanted.subtracting(present).sorted().map { "\($0): a new index" }
      + present.subtracting(wanted).sorted().map { "\($0): an index that is dropped" }
  }

  private func fullTextLines(_ info: SchemaInfo) throws -> [String] {
    let changes = try StoreSetup.fullTextChanges(
      connection, info, stored: definition.entities.flatMap { $0.fullText ?? [] })
    return changes.made.map { "\($0.name): the full-text index of \($0.columns.joined(separator: ", ")) is made" }
      + changes.dropped.map { "\($0): a full-text index that is dropped" }
  }
}
