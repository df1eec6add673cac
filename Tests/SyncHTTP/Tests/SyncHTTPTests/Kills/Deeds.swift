import Stock

/// What clients did by their notebooks, and what there must be of it at the end.
struct Deeds {
  /// Whether something was done: a client that was killed while it saved does not know.
  private enum Certainty: Int, Comparable {
    case no, perhaps, yes

    static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
  }

  /// What is known of one thing.
  private struct Facts {
    var made = Certainty.no
    var deleted = Certainty.no
    /// What was added to the counter, and what perhaps was, by the saves.
    var sum = 0
    var perhapsAdded: [String: Int] = [:]
    /// What each client wrote last, with what it may have written since.
    var written: [Deed.Field: [Int: Set<String?>]] = [:]
    /// The places of a shelf, or the item of a part.
    var names: Set<String> = []

    var sums: Set<Int> {
      perhapsAdded.values.reduce(into: [sum]) { sums, more in sums.formUnion(sums.map { $0 + more }) }
    }
  }

  private var shelves: [String: Facts] = [:]
  private var items: [String: Facts] = [:]
  private var parts: [String: Facts] = [:]

  /// `saves`: those of each client.
  init(_ saves: [[Save]]) {
    for (client, saves) in saves.enumerated() {
      for save in saves where save.state != .failed {
        for deed in save.deeds { note(deed, client, save.number, save.state == .done ? .yes : .perhaps) }
      }
    }
  }

  private mutating func note(_ deed: Deed, _ client: Int, _ save: Int, _ certainty: Certainty) {
    switch deed {
    case .shelf(let name, let place):
      Self.raise(&shelves[name, default: Facts()].made, certainty)
      shelves[name]?.names.insert(place)
    case .deleteShelf(let name): Self.raise(&shelves[name, default: Facts()].deleted, certainty)
    case .item(let code): Self.raise(&items[code, default: Facts()].made, certainty)
    case .deleteItem(let code): Self.raise(&items[code, default: Facts()].deleted, certainty)
    case .write(let field, let code, let value):
      var values = items[code]?.written[field]?[client] ?? []
      if certainty == .yes { values = [] }
      items[code, default: Facts()].written[field, default: [:]][client] = values.union([value])
    case .count(let code, let more):
      if certainty == .yes {
        items[code, default: Facts()].sum += more
      } else {
        items[code, default: Facts()].perhapsAdded["\(client).\(save)", default: 0] += more
      }
    case .part(let code, let item):
      Self.raise(&parts[code, default: Facts()].made, certainty)
      parts[code]?.names.insert(item)
    case .deletePart(let code): Self.raise(&parts[code, default: Facts()].deleted, certainty)
    }
  }

  private static func raise(_ known: inout Certainty, _ certainty: Certainty) { known = max(known, certainty) }

  // MARK: - The end

  /// What a stock has that nobody made, or lacks, or has otherwise than anybody wrote it.
  func problems(_ stock: StockImage) -> [String] {
    shelfProblems(stock) + items.keys.sorted().flatMap { itemProblems($0, stock.items[$0]) } + partProblems(stock)
      + Set(stock.items.keys).subtracting(items.keys).map { "item \($0) was made by nobody" }
  }

  private func shelfProblems(_ stock: StockImage) -> [String] {
    // One that was deleted and one of the same name that was made meanwhile may be the same.
    let lost = shelves.filter { $1.made == .yes && $1.deleted == .no && stock.shelves[$0] == nil }
    let odd = stock.shelves.filter { shelves[$0]?.names.contains($1) != true }
    return lost.keys.map { "shelf \($0) is lost" } + odd.map { "nobody had shelf \($0) be at \($1)" }
  }

  private func itemProblems(_ code: String, _ image: StockImage.ItemImage?) -> [String] {
    guard let facts = items[code] else { return [] }
    guard let image else { return facts.made == .yes && facts.deleted == .no ? ["item \(code) is lost"] : [] }
    var problems: [String] = []
    if facts.made == .no { problems.append("item \(code) was made by nobody") }
    if facts.deleted == .yes { problems.append("item \(code) was deleted, and is there") }
    if !facts.sums.contains(image.count) {
      problems.append("item \(code) counts \(image.count), not one of \(facts.sums.sorted())")
    }
    for (field, value) in image.fields {
      let written = facts.written[field, default: [:]].values.reduce(into: Set()) { $0.formUnion($1) }
      // A shelf that goes leaves its items.
      let mayBeNone = field == .shelf && written.contains { $0.flatMap { shelves[$0]?.deleted } ?? .no > .no }
      if !written.contains(value), !(value == nil && mayBeNone) {
        problems.append(
          "item \(code) has the \(field) \(value ?? "-"), not one of \(written.map { $0 ?? "-" }.sorted())")
      }
    }
    return problems
  }

  private func partProblems(_ stock: StockImage) -> [String] {
    var owners: [String: String] = [:]
    for (code, item) in stock.items { for part in item.parts { owners[part] = code } }
    let odd = owners.filter { parts[$0]?.names.contains($1) != true }
    let kept = owners.keys.filter { parts[$0]?.deleted == .yes }
    let lost = parts.filter { code, facts in
      // It goes with its item.
      facts.made == .yes && facts.deleted == .no && owners[code] == nil
        && facts.names.allSatisfy { items[$0]?.deleted == .no }
    }
    return odd.map { "nobody made part \($0) of \($1)" } + kept.map { "part \($0) was deleted, and is there" }
      + lost.keys.map { "part \($0) is lost" }
  }
}
