import Foundation
import Roost
import Stock
import TestSupport

/// Somebody who edits the stock at random, by all ways that there are.
struct Clerk {
  /// What is to be saved: `run` saves it.
  struct Work {
    var deeds: [Deed]
    var run: () throws -> Void
  }

  private let name: String
  private var random: SeededRandom
  /// The number of the last save.
  private(set) var number: Int

  init(_ name: String, first: Int, seed: UInt64) {
    (self.name, number, random) = (name, first, SeededRandom(seed: seed))
  }

  mutating func work(_ context: ModelContext) throws -> Work {
    number += 1
    let items = try context.fetch(FetchDescriptor<Item>(sortBy: [SortDescriptor(\.code)]))
    let shelves = try context.fetch(FetchDescriptor<Shelf>(sortBy: [SortDescriptor(\.name)]))
    guard !items.isEmpty else { return saved(context, insertion(context, shelves)) }
    switch random.below(12) {
    case 0: return sql(context, random.pick(items).code)
    case 1: return bulk(context, items.filter { _ in random.once(in: 3) }.map(\.code))
    case 2: return try deletionOfParts(context)
    default:
      var deeds: [Deed] = []
      for _ in 0...random.below(3) { deeds += edit(context, items, shelves) }
      return saved(context, deeds)
    }
  }

  /// Edits of models, that are yet to be saved.
  private func saved(_ context: ModelContext, _ deeds: [Deed]) -> Work { Work(deeds: deeds) { try context.save() } }

  private mutating func insertion(_ context: ModelContext, _ shelves: [Shelf]) -> [Deed] {
    let (code, shelf) = ("\(name)\(number)-\(random.below(1_000_000))", shelves.randomElement(using: &random))
    context.insert(Item(code, title: code, on: shelf))
    return [
      .item(code), .write(.title, of: code, code), .write(.label, of: code, ""), .write(.shelf, of: code, shelf?.name),
    ]
  }

  private mutating func edit(_ context: ModelContext, _ items: [Item], _ shelves: [Shelf]) -> [Deed] {
    let (item, shelves) = (random.pick(items), shelves.filter { !$0.isDeleted })
    if item.isDeleted { return [] }
    let text = "\(name)\(number).\(random.below(1_000))"
    switch random.below(16) {
    case 0, 1, 2: return items.count < 40 ? insertion(context, shelves) : []
    case 3 where items.count > 10, 4 where items.count > 30:
      context.delete(item)
      return [.deleteItem(item.code)]
    case 5:
      let shelf = "s\(random.below(5))"
      context.insert(Shelf(shelf, place: text))
      return [.shelf(shelf, place: text)]
    case 6:
      guard random.once(in: 4), let shelf = shelves.randomElement(using: &random) else { return [] }
      context.delete(shelf)
      return [.deleteShelf(shelf.name)]
    case 7, 8:
      context.insert(Part(text, of: item))
      return [.part(text, of: item.code)]
    case 9:
      let shelf = random.once(in: 3) ? nil : shelves.randomElement(using: &random)
      item.shelf = shelf
      return [.write(.shelf, of: item.code, shelf?.name)]
    case 10, 11:
      (item.title, item.label) = (text, text)
      return [.write(.title, of: item.code, text), .write(.label, of: item.code, text)]
    case 12:
      item.label = text
      return [.write(.label, of: item.code, text)]
    default:
      let more = random.below(20) - 8
      item.count += more
      return [.count(item.code, more)]
    }
  }

  // MARK: - What saves itself

  private mutating func sql(_ context: ModelContext, _ code: String) -> Work {
    let title = "\(name)\(number) by SQL"
    return Work(deeds: [.write(.title, of: code, title), .count(code, 1)]) {
      try context.execute(sql: "UPDATE Item SET title = \(title), count = count + 1 WHERE code = \(code)")
    }
  }

  private mutating func bulk(_ context: ModelContext, _ codes: [String]) -> Work {
    let label = "\(name)\(number) in bulk"
    return Work(deeds: codes.flatMap { [.write(.label, of: $0, label), .count($0, 2)] }) {
      try context.update(
        model: Item.self, where: #Predicate { codes.contains($0.code) }, set: .set(\.label, to: label), \.count += 2)
    }
  }

  private mutating func deletionOfParts(_ context: ModelContext) throws -> Work {
    let codes = try context.fetch(FetchDescriptor<Part>()).map(\.code).filter { _ in random.once(in: 6) }
    return Work(deeds: codes.map { .deletePart($0) }) {
      try context.delete(model: Part.self, where: #Predicate { codes.contains($0.code) })
      try context.save()
    }
  }
}
