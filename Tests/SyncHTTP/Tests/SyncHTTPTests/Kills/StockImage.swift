import Foundation
import Roost
@testable import RoostEngine
import Stock

/// All that a store has.
struct StockImage {
  struct ItemImage: Equatable {
    var fields: [Deed.Field: String?] = [:]
    var count: Int
    var parts: [String]
  }

  private(set) var shelves: [String: String] = [:]
  private(set) var items: [String: ItemImage] = [:]
  /// What is there twice, or stands for nothing.
  private(set) var oddities: [String] = []

  init(_ store: URL) throws {
    let container = try ModelContainer(for: Schema(stockModels), configurations: ModelConfiguration(url: store))
    let context = ModelContext(container)
    for shelf in try context.fetch(FetchDescriptor<Shelf>()) {
      if shelves.updateValue(shelf.place, forKey: shelf.name) != nil {
        oddities.append("shelf \(shelf.name) is there twice")
      }
    }
    for item in try context.fetch(FetchDescriptor<Item>()) {
      let image = ItemImage(
        fields: [.title: item.title, .label: item.label, .shelf: item.shelf?.name], count: item.count,
        parts: item.parts.map(\.code).sorted())
      if items.updateValue(image, forKey: item.code) != nil { oddities.append("item \(item.code) is there twice") }
    }
    let parts = try context.fetch(FetchDescriptor<Part>()).map(\.code)
    if parts.sorted() != items.values.flatMap(\.parts).sorted() {
      oddities.append("parts are of no item, or there twice")
    }
    try container.close()
  }

  /// How it differs from another; empty if it does not.
  func difference(from other: StockImage) -> String {
    var lines = oddities
    for name in Set(shelves.keys).union(other.shelves.keys).sorted() where shelves[name] != other.shelves[name] {
      lines.append("shelf \(name): \(shelves[name] ?? "-") - \(other.shelves[name] ?? "-")")
    }
    for code in Set(items.keys).union(other.items.keys).sorted() where items[code] != other.items[code] {
      lines.append("item \(code): \(items[code] as Any) - \(other.items[code] as Any)")
    }
    return lines.joined(separator: "\n")
  }

  /// What is wrong with a file of SQLite.
  static func damage(_ file: URL) throws -> [String] {
    let connection = try Connection(ConnectionOptions(location: .file(path: file.path)))
    defer { connection.close() }
    return try connection.strings("PRAGMA integrity_check").filter { $0 != "ok" }
      + connection.strings("SELECT \"table\" || ' ' || rowid FROM pragma_foreign_key_check")
  }
}
