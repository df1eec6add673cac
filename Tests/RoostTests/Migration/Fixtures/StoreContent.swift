import Foundation
import Roost
import RoostCore
import RoostQuery

/// All that the models of a store have, as a fetch gives it.
struct StoreContent: Equatable {
  struct Row: Hashable, Comparable {
    let model: String
    let key: Int64

    static func < (one: Row, other: Row) -> Bool { (one.model, one.key) < (other.model, other.key) }
  }

  /// The properties' values, as JSON; relationships as keys.
  private(set) var rows: [Row: [String: String]] = [:]
  /// What cannot be read, with the property.
  private(set) var unreadable: Set<String> = []

  init(_ context: ModelContext) throws {
    for entity in try context.container.schema.info().entities { try add(entity.type, context) }
  }

  private mutating func add<Model: PersistentModel>(_ type: Model.Type, _ context: ModelContext) throws {
    let models = try context.fetch(FetchDescriptor<Model>()) { error in
      unreadable.insert("\(error.row?.key ?? 0).\(error.property ?? "")")
    }
    for model in models where Swift.type(of: model) == type {
      let id = model.persistentModelID
      rows[Row(model: id.entityName, key: id.key)] = try Self.properties(model)
    }
  }

  private static func properties<Model: PersistentModel>(_ model: Model) throws -> [String: String] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted]
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    var properties: [String: String] = [:]
    var name = ""
    for line in String(decoding: try encoder.encode(model.snapshot()), as: UTF8.self).split(separator: "\n") {
      // Stores differ, and a UUID is another one each time.
      if line.contains("\"storeIdentifier\"") || line.contains("\"uriRepresentation\"") { continue }
      if line.hasPrefix("  \""), let end = line.dropFirst(3).firstIndex(of: "\"") {
        name = String(line.dropFirst(3)[..<end])
      }
      if !["", "token", "persistentIdentifier"].contains(name) {
        properties[name, default: ""] += line.drop { $0 == " " }
      }
    }
    return properties
  }

  /// The rows of some releases, without some properties.
  func of(releases: Int, without lost: Set<String> = []) -> StoreContent {
    var part = self
    part.rows = rows.filter { row, properties in
      // An address is as old as the person that it was made of, whose key it has.
      let owner = row.model == "Address" ? rows[Row(model: "Person", key: row.key)] : properties
      return number(owner?["since"]) <= releases
    }.mapValues { properties in properties.filter { !lost.contains($0.key) } }
    return part
  }

  /// Without what cannot be read.
  var readable: StoreContent {
    var part = self
    part.unreadable = []
    return part
  }

  /// Leaves out rows that cannot be read in another store.
  mutating func remove(unreadableOf other: StoreContent) {
    let keys = Set(other.unreadable.compactMap { Int64($0.prefix { $0 != "." }) })
    rows = rows.filter { row, _ in !(row.model == "Report" && keys.contains(row.key)) }
  }

  private func number(_ text: String?) -> Int { Int((text ?? "").filter(\.isNumber)) ?? 0 }

  /// A line a difference.
  func differences(from other: StoreContent) -> [String] {
    var lines = unreadable.symmetricDifference(other.unreadable).map { "unreadable: \($0)" }.sorted()
    for row in Set(rows.keys).union(other.rows.keys).sorted() {
      let (own, others) = (rows[row] ?? [:], other.rows[row] ?? [:])
      if own.isEmpty != others.isEmpty {
        lines.append("\(row.model) \(row.key) is only in \(own.isEmpty ? "the expected" : "the migrated")")
        continue
      }
      for name in Set(own.keys).union(others.keys).sorted() where own[name] != others[name] {
        lines.append(
          "\(row.model) \(row.key) \(name): \((own[name] ?? "none").prefix(300)) / \((others[name] ?? "none").prefix(300))"
        )
      }
    }
    return lines
  }
}
