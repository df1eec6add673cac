public import Foundation
public import RoostCore
import RoostEngine
import RoostSQL

// Fetches that were asked before with other values, and with nothing pending: their SQL is kept.
extension ModelContext {
  /// What tells the fetches of a descriptor apart; nil when the fetch must be translated.
  @inlinable
  func plainShape<T: PersistentModel>(of descriptor: FetchDescriptor<T>) -> _PlainShape? {
    guard descriptor.fetchAfter == nil, descriptor.propertiesToFetch.isEmpty,
      descriptor.relationshipKeyPathsForPrefetching.isEmpty, showsRowsAlone
    else { return nil }
    var shape = _PlainShape(T.self, descriptor.fetchLimit, descriptor.fetchOffset, orders: descriptor.sortBy.count)
    for order in descriptor.sortBy {
      let isForward = order.order == .forward
      guard shape.note(order.keyPath, isForward: isForward, order.stringComparator) else { return nil }
    }
    guard shape.note(descriptor.predicate?.expression) else { return nil }
    shape.end(descriptor.fetchLimit, descriptor.fetchOffset)
    return shape
  }

  /// Whether what the context shows is just what the store has.
  @usableFromInline
  var showsRowsAlone: Bool {
    let core = core
    return core.parent == nil && core.pending.isEmpty
  }

  @usableFromInline
  func known(_ shape: _PlainShape) throws -> _KnownQuery? {
    store.queryTexts[shape.shape].map { _KnownQuery(text: $0, values: shape.shape.values) }
  }

  /// Keeps the SQL of a fetch; nil where it cannot be kept.
  @usableFromInline
  func learn<T: PersistentModel>(_ shape: _PlainShape, _ descriptor: FetchDescriptor<T>) throws -> _KnownQuery? {
    let (entity, query) = try query(descriptor)
    let text = SQLitePrinter.print(query.select(store.statements(entity).columns))
    store.queryTexts.add(text, reading: query.usesTables, for: shape.shape)
    return try known(shape)
  }

  /// Calls `body` with the rows that a fetch finds.
  @usableFromInline
  func read(
    _ type: any PersistentModel.Type, _ query: _KnownQuery, _ body: (inout _ModelRows) throws -> Void
  ) throws {
    guard let entity = core.entity(for: type) else { throw SwiftDataError.modelNotInSchema(type) }
    noticeOtherSaves()
    try SwiftDataError.translating(SwiftDataError.querying) {
      try read(SQLText(sql: query.text.sql, arguments: query.values), from: query.text.tables, pending: false) {
        var rows = _ModelRows(core, entity, $0)
        try body(&rows)
      }
    }
  }
}

/// The SQL of a fetch that was asked before, and what it binds this time.
@_documentation(visibility: private)
@usableFromInline
struct _KnownQuery {
  fileprivate let text: QueryTexts.Entry
  fileprivate let values: [SQLValue]
}

/// What tells fetches apart, as the program's own code takes a descriptor to pieces.
@_documentation(visibility: private)
@usableFromInline
struct _PlainShape {
  fileprivate var shape = QueryShape()

  @usableFromInline
  init(_ type: any PersistentModel.Type, _ limit: Int?, _ offset: Int?, orders: Int) {
    shape.note(type as any Any.Type)
    shape.note(limit == nil ? 0 : 1)
    shape.note(offset == nil ? 0 : 1)
    shape.note(orders)
  }

  /// False when the fetch must be translated.
  @usableFromInline
  mutating func note(_ keyPath: AnyKeyPath?, isForward: Bool, _ comparator: String.StandardComparator?) -> Bool {
    guard let keyPath, comparator == nil || comparator == .lexical else { return false }
    shape.note(keyPath)
    shape.note(isForward ? 0 : 1)
    return true
  }

  @usableFromInline
  mutating func note(_ condition: (any StandardPredicateExpression<Bool>)?) -> Bool {
    condition.map { shape.noteAll($0) } ?? true
  }

  /// The bounds stand at the end of the text.
  @usableFromInline
  mutating func end(_ limit: Int?, _ offset: Int?) {
    guard limit != nil || offset != nil else { return }
    shape.bind(.integer(Int64(limit ?? -1)))
    if let offset { shape.bind(.integer(Int64(offset))) }
  }
}
