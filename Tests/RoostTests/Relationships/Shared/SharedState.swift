import Foundation
import Roost

/// What a context shows of all models, or the store has.
struct SharedState: Equatable {
  struct Row: Equatable, CustomStringConvertible {
    let kind: String
    var name: String
    var number: Int
    /// What to-one relationships refer to.
    var one: [String: PersistentIdentifier] = [:]
    /// The members of lists, whatever their order.
    var many: [String: Set<PersistentIdentifier>] = [:]

    var description: String { "\(kind) \(number) \"\(name)\"" }
  }

  /// By identifier.
  var rows: [PersistentIdentifier: Row] = [:]

  /// Fetches everything.
  init(_ context: ModelContext) throws {
    for model in try context.fetch(FetchDescriptor<SharedFolder>()) {
      var row = Row(kind: "folder", name: model.name, number: model.number)
      row.one = [
        "parent": model.parent?.persistentModelID, "badge": model.badge?.persistentModelID,
        "cover": model.cover?.persistentModelID,
      ].compactMapValues { $0 }
      row.many = ["children": Self.set(model.children), "locks": Self.set(model.locks)]
      row.many["files"] = Self.set(model.files)
      row.many["pages"] = Self.set(model.pages)
      row.many["tags"] = Self.set(model.tags)
      row.many["attached"] = Self.set(model.attached)
      row.many["pins"] = Self.set(model.pins)
      rows[model.persistentModelID] = row
    }
    for model in try context.fetch(FetchDescriptor<SharedBadge>()) {
      var row = Row(kind: "badge", name: model.name, number: model.number)
      row.one["holder"] = model.holder?.persistentModelID
      rows[model.persistentModelID] = row
    }
    for model in try context.fetch(FetchDescriptor<SharedFile>()) {
      var row = Row(kind: "file", name: model.name, number: model.number)
      row.one["folder"] = model.folder?.persistentModelID
      rows[model.persistentModelID] = row
    }
    for model in try context.fetch(FetchDescriptor<SharedTag>()) {
      rows[model.persistentModelID] = Row(
        kind: "tag", name: model.name, number: model.number, many: ["folders": Self.set(model.folders)])
    }
    for model in try context.fetch(FetchDescriptor<SharedLock>()) {
      var row = Row(kind: "lock", name: model.name, number: model.number)
      row.one["folder"] = model.folder?.persistentModelID
      rows[model.persistentModelID] = row
    }
    for model in try context.fetch(FetchDescriptor<SharedPage>()) {
      var row = Row(kind: "page", name: model.name, number: model.number)
      row.one["folder"] = model.folder.persistentModelID
      rows[model.persistentModelID] = row
    }
  }

  private static func set(_ models: [any PersistentModel]) -> Set<PersistentIdentifier> {
    Set(models.map(\.persistentModelID))
  }

  /// The same by numbers, which new models keep when they are saved.
  var byNumber: [Int: String] {
    func text(_ identifier: PersistentIdentifier) -> String { rows[identifier].map { "\($0.number)" } ?? "nothing" }
    let texts = rows.values.map { row in
      let ones = row.one.sorted { $0.key < $1.key }.map { "\($0.key) \(text($0.value))" }
      let many = row.many.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value.map(text).sorted())" }
      return (row.number, "\(row) " + (ones + many).joined(separator: " "))
    }
    // A model that was merged into a row, and inserted again later, gives two rows its number.
    return Dictionary(texts.sorted { $0.1 < $1.1 }, uniquingKeysWith: { "\($0), also \($1)" })
  }

  /// What differs from what should be; nil if nothing does.
  func difference(from expected: SharedState) -> String? {
    let (own, other) = (byNumber, expected.byNumber)
    if own == other { return nil }
    let numbers = Set(own.keys).union(other.keys).sorted().filter { own[$0] != other[$0] }
    return numbers.map { "\(own[$0] ?? "no \($0)"), not \(other[$0] ?? "there")" }.joined(separator: "; ")
  }

  /// How the two sides of a relationship disagree, or what dangles; nil if nothing does.
  ///
  /// `stored`: what the store has. An unsaved reference may be to a row that somebody has deleted since.
  func contradiction(stored: SharedState) -> String? {
    let sides = [("parent", "children"), ("folder", "files"), ("folder", "locks"), ("folder", "pages")]
    for (identifier, row) in rows {
      for target in row.one.values where rows[target] == nil && (self == stored || stored.rows[target] != nil) {
        return "\(row) refers to what is not there"
      }
      for target in row.many.values.joined()
      where rows[target] == nil && (self == stored || stored.rows[target] != nil) {
        return "\(row) lists what is not there"
      }
      for (one, many) in sides {
        for member in row.many[many] ?? [] where rows[member] != nil && rows[member]?.one[one] != identifier {
          return "\(row).\(many) has \(rows[member]?.description ?? ""), whose \(one) is another"
        }
        let kind = ["files": "file", "locks": "lock", "pages": "page", "children": "folder"][many]
        if row.kind == kind, let owner = row.one[one], !(rows[owner]?.many[many]?.contains(identifier) ?? true) {
          return "\(row).\(one) is \(rows[owner]?.description ?? ""), whose \(many) lack it"
        }
      }
      for tag in row.many["tags"] ?? [] where !(rows[tag]?.many["folders"]?.contains(identifier) ?? true) {
        return "\(row) has a tag that lacks it"
      }
      if let badge = row.one["badge"], let other = rows[badge], other.one["holder"] != identifier {
        return "\(row)'s badge has another"
      }
      if let holder = row.one["holder"], let other = rows[holder], other.one["badge"] != identifier {
        return "\(row)'s holder has another"
      }
    }
    return nil
  }
}
