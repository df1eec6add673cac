import RoostCore
internal import RoostEngine
internal import RoostSQL

/// Parts of the texts that a search found, of all hits at once when the first is asked for.
final class SearchExcerpts {
  /// A part of a text.
  struct Part: Hashable {
    let column: Int
    /// nil for all of it.
    let words: Int?
    let start: String
    let end: String

    init(column: Int, words: Int?, marks: (String, String)) {
      (self.column, self.words, start, end) = (column, words, marks.0, marks.1)
    }
  }

  let search: FullTextSearch
  let context: ModelContext
  private let keys: [Int64]
  private var texts: [Part: [Int64: String]] = [:]

  init(_ search: FullTextSearch, _ context: ModelContext, keys: [Int64]) {
    (self.search, self.context, self.keys) = (search, context, keys)
  }

  func text(_ part: Part, of model: any PersistentModel) throws -> String? {
    let key = model._$state.key
    if texts[part] == nil { texts[part] = try read(part, keys) }
    // A model that was saved since has another key.
    if !keys.contains(key) { return try read(part, [key])[key] }
    return texts[part]?[key]
  }

  private func read(_ part: Part, _ keys: [Int64]) throws -> [Int64: String] {
    guard let root = context.store.schema.entities.first(where: { $0.table == search.place.index.table }) else {
      return [:]
    }
    let query = context.query(root)
    var select = search.rows(query.translator) { index in
      let text = [.column(index), .integer(Int64(part.column)), .text(part.start), .text(part.end)] as [SQLExpression]
      return [
        SQLResultColumn(.rowKey),
        SQLResultColumn(
          part.words.map { .function(SQLFunction("snippet"), text + [.text("…"), .integer(Int64($0))]) }
            ?? .function(SQLFunction("highlight"), text)),
      ]
    }
    let isWanted = SQLExpression.inSelect(.rowKey, LongLists.select(keys.map { .integer($0) }))
    select.restrict(isWanted)
    for place in select.compounds.indices { select.compounds[place].select.restrict(isWanted) }
    return try context.read(SQLitePrinter.print(select), for: query, pending: true) { statement in
      var texts: [Int64: String] = [:]
      while try statement.step() { texts[statement.int64(0)] = statement.string(1) }
      return texts
    }
  }
}
