package import RoostCore

extension StoreDefinition {
  /// A line a difference, naming model and property: what stores of the two have otherwise.
  package func changes(from old: StoreDefinition) -> [String] {
    var lines = entities.filter { old.entity(named: $0.name) == nil && !isRenamed($0, in: old) }.map {
      "\($0.name): added"
    }
    lines += old.entities.filter { before in
      entity(named: before.name) == nil && !entities.contains { $0.formerName == before.name }
    }.map { "\($0.name): removed" }
    for entity in entities {
      let before = old.entity(named: entity.name)
      if before == nil, let former = entity.formerName, old.entity(named: former) != nil {
        lines.append("\(entity.name): was \(former)")
      }
      guard var before = before ?? entity.formerName.flatMap(old.entity(named:)) else { continue }
      before.name = entity.name
      lines += entity.differences(from: before)
      lines += entity.newRequirements(from: before).map { property, keys in
        "\(entity.name).\(([property] + keys).joined(separator: ".")): may not be missing any more"
      }
      lines += entity.fullTextChanges(from: before)
    }
    return lines
  }

  private func isRenamed(_ entity: EntityDefinition, in old: StoreDefinition) -> Bool {
    entity.formerName.map { old.entity(named: $0) != nil } ?? false
  }
}

extension EntityDefinition {
  fileprivate func fullTextChanges(from old: EntityDefinition) -> [String] {
    let (new, old) = (Set(fullText ?? []), Set(old.fullText ?? []))
    func line(_ index: FullTextDefinition, _ what: String) -> String {
      "\(name): full-text index of \(index.properties.joined(separator: ", ")) (\(index.tokenizer)) \(what)"
    }
    return new.subtracting(old).map { line($0, "added") }.sorted()
      + old.subtracting(new).map { line($0, "removed") }.sorted()
  }
}
