public import Foundation
public import RoostCore
internal import RoostEngine
internal import RoostSQL

extension ModelContext {
  /// The models whose full-text index has what a query looks for, the best matches first.
  ///
  /// ```swift
  /// for hit in try context.search(Note.self, for: .prefix(text), limit: 20) {
  ///   print(hit.model.title, try hit.snippet(of: \.body))
  /// }
  /// ```
  /// Unsaved changes count. Unsaved rows are ranked among each other, which mostly puts them last.
  /// - Parameters:
  ///   - type: the models to find; those of its subclasses are found, too.
  ///   - query: what to look for; whatever its text has in it is text, no syntax.
  ///   - properties: where to look, strings that have an index together; none for all of the model's only index.
  ///   - predicate: what the models must be besides.
  ///   - limit: how many models to find at most.
  /// - Returns: the models with their ranks; equal ranks are in the order of the rows' keys.
  /// - Throws: ``SwiftDataError/unsupportedPredicate`` when there is no such index, and what ``fetch(_:)`` throws.
  public func search<T: PersistentModel>(
    _ type: T.Type = T.self, for query: FullTextQuery, in properties: [PartialKeyPath<T>] = [],
    where predicate: Predicate<T>? = nil, limit: Int? = nil
  ) throws -> [SearchHit<T>] {
    let (entity, builder) = try self.query(FetchDescriptor<T>(predicate: predicate))
    let search = FullTextSearch(place: try entity.fullTextPlace(of: properties), query: query)
    let text = SQLitePrinter.print(search.select(builder, limit: limit))
    let ranked = try read(text, for: builder, pending: true) { statement in
      var rows: [(key: Int64, rank: Double)] = []
      while try statement.step() { rows.append((statement.int64(0), statement.double(1))) }
      return rows
    }
    if ranked.isEmpty { return [] }
    var byKey = self.query(entity)
    byKey.restrict(.inSelect(byKey.root.key, LongLists.select(ranked.map { .integer($0.key) })))
    let models = try fetch(FetchDescriptor<T>(), entity, byKey)
    let found = Dictionary(models.map { ($0._$state.key, $0) }, uniquingKeysWith: { first, _ in first })
    let excerpts = SearchExcerpts(search, self, keys: ranked.map(\.key))
    return ranked.compactMap { row in
      found[row.key].map { SearchHit(model: $0, rank: row.rank, excerpts: excerpts) }
    }
  }

  /// The models whose full-text index has all words of a text, the best matches first.
  ///
  /// - Throws: as the search for a ``FullTextQuery`` does.
  public func search<T: PersistentModel>(
    _ type: T.Type = T.self, for text: String, in properties: [PartialKeyPath<T>] = [],
    where predicate: Predicate<T>? = nil, limit: Int? = nil
  ) throws -> [SearchHit<T>] {
    try search(type, for: .all(text), in: properties, where: predicate, limit: limit)
  }
}

/// What to look for, and where.
struct FullTextSearch {
  let place: FullTextPlace
  let query: FullTextQuery

  /// Keys and ranks of the rows that a query's conditions leave, the best first.
  fileprivate func select(_ query: QueryBuilder, limit: Int?) -> SQLSelect {
    let (key, rank) = (SQLExpression.column("found", "key"), SQLExpression.column("found", "rank"))
    let found = SQLTable.select(
      rows(query.translator) { _ in
        [SQLResultColumn(.rowKey, as: "key"), SQLResultColumn(.column("rank"), as: "rank")]
      }, alias: "found")
    var select = query.select([SQLResultColumn(key), SQLResultColumn(rank)])
    if select.filter == nil {
      // The index has no rows but the table's.
      (select.from, select.joins) = (found, [])
    } else {
      select.joins.insert(SQLJoin(.inner, found, on: .binary(.equal, query.root.key, key)), at: 0)
    }
    select.orders = [SQLOrder(rank), SQLOrder(key)]
    select.limit = limit
    return select
  }

  /// What the index finds; the columns of the result are made from the index's name.
  func rows(_ translator: Translator, columns: (String) -> [SQLResultColumn]) -> SQLSelect {
    translator.found(by: place.index, place.expression(query), columns: columns)
  }
}
