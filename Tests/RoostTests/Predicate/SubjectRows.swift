import Foundation
import Roost
import RoostCore
import RoostEngine
import RoostQuery
import RoostSQL

/// Random models and the same as rows of a database, written with nothing but codecs and SQL.
///
/// Nothing that saves takes part, so that a disagreement can only come from translating or evaluating.
final class SubjectRows {
  let schema: SchemaInfo
  let connection: Connection
  private(set) var subjects: [Subject] = []
  private(set) var owners: [Owner] = []
  private(set) var labels: [Label] = []

  init() throws {
    schema = try SchemaInfo([Subject.self, Owner.self, Label.self])
    connection = try Connection(ConnectionOptions(location: .memory(name: UUID().uuidString)))
    registerRoostFunctions(on: connection)
    for entity in schema.entities {
      let columns = entity.properties.compactMap { property in
        property.column.map { SQLColumnDefinition($0, Self.type(of: property)) }
      }
      let key = SQLColumnDefinition(primaryKeyColumn, .integer, isPrimaryKey: true)
      try connection.execute(SQLitePrinter.print(SQLCreateTable(entity.table, [key] + columns)).sql)
    }
    for table in schema.joinTables {
      let columns = [table.ownerColumn, table.destinationColumn].map { SQLColumnDefinition($0, .integer) }
      try connection.execute(SQLitePrinter.print(SQLCreateTable(table.name, columns)).sql)
    }
  }

  /// Replaces all models and rows.
  func refill(_ random: inout SeededRandom, count: Int) throws {
    owners = (0..<3).map { _ in Owner(random: &random) }
    labels = (0..<4).map { _ in Label(random: &random) }
    subjects = (0..<count).map { _ in Subject(random: &random) }
    for subject in subjects {
      subject.owner = random.once(in: 3) ? nil : random.pick(owners)
      subject.labels = labels.filter { _ in random.once(in: 3) }
      subject.extras = labels.filter { _ in random.once(in: 3) }
    }
    try rewrite()
  }

  /// Writes all models anew.
  func rewrite() throws {
    try connection.transaction {
      for table in schema.entities.map(\.table) + schema.joinTables.map(\.name) {
        try connection.execute(SQLitePrinter.print(SQLDelete(from: table, where: nil)).sql)
      }
      for subject in subjects { try write(subject) }
      for owner in owners { try write(owner) }
      for label in labels { try write(label) }
      for subject in subjects { try writePairs(subject) }
    }
  }

  /// The models with these keys, as their positions.
  func positions(of text: SQLText) throws -> [Int] {
    let places = Dictionary(
      uniqueKeysWithValues: subjects.enumerated().map { ($0.element.persistentModelID.key, $0.offset) })
    let statement = try connection.statement(text.sql)
    defer { statement.reset() }
    statement.bind(text.arguments)
    var positions: [Int] = []
    while try statement.step() { positions.append(places[statement.int64(0)] ?? -1) }
    return positions
  }

  /// The values of a subject, with strings as their scalars.
  func describe(_ position: Int) -> String {
    guard subjects.indices.contains(position), let entity = schema.entity(for: Subject.self) else { return "" }
    return entity.properties.map { property in
      let value = subjects[position][keyPath: property.keyPath as! PartialKeyPath<Subject>]
      let text = value as? String ?? (value as? String?).flatMap { $0 }
      return "\(property.name): \(text.map { "\(Array($0.unicodeScalars))" } ?? "\(value)")"
    }.joined(separator: ", ")
  }

  private func write<Model: PersistentModel>(_ model: Model) throws {
    guard let entity = schema.entity(for: Model.self) else { return }
    var names = [primaryKeyColumn]
    var values: [SQLValue] = [.integer(model.persistentModelID.key)]
    for property in entity.properties {
      guard let column = property.column else { continue }
      names.append(column)
      let value = model[keyPath: property.keyPath as! PartialKeyPath<Model>]
      values.append(try Self.encode(value, property))
    }
    try run(SQLInsert(into: entity.table, names, .rows([values.map { .value($0) }])))
  }

  private func writePairs(_ subject: Subject) throws {
    for property in schema.entity(for: Subject.self)?.properties ?? [] {
      guard case .toMany(let relationship) = property.kind,
        case .joinTable(let table, let own, let other) = relationship.storage
      else { continue }
      let labels = property.name == "extras" ? subject.extras ?? [] : subject.labels
      for label in labels {
        let row = [subject, label].map { (model: any PersistentModel) in
          SQLExpression.value(.integer(model.persistentModelID.key))
        }
        try run(SQLInsert(into: table, [own, other], .rows([row])))
      }
    }
  }

  private func run(_ insert: SQLInsert) throws {
    let text = SQLitePrinter.print(insert)
    let statement = try connection.statement(text.sql)
    statement.bind(text.arguments)
    try statement.run()
  }

  private static func encode(_ value: Any, _ property: PropertyInfo) throws -> SQLValue {
    guard case .attribute(let codec) = property.kind else {
      return (value as? Owner).map { .integer($0.persistentModelID.key) } ?? .null
    }
    func open<Codec: _AttributeCodec>(_ codec: Codec.Type) throws -> SQLValue {
      try Codec.encode(value as! Codec.Value)
    }
    return try open(codec)
  }

  private static func type(of property: PropertyInfo) -> SQLType {
    guard case .attribute(let codec) = property.kind else { return .integer }
    return SQLType(rawValue: codec.columnType.rawValue) ?? .any
  }
}
