import Foundation
import RoostEngine
import RoostSQL

/// Brings a file to the schema the program has, or says why it cannot.
enum StoreSetup {
  private static let formatVersion = "1"

  /// Creates what is missing in an empty file, checks a file that has a schema. Returns the store's identifier.
  static func prepare(_ pool: Pool, _ schema: SchemaInfo, _ configuration: ModelConfiguration) throws -> String {
    do {
      if let store = try pool.read({ try check($0, schema, configuration) }) {
        if let index = store.fullText.made.first, !configuration.allowsSave {
          throw SwiftDataError.loadIssue(
            "The file lacks the full-text index \(index.name), and a read-only configuration does not make it.",
            url: configuration.url, remedy: "Open it once with allowsSave: true.", underlying: nil)
        }
        if !store.outdated.isEmpty || !store.fullText.isEmpty, configuration.allowsSave {
          try pool.write { connection in
            try connection.transaction(.immediate) {
              // Another program may have changed it since.
              if let store = try check(connection, schema, configuration) { try update(store, connection) }
            }
          }
        }
        return store.identifier
      }
      guard configuration.allowsSave || configuration.isStoredInMemoryOnly else {
        throw SwiftDataError.loadIssue(
          "The file holds no Roost store, and a read-only configuration does not create one.", url: configuration.url,
          remedy: "Open it once with allowsSave: true, or check the path.", underlying: nil)
      }
      return try pool.write { connection in
        try connection.transaction(.immediate) {
          // Another process may have made the tables since.
          if let store = try check(connection, schema, configuration) { return store.identifier }
          return try create(connection, schema)
        }
      }
    } catch let error as DatabaseError {
      throw lackOfFullText(error, configuration) ?? SwiftDataError.opening(configuration, error)
    }
  }

  private static func create(_ connection: Connection, _ schema: SchemaInfo) throws -> String {
    try connection.execute(
      """
      CREATE TABLE _roost_meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
      CREATE TABLE _roost_entity (
        name TEXT PRIMARY KEY, last_key INTEGER NOT NULL, definition TEXT NOT NULL
      ) STRICT;
      """)
    for entity in schema.entities {
      for statement in TableDefinitions.statements(for: entity, in: schema) { try run(statement, connection) }
      let insert = try connection.statement("INSERT INTO _roost_entity (name, last_key, definition) VALUES (?, 0, ?)")
      insert.bind(entity.name, at: 1)
      insert.bind(try EntityDefinition(entity).json(), at: 2)
      try insert.run()
    }
    for index in schema.fullTextIndexes { try make(index, connection) }
    for table in schema.joinTables {
      for statement in TableDefinitions.statements(for: table) { try run(statement, connection) }
    }
    let identifier = UUID().uuidString
    for (key, value) in [("identifier", identifier), ("format", formatVersion)] {
      let insert = try connection.statement("INSERT INTO _roost_meta (key, value) VALUES (?, ?)")
      insert.bind(key, at: 1)
      insert.bind(value, at: 2)
      try insert.run()
    }
    return identifier
  }

  private static func run(_ statement: SQLStatement, _ connection: Connection) throws {
    try connection.execute(SQLitePrinter.print(statement).sql)
  }

  /// A store whose tables are as the program has them.
  private struct Checked {
    let identifier: String
    /// What the file says otherwise of entities, without any row being different for it.
    let outdated: [EntityDefinition]
    let fullText: FullTextChanges
  }

  private static func update(_ store: Checked, _ connection: Connection) throws {
    try apply(store.fullText, connection)
    for definition in store.outdated {
      let update = try connection.statement("UPDATE _roost_entity SET definition = ? WHERE name = ?")
      update.bind(try definition.json(), at: 1)
      update.bind(definition.name, at: 2)
      try update.run()
    }
  }

