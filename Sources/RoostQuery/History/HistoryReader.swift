import Foundation
import RoostCore
import RoostEngine
import RoostSQL

/// Makes transactions of what is stored of them.
struct HistoryReader {
  private let store: Store
  private let connection: Connection
  private let entities: [Int64: EntityInfo]
  /// The properties of each entity by their numbers.
  private let properties: [Int64: [Int64: PropertyInfo]]

  init(_ store: Store, _ connection: Connection) throws {
    (self.store, self.connection) = (store, connection)
    let fields = try HistoryFields(connection)
    var (entities, properties): ([Int64: EntityInfo], [Int64: [Int64: PropertyInfo]]) = ([:], [:])
    for entity in store.schema.entities {
      guard let number = fields.number(of: entity) else { continue }
      entities[number] = entity
      let numbered = entity.properties.compactMap { property in fields.number(of: property).map { ($0, property) } }
      properties[number] = Dictionary(numbered, uniquingKeysWith: { first, _ in first })
    }
    (self.entities, self.properties) = (entities, properties)
  }

  func transaction(_ row: HistoryRow, withChanges: Bool) throws -> DefaultHistoryTransaction {
    DefaultHistoryTransaction(
      timestamp: Date(timeIntervalSinceReferenceDate: row.time), changes: withChanges ? try changes(row) : [],
      token: DefaultHistoryToken(store: store.identifier, transaction: row.number), transactionIdentifier: row.number,
      storeIdentifier: store.identifier, bundleIdentifier: row.bundle ?? "", processIdentifier: row.process ?? "",
      author: row.author, contextIdentifier: row.context.flatMap { UUID(uuidString: $0) })
  }

  private func changes(_ row: HistoryRow) throws -> [HistoryChange] {
    guard let range = row.changes else { return [] }
    let statement = try connection.statement(
      "SELECT id, entity, kind, first, last, fields, old FROM _roost_change WHERE id BETWEEN ? AND ? ORDER BY id")
    defer { statement.reset() }
    statement.bind(range.lowerBound, at: 1)
    statement.bind(range.upperBound, at: 2)
    var changes: [HistoryChange] = []
    while try statement.step() {
      let number = statement.int64(1)
      guard let entity = entities[number], let kind = HistoryTables.Kind(rawValue: statement.int64(2)) else { continue }
      let (id, first, last) = (statement.int64(0), statement.int64(3), statement.int64(4))
      let known = properties[number] ?? [:]
      // Not what any program has written that keeps to the triggers.
      guard first > 0, last >= first, last - first < HistoryTables.largestRange else {
        throw SwiftDataError(
          .corruptValue, "The change \(id) of the history is of rows \(first) to \(last).", model: entity.name,
          remedy: "Delete the history: deleteHistory(HistoryDescriptor()).")
      }
      for key in first...last {
        let place = HistoryPlace(
          // A change of several rows is counted as many times.
          change: id &* HistoryTables.largestRange &+ (key - first), transaction: row.number,
          identifier: PersistentIdentifier(scope: store.scopes[entity.ordinal], key: key))
        switch kind {
        case .inserted: changes.append(.insert(place.insert(entity.type)))
        case .updated: changes.append(.update(place.update(entity.type, updated(statement, known))))
        case .deleted: changes.append(.delete(place.delete(entity.type, kept(statement, known))))
        }
      }
    }
    return changes
  }

  private func updated(_ statement: Statement, _ properties: [Int64: PropertyInfo]) -> [PropertyInfo] {
    let numbers: [Int64] =
      if statement.columnType(5) == .text {
        statement.string(5).split(separator: " ").compactMap { Int64($0) }
      } else {
        (0..<63).filter { statement.int64(5) >> $0 & 1 == 1 }.map { Int64($0) }
      }
    return numbers.compactMap { properties[$0] }.sorted { $0.index < $1.index }
  }

  private func kept(_ statement: Statement, _ properties: [Int64: PropertyInfo]) -> [(PropertyInfo, Any)] {
    guard !statement.isNull(6),
      let literals = try? JSONDecoder().decode([String: String].self, from: Data(statement.string(6).utf8))
    else { return [] }
    return literals.compactMap { number, literal -> (PropertyInfo, Any)? in
      guard let property = Int64(number).flatMap({ properties[$0] }), case .attribute(let codec) = property.kind,
        let value = SQLValue(literal: literal), value != .null
      else { return nil }
      func decode<Codec: _AttributeCodec>(_ codec: Codec.Type) -> Any? { codec.decode(value) }
      return decode(codec).map { (property, $0) }
    }.sorted { $0.0.index < $1.0.index }
  }
}

/// What all changes have.
private struct HistoryPlace {
  let change: Int64
  let transaction: Int64
  let identifier: PersistentIdentifier

  func insert<Model: PersistentModel>(_ type: Model.Type) -> any HistoryInsert {
    DefaultHistoryInsert<Model>(
      changeIdentifier: change, transactionIdentifier: transaction, changedPersistentIdentifier: identifier)
  }

  func update<Model: PersistentModel>(_ type: Model.Type, _ properties: [PropertyInfo]) -> any HistoryUpdate {
    DefaultHistoryUpdate<Model>(
      changeIdentifier: change, transactionIdentifier: transaction, changedPersistentIdentifier: identifier,
      updatedAttributes: properties.compactMap { ($0.keyPath as? PartialKeyPath<Model>)?.sendable })
  }

  func delete<Model: PersistentModel>(_ type: Model.Type, _ kept: [(PropertyInfo, Any)]) -> any HistoryDelete {
    DefaultHistoryDelete<Model>(
      changeIdentifier: change, transactionIdentifier: transaction, changedPersistentIdentifier: identifier,
      tombstone: HistoryTombstone(
        kept.compactMap { property, value in (property.keyPath as? PartialKeyPath<Model>).map { ($0, value) } }))
  }
}

extension PartialKeyPath {
  /// The path as one that may be sent.
  fileprivate var sendable: any PartialKeyPath<Root> & Sendable {
    // SAFETY: a property's path has no arguments, and key paths are immutable.
    unsafeBitCast(self, to: (any PartialKeyPath<Root> & Sendable).self)
  }
}
