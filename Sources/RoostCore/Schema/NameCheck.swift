/// Finds names that no table or column may have.
enum NameCheck {
  static func problems(in entities: [EntityInfo]) -> [SwiftDataError] {
    duplicateEntities(entities) + reservedEntities(entities) + entities.flatMap(properties)
  }

  private static func duplicateEntities(_ entities: [EntityInfo]) -> [SwiftDataError] {
    var seen: [String: EntityInfo] = [:]
    return entities.compactMap { entity in
      guard let other = seen.updateValue(entity, forKey: entity.name.foldedName) else { return nil }
      return .invalidSchema(
        model: entity.name,
        "Two model types have the same table name: \(String(reflecting: other.type)) and"
          + " \(String(reflecting: entity.type)).",
        remedy: "Rename one. SQL does not tell capitals from small letters, nor where a type is nested.")
    }
  }

  private static func reservedEntities(_ entities: [EntityInfo]) -> [SwiftDataError] {
    entities.compactMap { entity in
      let name = entity.name.foldedName
      guard name.hasPrefix("sqlite_") || name.hasPrefix("_roost_") else { return nil }
      return .invalidSchema(
        model: entity.name, "Tables of such a name are reserved.",
        remedy: "Choose a name that does not begin with \"sqlite_\" or \"_roost_\".")
    }
  }

  private static func properties(of entity: EntityInfo) -> [SwiftDataError] {
    let reserved: Set<String> = [primaryKeyColumn, entityNameColumn]
    var seen: Set<String> = []
    var problems: [SwiftDataError] = []
    for property in entity.properties where property.isStored {
      let name = property.name.foldedName
      if reserved.contains(name) {
        problems.append(
          .invalidSchema(
            model: entity.name, property: property.name, "The column of that name is reserved.",
            remedy: "Choose another name."))
      } else if !seen.insert(name).inserted {
        problems.append(
          .invalidSchema(
            model: entity.name, property: property.name,
            "Another property has the same column name. SQL does not tell capitals from small letters.",
            remedy: "Rename one of the two."))
      }
    }
    return problems
  }
}

extension String {
  /// The name as SQLite compares names: only ASCII letters have no case.
  package var foldedName: String {
    String(decoding: utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
  }
}
