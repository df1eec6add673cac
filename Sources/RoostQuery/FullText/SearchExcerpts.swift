import RoostCore
internal import RoostEngine
internal import RoostSQL

/// Parts of the texts that a search found, read for many hits at once: those that lie together
/// are mostly asked for together.
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

  /// The texts of hits that lie together.
  private struct Window {
    let places: Range<Int>
    let texts: [Int64: String]
  }

  /// What is kept of a part.
  private struct Kept {
    /// Two at most, that used last first: a list may show the end of one and the beginning of the next.
    var windows: [Window] = []
    var reads = 0
  }

  private static let windowSize = 256

  let search: FullTextSearch
  let context: ModelContext
  private let keys: [Int64]
  private lazy var places: [Int64: Int] = Dictionary(zip(keys, keys.indices), uniquingKeysWith: { first, _ in first })
  private var kept: [Part: Kept] = [:]

  init(_ search: FullTextSearch, _ context: ModelContext, keys: [Int64]) {
    (self.search, self.context, self.keys) = (search, context, keys)
  }

  func text(_ part: Part, of model: any PersistentModel) throws -> String? {
    let key = model._$state.key
    // A model that was saved since has another key.
    guard let place = places[key] else { return try read(part, [key])[key] }
    var kept = self.kept[part] ?? Kept()
    if let index = kept.windows.firstIndex(where: { $0.places.contains(place) }) {
      if index > 0 { self.kept[part]?.windows.swapAt(0, index) }
      return kept.windows[index].texts[key]
    }
    let start = place - place % Self.windowSize
    // Who goes to and fro among the hits is given all of them in the end, instead of a window each time.
    let wantsAll = kept.reads * Self.windowSize > 4 * keys.count
    let wanted = wantsAll ? keys.indices : start..<min(start + Self.windowSize, keys.count)
    let window = try Window(places: wanted, texts: read(part, Array(keys[wanted])))
    kept.windows = Array(([window] + kept.windows).prefix(wantsAll ? 1 : 2))
    kept.reads += 1
    self.kept[part] = kept
    return window.texts[key]
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
