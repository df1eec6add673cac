import RoostCore
import SyncMerge

/// What classes and properties were called in the versions of a program before, as its migration plan has them.
///
/// A program says of a property what it was called in the version before. That does not help a server that knows an
/// older version alone, as no device of a user had the one between.
struct FormerNames {
  /// So many of each are sent.
  static let mostNames = 16
  /// By the class's name now, the last first.
  private var classes: [String: [String]] = [:]
  /// By the name of the hierarchy's root and what the server knows a property by, the last first.
  private var fields: [String: [String: [String]]] = [:]
  private var last: SchemaInfo?

  /// - Parameter versions: the program's schemas, the oldest first, and its present one as the last.
  init(_ versions: [SchemaInfo]) { for version in versions { add(version) } }

  private mutating func add(_ info: SchemaInfo) {
    let (former, formerClasses, formerFields) = (last?.entities ?? [], classes, fields)
    (classes, fields, last) = ([:], [:], info)
    for (index, match) in NameMatch.pairs(info.entities, former) {
      let (entity, was) = (info.entities[index], former[match])
      classes[entity.name] = Self.names(was.name, before: entity.name, formerClasses[was.name])
      let (own, formerOwn) = (Array(entity.ownProperties), Array(was.ownProperties))
      for (index, match) in NameMatch.pairs(own, formerOwn) {
        let name = SyncedField.name(of: own[index], in: entity).name
        let formerName = SyncedField.name(of: formerOwn[match], in: was).name
        fields[entity.root.name, default: [:]][name] =
          Self.names(formerName, before: name, formerFields[was.root.name]?[formerName])
      }
    }
  }

  private static func names(_ former: String, before name: String, _ earlier: [String]?) -> [String] {
    // It may have had its present name before.
    Array(([former] + (earlier ?? [])).filter { $0 != name }.prefix(mostNames))
  }

  /// Adds them to what a server is told, besides what properties say themselves.
  func add(to entity: inout SyncEntity) {
    let fields = fields[entity.name.name] ?? [:]
    add(classes[entity.name.name], to: &entity.name)
    for index in entity.classes.indices { add(classes[entity.classes[index].name], to: &entity.classes[index]) }
    for index in entity.fields.indices {
      add(former(entity.fields[index].name.name, in: fields), to: &entity.fields[index].name)
      if var other = entity.fields[index].otherSide {
        add(self.fields[other.entity]?[other.name.name], to: &other.name)
        entity.fields[index].otherSide = other
      }
    }
  }

  /// Those of a field, or of a place in a list, which has the name of its relationship with a suffix.
  private func former(_ name: String, in fields: [String: [String]]) -> [String]? {
    let suffix = SyncedField.positionSuffix
    if let own = fields[name] { return own }
    return name.hasSuffix(suffix) ? fields[String(name.dropLast(suffix.count))]?.map { $0 + suffix } : nil
  }

  private func add(_ former: [String]?, to name: inout SyncName) {
    let earlier = (former ?? []).filter { $0 != name.originalName }
    name.earlierNames = earlier.isEmpty ? nil : earlier
  }
}

extension EntityInfo: Renamable {
  package var formerName: String? { originalName == name ? nil : originalName }
}

extension PropertyInfo: Renamable {
  package var formerName: String? { originalName == name ? nil : originalName }
}
