import Foundation
import RoostCore
import RoostEngine
import RoostSQL
import SyncMerge

// One row of the server's.
extension SyncTransaction {
  /// Writes a row as the device shows it: what differs of one that is there, or a new one.
  ///
  /// `isFirst`: whether the server says of all of the row what it is, as it was not known by this identity before.
  func write(
    _ record: SyncRecord, _ known: inout KnownRow, _ entity: BoundContract.Entity, isFirst: Bool = false
  ) throws {
    let stored = known.isNew ? nil : try storedRow(known.key, entity)
    let type = className(of: record, entity)
    func unwritten(_ field: SyncedField) -> SyncValue? {
      guard isFirst, stored != nil, !field.differsByRow else { return nil }
      return isKind(type, of: field.property.owner, entity) ? field.unwritten : .null
    }
    // nil: as it is.
    var columns = [SQLValue?](repeating: nil, count: entity.sql.columns.count)
    var links: [(SyncedField, [SyncRowID])] = []
    for (index, field) in entity.fields.enumerated() {
      let number = entity.numbers[index]
      let noted = record.fields[number]?.value ?? unwritten(field)
      guard let value = noted ?? unwrittenStandIn(for: field, known, number, isNew: stored == nil),
        // This device's own, which its row has.
        value != .tooLarge
      else { continue }
      if field.isNotedAsSeen {
        known.seen[number] = value == .null ? nil : value
      } else {
        noteStandIn(for: value, index, of: &known, type, entity)
      }
      if case .links = field.kind {
        links.append((field, value.references))
      } else if let column = entity.columns[index] {
        let wanted = try self.column(value, field) ?? .null
        if let former = stored?.columns[column] {
          // A file has one value for ever: one that says the same stays. One that cannot be read is replaced.
          if field.fileType != nil, (try? self.value(of: field, former)) == value { continue }
          release(former, field)
        }
        columns[column] = try placed(wanted, field)
        if case .position = field.kind, case .real(let position) = value { try raiseKeys(above: position, entity) }
      }
    }
    fill(&columns, type, isNew: stored == nil, entity)
    if stored == nil || isFirst { try noteDefaults(of: &known, record, entity) { columns[$0] ?? stored?.columns[$0] } }
    if let stored {
      var changed: [String: SQLValue] = [:]
      for case (let index, let value?) in columns.enumerated() where !value.isSame(as: stored.columns[index]) {
        changed[entity.sql.columns[index]] = value
      }
      // A row that became another one is of that one's class.
      if let type, let former = stored.type, type != former, record.fields[SyncNumbers.classField] != nil {
        changed[entityNameColumn] = .text(type)
      }
      try update(known.key, changed, entity)
    } else {
      try insert(known.key, columns, type, entity)
    }
    for (field, rows) in links { try write(rows, in: field, of: known.key) }
    try keepShown(known, entity)
    if entity.sql.lists.isEmpty { return }
    try noteTies(of: known, entity, columns.enumerated().map { $1 ?? stored?.columns[$0] ?? .null })
  }

  /// Notes the defaults of this device that others would have otherwise, of a row whose
  /// program did not know the property.
  ///
  /// `value`: what a column has.
  private func noteDefaults(
    of known: inout KnownRow, _ record: SyncRecord, _ entity: BoundContract.Entity, _ value: (Int) -> SQLValue?
  ) throws {
    for index in entity.differing where record.fields[entity.numbers[index]] == nil {
      guard let stored = entity.columns[index].flatMap(value), stored != .null,
        let computed = try self.value(of: entity.fields[index], stored)
      else { continue }
      known.replica.compute(computed, of: entity.numbers[index], .first(of: state.site))
    }
  }

  /// What a column has for a value; nil for what it cannot have.
  func column(_ value: SyncValue, _ field: SyncedField) throws -> SQLValue? {
    if field.isReference {
      // Of what another program has as a list the first that is here.
      return try value.references.compactMap(known).map(\.key).first { $0 > 0 }.map { .integer($0) }
    }
    return field.column(value)
  }

