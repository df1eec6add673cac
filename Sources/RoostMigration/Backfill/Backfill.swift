import RoostCore
import RoostEngine
import RoostSQL

/// A new property whose values in old rows are computed when somebody asks for them, or by and by.
///
/// `_roost_backfill` has the keys of the rows that still lack it. Its column has the empty value there, which nobody
/// sees: for reading, a temporary view of the table's name computes the value (``Backfills``). Once there are no such
/// keys, the note in `_roost_meta` goes, and with it everything that is special.
struct Backfill: Sendable {
  static let table = "_roost_backfill"
  private static let note = "backfill "

  /// The version and the property, as the file has it: `2.0.0 Note.words`.
  let name: String
  let table: String
  let column: String
  private let property: HistoryFields.Name
  /// The columns that the value is made of.
  let sources: [String]
  /// The types of rows in the table that have the property; none where all have it.
  private let types: [String]
  private let computation: RunnableComputation

  /// - Throws: `SwiftDataError.unsupportedKeyPath` for what cannot be computed while it is read.
  init(_ computation: Computation, of schema: SchemaInfo, version: Schema.Version) throws {
    let (target, _) = try computation.target.attribute(in: schema)
    let sources = try computation.sources.map { try $0.attribute(in: schema).0 }
    let owner = target.owner
    for property in sources + [target] where property.isExternal || property.owner.table != owner.table {
      let place = property.isExternal ? "may be in a file" : "is in other rows"
      throw SwiftDataError(
        .unsupportedKeyPath, "A backfill computes a property of others in its row, and `\(property.name)` \(place).",
        model: owner.name, remedy: "Use .transform, or the code of a stage.")
    }
    let isIndexed =
      owner.root.selfAndDescendants.flatMap(\.uniqueness).joined().contains { owner.properties[$0.property] === target }
      || schema.fullTextIndexes.contains { $0.table == owner.table && $0.columns.contains(target.column ?? "") }
    if isIndexed {
      throw SwiftDataError(
        .unsupportedKeyPath, "`\(target.name)` is unique or searched as a text, so that all rows must have it at once.",
        model: owner.name, remedy: "Use .transform, or the code of a stage.")
    }
    name = "\(version) \(owner.name).\(target.name)"
    table = owner.table
    column = target.column ?? target.name
    property = HistoryFields.Name(target)
    self.sources = sources.compactMap(\.column)
    types = owner.superentity == nil ? [] : owner.typeNames
    self.computation = try RunnableComputation(computation, from: schema, to: schema)
  }

  func run(_ arguments: FunctionArguments, _ tellsValues: Bool) throws -> DatabaseValue {
    try computation.run(arguments, tellsValues)
  }

  // MARK: - SQL

  /// The value of a row that lacks it, called `alias`.
  func value(of alias: String) -> SQLExpression {
    .function(
      .backfill, [.literal(.text(name)), .column(alias, primaryKeyColumn)] + sources.map { .column(alias, $0) })
  }

  /// The keys of the rows that lack it.
  var keys: SQLSelect {
    SQLSelect(
      [SQLResultColumn(.column("key"))], from: .table(Self.table),
      where: .binary(.equal, .column("property"), .literal(.text(name))))
  }

  /// Who sets the property, from whatever program, has said what it is; also of a row that is made again.
  private var triggers: [(name: String, event: String)] {
    [
      ("\(Self.table) \(name)", "UPDATE OF \(quotedIdentifier(column))"), ("\(Self.table)_insert \(name)", "INSERT"),
    ]
  }

  // MARK: - Rows

  private var fact: StoreCatalog.Key { StoreCatalog.Key(Self.note + name) }

  /// Notes all rows there are as lacking it.
  func begin(_ connection: Connection) throws {
    try connection.execute(
      """
      CREATE TABLE IF NOT EXISTS \(Self.table) (
        property TEXT, key INTEGER, PRIMARY KEY (property, key)
      ) WITHOUT ROWID, STRICT
      """)
    for trigger in triggers {
      try connection.execute(
        """
        CREATE TRIGGER \(quotedIdentifier(trigger.name)) AFTER \(trigger.event) ON \(quotedIdentifier(table)) BEGIN
          DELETE FROM \(Self.table)
          WHERE property = \(SQLitePrinter.literal(.text(name))) AND key = new.\(primaryKeyColumn);
        END
        """)
    }
    var rows = SQLSelect(
      [SQLResultColumn(.literal(.text(name))), SQLResultColumn(.column(primaryKeyColumn))], from: .table(table))
    if !types.isEmpty { rows.filter = .inList(.column(entityNameColumn), types.map { .text($0) }) }
    try connection.run(.insert(SQLInsert(into: Self.table, ["property", "key"], .select(rows))))
    try StoreCatalog(connection).set(fact, table)
  }

  /// Writes the values of some rows that lack it, or of all.
  func complete(_ connection: Connection, keys given: [Int64]? = nil) throws {
    var keys = keys
    if let given { keys.restrict(SQLExpression.column("key").isOne(of: given)) }
    // Whoever reads has seen the values before: it is no change of the rows.
    try HistoryTables.withoutUpdates(of: property, connection) {
      try connection.run(
        .update(
          SQLUpdate(
            table, set: [SQLAssignment(column, value(of: table))],
            where: .inSelect(.column(primaryKeyColumn), keys))))
    }
    // Those of rows that are gone.
    try connection.run(.delete(SQLDelete(from: Self.table, where: keys.filter)))
  }

  /// Writes the values of the next rows, if there are any. Returns whether there were.
  func completeNext(_ count: Int, _ connection: Connection) throws -> Bool {
    var next = keys
    next.limit = count
    let text = SQLitePrinter.print(next)
    let statement = try connection.statement(text.sql)
    statement.bind(text.arguments)
    let keys = try statement.keys()
    statement.reset()
    if keys.isEmpty { return false }
    try complete(connection, keys: keys)
    return true
  }

  /// Removes what is special about it.
  func end(_ connection: Connection) throws {
    try StoreCatalog(connection).remove(fact)
    for trigger in triggers { try connection.execute("DROP TRIGGER IF EXISTS \(quotedIdentifier(trigger.name))") }
  }

  /// One that a file has begun and not ended.
  struct Note {
    let name: String
    /// Whether rows still wait: others may have set the last ones.
    let hasRows: Bool
  }

  /// What a file says of its backfills.
  static func notes(_ connection: Connection) throws -> [Note] {
    let names = try StoreCatalog(connection).names(after: note)
    if names.isEmpty { return [] }
    let row = try connection.statement("SELECT 1 FROM \(table) WHERE property = ? LIMIT 1")
    return try names.map { name in
      defer { row.reset() }
      row.bind(name, at: 1)
      return Note(name: name, hasRows: try row.step())
    }
  }
}

extension SQLFunction {
  static let backfill = SQLFunction("roost_backfill")
}
