/// The rules and relationships of the classes that a push was asked of: a class may have had thousands
/// of fields, and each edit asks.
final class KnownRules {
  private let registry: SyncRegistry
  private var rules: [Int: SyncRules] = [:]
  private var references: [Int: [Int: SyncRegistry.Reference]] = [:]

  init(_ registry: SyncRegistry) { self.registry = registry }

  func rules(of entity: Int) -> SyncRules {
    if let known = rules[entity] { return known }
    let found = registry.rules(of: entity)
    rules[entity] = found
    return found
  }

  func references(of entity: Int) -> [Int: SyncRegistry.Reference] {
    if let known = references[entity] { return known }
    let found = registry.references(of: entity)
    references[entity] = found
    return found
  }
}
