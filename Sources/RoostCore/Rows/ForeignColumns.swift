package import RoostEngine

/// Where the columns of a program's own query are that models are read from: found by their names.
package struct ForeignColumns {
  let names: [String]
  package let key: Int32
  /// That of the class; any where all rows of the table are of one.
  package let type: Int32
  /// Whether everything that is stored of a model is there.
  let isWhole: Bool

  package init(_ statement: Statement, _ entity: EntityInfo) throws {
    names = (0..<statement.columnCount).map { statement.columnName($0) }
    let needed = entity.columns() + (entity.isInHierarchy ? [entityNameColumn] : [])
    let known = Set(needed)
    var places: [String: Int32] = [:]
    for (place, name) in names.enumerated() where known.contains(name) {
      guard places.updateValue(Int32(place), forKey: name) == nil else {
        throw SwiftDataError(
          .invalidSQL, "The rows have two columns \"\(name)\", so that nobody knows which is \(entity.name)'s.",
          model: entity.name, remedy: "Select the columns of one table: \"\(entity.table)\".*")
      }
    }
    guard let key = places[primaryKeyColumn] else { throw Self.missing(primaryKeyColumn, names, entity) }
    self.key = key
    if entity.isInHierarchy {
      guard let type = places[entityNameColumn] else { throw Self.missing(entityNameColumn, names, entity) }
      self.type = type
    } else {
      type = key
    }
    isWhole = places.count == known.count
  }

  private static func missing(_ column: String, _ names: [String], _ entity: EntityInfo) -> SwiftDataError {
    SwiftDataError(
      .invalidSQL,
      "A row of \(entity.name) needs the column \"\(column)\"; these have \(names.joined(separator: ", ")).",
      model: entity.name, remedy: "Select it: \"\(entity.table)\".\"\(column)\", or all with *.")
  }

  static func noKey(_ entity: EntityInfo) -> SwiftDataError {
    SwiftDataError(
      .invalidSQL, "The column \"\(primaryKeyColumn)\" of a row holds no key of a \(entity.name).", model: entity.name,
      remedy: "Leave such rows out: WHERE \"\(entity.table)\".\"\(primaryKeyColumn)\" IS NOT NULL")
  }

  /// The error for a row of a class that the query was not to find; nil when the schema has no such class.
  static func otherClass(_ name: String, than types: RowTypes, _ entity: EntityInfo) -> SwiftDataError? {
    guard entity.root.selfAndDescendants.contains(where: { $0.name == name }) else { return nil }
    let names = types.byName.keys.sorted()
    let list = names.map { "'\($0)'" }.joined(separator: ", ")
    return SwiftDataError(
      .invalidSQL, "A row is of the class \(name), which is not \(names.joined(separator: " or ")).",
      model: entity.name, remedy: "Leave such rows out: WHERE \"\(entityNameColumn)\" IN (\(list))")
  }
}