  /// The store when its schema is the program's; nil when the database is empty.
  private static func check(
    _ connection: Connection, _ schema: SchemaInfo, _ configuration: ModelConfiguration
  ) throws -> Checked? {
    let tables = try connection.strings("SELECT name FROM sqlite_schema WHERE type = 'table'")
    if tables.isEmpty { return nil }
    guard tables.contains("_roost_meta"), tables.contains("_roost_entity") else {
      throw SwiftDataError.loadIssue(
        "The file is an SQLite database of another program: it has tables, but none of Roost's.",
        url: configuration.url, remedy: "Choose another url for the store.", underlying: nil)
    }
    let format = try connection.strings("SELECT value FROM _roost_meta WHERE key = 'format'").first
    guard format == formatVersion else {
      throw SwiftDataError.loadIssue(
        "The store has format \(format ?? "unknown"), this version of Roost reads \(formatVersion).",
        url: configuration.url, remedy: "Update Roost.", underlying: nil)
    }
    var stored: [String: String] = [:]
    let statement = try connection.statement("SELECT name, definition FROM _roost_entity")
    defer { statement.reset() }
    while try statement.step() { stored[statement.string(0)] = statement.string(1) }
    var differences: [String] = []
    var outdated: [EntityDefinition] = []
    var fullText: [FullTextDefinition] = []
    for entity in schema.entities {
      let definition = try EntityDefinition(entity)
      guard let json = stored.removeValue(forKey: entity.name) else {
        differences.append("\(entity.name): not in the store")
        continue
      }
      guard let known = try? EntityDefinition(json: json) else {
        throw SwiftDataError.loadIssue(
          "What the file says of \(entity.name) in _roost_entity cannot be read.", url: configuration.url,
          remedy: "Restore the file from a backup.", underlying: nil)
      }
      differences += definition.differences(from: known)
      for (property, keys) in definition.newRequirements(from: known) {
        differences += try missing(keys, of: property, in: entity, connection).map { [$0] } ?? []
      }
      if definition != known { outdated.append(definition) }
      fullText += known.fullText ?? []
    }
    differences += stored.keys.sorted().map { "\($0): in the store, not in the program" }
    guard differences.isEmpty else {
      throw SwiftDataError(
        .unknownDataStoreSchema,
        "The store at \(configuration.url.path) has another schema than the program:\n  "
          + differences.joined(separator: "\n  "),
        remedy: "Open it with the models it was made with.")
    }
    let changes = try fullTextChanges(connection, schema, stored: fullText)
    return try connection.strings("SELECT value FROM _roost_meta WHERE key = 'identifier'").first.map {
      Checked(identifier: $0, outdated: outdated, fullText: changes)
    }
  }

  /// What to say of rows without a key that a composite attribute requires; nil when all have it.
  private static func missing(
    _ keys: [String], of property: String, in entity: EntityInfo, _ connection: Connection
  ) throws -> String? {
    guard let column = entity.property(named: property)?.column else { return nil }
    let steps = keys.map { SQLJSONStep.key($0) }
    let outer = JSONPlace(text: .column(column), steps: steps.dropLast())
    let inner = JSONPlace(text: .column(column), steps: steps)
    let select = SQLSelect(
      [SQLResultColumn(.countAll)], from: .table(entity.table),
      where: .all([.isNotNull(outer.extracted), .isNull(inner.extracted)]))
    let text = SQLitePrinter.print(select)
    let statement = try connection.statement(text.sql)
    defer { statement.reset() }
    statement.bind(text.arguments)
    guard try statement.step(), statement.int64(0) > 0 else { return nil }
    return "\(entity.name).\(([property] + keys).joined(separator: ".")): added, but \(statement.int64(0)) rows have no"
      + " value for it; make it optional, or give it a default in the struct's init(from:)"
  }
}

extension Connection {
  /// The first column of every row, as text.
  func strings(_ sql: String) throws -> [String] {
    let statement = try statement(sql)
    defer { statement.reset() }
    var strings: [String] = []
    while try statement.step() { strings.append(statement.string(0)) }
    return strings
  }
}