  /// Gives a column a value that must have one: the program that made the row may not have known it.
  private func fill(_ columns: inout [SQLValue?], _ type: String?, isNew: Bool, _ entity: BoundContract.Entity) {
    for (column, (property, owner)) in entity.sql.properties.enumerated() {
      guard case .attribute(let codec) = property.kind else { continue }
      if columns[column] == nil {
        // A value that the row has stays.
        guard isNew else { continue }
        columns[column] = isKind(type, of: owner, entity) ? StoredDefault.value(property, codec) ?? .null : .null
      }
      guard columns[column] == .some(.null), !property.isOptional, isKind(type, of: owner, entity) else { continue }
      columns[column] = property.standIn(codec) ?? .null
    }
  }

  func isKind(_ type: String?, of owner: EntityInfo, _ entity: BoundContract.Entity) -> Bool {
    guard let type, owner.superentity != nil else { return true }
    return entity.synced.classes.first { $0.name == type }?.isKind(of: owner) ?? false
  }

  private func insert(
    _ key: Int64, _ columns: [SQLValue?], _ type: String?, _ entity: BoundContract.Entity
  ) throws {
    let statement = try connection.statement(entity.sql.insert)
    statement.bind(key, at: 1)
    var next: Int32 = 2
    if entity.sql.hasTypes {
      statement.bind(type ?? entity.root.name, at: 2)
      next += 1
    }
    for value in columns {
      statement.bind(value ?? .null, at: next)
      next += 1
    }
    try statement.run()
    written.insert(entity.root.table)
  }

  func update(_ key: Int64, _ columns: [String: SQLValue], _ entity: BoundContract.Entity) throws {
    if columns.isEmpty { return }
    let names = columns.keys.sorted()
    let statement = try connection.statement(entity.sql.update(names))
    for (place, name) in names.enumerated() { statement.bind(columns[name] ?? .null, at: Int32(place + 1)) }
    statement.bind(key, at: Int32(names.count + 1))
    try statement.run()
    written.insert(entity.root.table)
  }

  /// Makes the rows of a list those of the server's, in its order.
  private func write(_ rows: [SyncRowID], in field: SyncedField, of key: Int64) throws {
    guard case .links(let join, _) = field.kind else { return }
    var (wanted, isWanted): ([Int64], Set<Int64>) = ([], [])
    for row in rows {
      if let other = try known(row)?.key, other > 0, isWanted.insert(other).inserted { wanted.append(other) }
    }
    let present = try linkedKeys(join, key)
    if present == wanted { return }
    let (own, other) = (join.ownerColumn, join.destinationColumn)
    let isLink = SQLExpression.all([
      .binary(.equal, .column(own), .parameter), .binary(.equal, .column(other), .parameter),
    ])
    let isPresent = Set(present)
    for gone in isPresent.subtracting(wanted) {
      try run(SQLitePrinter.print(SQLDelete(from: join.name, where: isLink)).sql, [.integer(key), .integer(gone)])
    }
    for new in wanted where !isPresent.contains(new) {
      try run(
        SQLitePrinter.template(SQLInsert(into: join.name, [own, other], .rows([[.parameter, .parameter]]))),
        [.integer(key), .integer(new)])
    }
    if try linkedKeys(join, key) != wanted {
      let position = positionColumnName(of: other)
      let update = SQLUpdate(join.name, set: [SQLAssignment(position, .parameter)], where: isLink)
      for (place, linked) in wanted.enumerated() {
        try run(SQLitePrinter.template(update), [.real(Double(place + 1)), .integer(key), .integer(linked)])
      }
    }
    written.insert(join.name)
  }

  private func run(_ sql: String, _ values: [SQLValue]) throws {
    let statement = try connection.statement(sql)
    statement.bind(values)
    try statement.run()
  }

  /// Has new rows come behind a position in a list: they stand by their keys.
  private func raiseKeys(above position: Double, _ entity: BoundContract.Entity) throws {
    guard let ceiling = Int64(exactly: position.rounded(.up)), ceiling > raised[entity.root.ordinal] ?? 0 else {
      return
    }
    raised[entity.root.ordinal] = ceiling
    _ = try store.takeKeys(1, of: entity.root, above: ceiling, connection)
  }
}

extension SQLValue {
  /// Whether SQLite has the same for both: texts are the same where their bytes are.
  fileprivate func isSame(as other: SQLValue) -> Bool {
    if case .text(let left) = self, case .text(let right) = other { return SyncValue.text(left) == .text(right) }
    return self == other
  }
}
