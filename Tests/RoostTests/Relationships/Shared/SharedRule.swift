import Roost

/// What a save may change: the rows that its context's own changes name, and what delete rules reach from there by the
/// rows as they were.
struct SharedRule {
  let intent: SharedIntent
  let before: SharedState
  /// The names of new models by kind: they may update rows that have them.
  let newNames: Set<String>

  init(_ intent: SharedIntent, _ context: ModelContext, before: SharedState) {
    self.intent = intent
    self.before = before
    newNames = Set(
      context.insertedModelsArray.compactMap { model in
        switch model {
        case let model as SharedFolder: "folder \(model.name)"
        case let model as SharedBadge: "badge \(model.name)"
        case let model as SharedFile: "file \(model.name)"
        case let model as SharedTag: "tag \(model.name)"
        default: nil
        }
      })
  }

  /// A change that was not allowed; nil if all were.
  func violation(_ after: SharedState) -> String? {
    let gone = reachable
    for (identifier, row) in before.rows {
      if newNames.contains("\(row.kind) \(row.name)") { continue }
      // Renamed by the same save, it had the name of a new model before that came.
      if let now = after.rows[identifier], intent.renamed.contains(identifier),
        newNames.contains("\(now.kind) \(now.name)")
      {
        continue
      }
      guard let now = after.rows[identifier] else {
        if gone.contains(identifier) { continue }
        return "\(row) is gone, which nothing referred to"
      }
      if now.name != row.name || now.number != row.number, !intent.renamed.contains(identifier) {
        return "\(row) became \(now), which nobody set"
      }
      for property in Set(row.one.keys).union(now.one.keys) where row.one[property] != now.one[property] {
        if !mayChange(identifier, property, from: row.one[property], to: now.one[property], after) {
          return "\(row).\(property) became another, which nobody set"
        }
      }
      for list in ["tags", "attached", "pins"] {
        guard let members = row.many[list], let others = now.many[list] else { continue }
        for member in members.symmetricDifference(others) where after.rows[member] != nil {
          guard let known = before.rows[member], !newNames.contains("\(known.kind) \(known.name)") else { continue }
          if !intent.linked.contains(member) && !intent.linked.contains(identifier) {
            return "\(row).\(list) became others, which nobody set"
          }
        }
      }
    }
    return nil
  }

  private func mayChange(
    _ row: PersistentIdentifier, _ property: String, from old: PersistentIdentifier?, to new: PersistentIdentifier?,
    _ after: SharedState
  ) -> Bool {
    let place = SharedIntent.Place(row: row, property: property)
    if let wanted = intent.set[place] {
      // What is new has another identifier by now, and what is deleted has none.
      if wanted == new || wanted?.isTemporary ?? false || new == nil { return true }
    }
    // A new model that took the row over, or was linked to it.
    if let new, before.rows[new] == nil { return true }
    if let new, let target = before.rows[new], newNames.contains("\(target.kind) \(target.name)") { return true }
    guard new == nil, let old else { return false }
    if after.rows[old] == nil || intent.left[place]?.contains(old) ?? false { return true }
    if let former = before.rows[old], newNames.contains("\(former.kind) \(former.name)") { return true }
    // The partner was given to another, or given another.
    let inverse = ["badge": "holder", "holder": "badge"][property]
    guard let inverse else { return false }
    return intent.set[SharedIntent.Place(row: old, property: inverse)] != nil
      || intent.set.contains { $0.key.property == property && $0.value == old }
  }

  /// What may go with the rows that the program deleted.
  private var reachable: Set<PersistentIdentifier> {
    var found = intent.deleted
    var waiting = Array(found)
    func visit(_ identifier: PersistentIdentifier) {
      if found.insert(identifier).inserted { waiting.append(identifier) }
    }
    while let next = waiting.popLast() {
      for owner in ["parent", "folder"] {
        for (identifier, row) in before.rows where owner == "parent" || row.kind == "page" {
          let target = intent.set[SharedIntent.Place(row: identifier, property: owner)] ?? row.one[owner]
          if target == next { visit(identifier) }
        }
        for (place, target) in intent.set where target == next && place.property == owner {
          if owner == "parent" || place.row.entityName == "SharedPage" { visit(place.row) }
        }
      }
      let cover = intent.set[SharedIntent.Place(row: next, property: "cover")] ?? before.rows[next]?.one["cover"]
      if let cover { visit(cover) }
      for file in (before.rows[next]?.many["attached"] ?? []).union(intent.attached[next] ?? []) { visit(file) }
    }
    return found
  }
}
