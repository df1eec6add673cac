import SyncMerge
import TestSupport

/// Classes whose rows refer to each other in random ways: which rules they have, what is
/// unique, and what each row must have.
struct RelatedRows {
  typealias Rows = [SyncRowID: SyncFields<SyncValue>]

  private(set) var schema = SyncSchema(entities: [])

  init(_ random: inout SeededRandom) {
    let names = ["A", "B", "C", "D"]
    schema.entities = names.map { name in
      SyncEntity(
        SyncName(name), deletion: random.once(in: 3) ? .editWins : .deletionWins,
        fields: [SyncFieldDefinition(SyncName("name"))], uniqueness: random.once(in: 2) ? [["name"]] : [])
    }
    for number in 0..<3 + random.below(4) {
      let (one, other) = (random.below(names.count), random.below(names.count))
      let rule = random.pick([SyncReference.DeleteRule.nullify, .nullify, .cascade, .deny, .noAction])
      switch random.below(4) {
      case 0:
        // Each of two has the other alone; one side may have to.
        let isRequired = random.once(in: 4)
        add(
          to: one, "a\(number)",
          SyncReference(
            to: names[other], deleteRule: rule, isRequired: isRequired && rule != .noAction, inverse: "b\(number)"))
        add(
          to: other, "b\(number)",
          SyncReference(to: names[one], inverse: "a\(number)", takesAlong: rule == .cascade))
        if isRequired, rule != .noAction {
          schema.entities[one].uniqueness.append(["a\(number)"])
          schema.entities[one].partners = (schema.entities[one].partners ?? []).union(["a\(number)"])
        }
      case 1:
        let listRule = rule == .cascade ? SyncReference.DeleteRule.nullify : rule
        add(
          to: one, "l\(number)",
          SyncReference(to: names[other], deleteRule: listRule, takesAlong: random.once(in: 4)), .set)
      default:
        let isRequired = rule != .noAction && random.once(in: 3)
        add(
          to: one, "r\(number)",
          SyncReference(
            to: names[other], deleteRule: rule, isRequired: isRequired,
            takesAlong: !isRequired && rule == .nullify && random.once(in: 4)))
        if random.once(in: 4) { schema.entities[one].uniqueness.append(["name", "r\(number)"]) }
      }
    }
  }

  private mutating func add(
    to entity: Int, _ name: String, _ reference: SyncReference, _ policy: SyncMergePolicy = .lastWriter
  ) {
    schema.entities[entity].fields.append(
      SyncFieldDefinition(SyncName(name), policy: policy, reference: reference))
  }

  /// The classes of a later program, with other rules, and more that is unique.
  func later(_ random: inout SeededRandom) -> RelatedRows {
    var later = self
    later.schema.version = [2]
    for place in schema.entities.indices {
      if random.once(in: 3) { later.schema.entities[place].deletion = random.once(in: 2) ? .editWins : .deletionWins }
      if random.once(in: 3), !schema.entities[place].uniqueness.contains(["name"]) {
        later.schema.entities[place].uniqueness.append(["name"])
      }
      for (number, field) in schema.entities[place].fields.enumerated() where random.once(in: 2) {
        guard let reference = field.reference, reference.inverse == nil, reference.deleteRule != .noAction,
          field.policy != .set
        else { continue }
        let rule = random.pick([SyncReference.DeleteRule.nullify, .cascade, .deny])
        later.schema.entities[place].fields[number].reference?.deleteRule = rule
        if rule != .nullify { later.schema.entities[place].fields[number].reference?.takesAlong = nil }
      }
    }
    return later
  }

  private func entity(_ number: Int) -> SyncEntity { schema.entities[number - 1] }

  /// The relationships of a class, by the numbers of their fields.
  private func references(of number: Int) -> [(field: Int, reference: SyncReference, isList: Bool)] {
    entity(number).fields.enumerated().compactMap { place, field in
      field.reference.map { (place + 1, $0, field.policy == .set) }
    }
  }

  private func inverse(_ reference: SyncReference) -> Int? {
    guard let name = reference.inverse else { return nil }
    let other = schema.entities.first { $0.name.name == reference.destination }
    return other?.fields.firstIndex { $0.name.name == name }.map { $0 + 1 }
  }

  private func number(of name: String) -> Int { (schema.entities.firstIndex { $0.name.name == name } ?? 0) + 1 }
}

// What a program does, and its device refuses.
extension RelatedRows {
  /// Makes a row with all that it must have. Returns whether it could.
  func insert(_ row: SyncRowID, into rows: inout Rows, _ random: inout SeededRandom) -> Bool {
    var new = rows
    new[row] = [:]
    rename(row, in: &new, &random)
    for (field, reference, _) in references(of: row.entity) where reference.isRequired || random.once(in: 2) {
      if !link(row, field, in: &new, &random), reference.isRequired { return false }
    }
    rows = new
    return true
  }

  func rename(_ row: SyncRowID, in rows: inout Rows, _ random: inout SeededRandom) {
    rows[row]?[1] = .text("n\(random.below(5))")
  }

  /// Whether two rows have what is to be unique, which no store takes.
  func hasDoubles(_ rows: Rows) -> Bool {
    var claims = Set<Claim>()
    return rows.contains { row, values in
      uniqueness(of: row.entity).contains { fields in
        let unique = fields.map { values[$0] ?? .null }
        return !unique.contains(.null)
          && !claims.insert(Claim(entity: row.entity, fields: fields, values: unique)).inserted
      }
    }
  }

  private struct Claim: Hashable {
    let entity: Int
    let fields: [Int]
    let values: [SyncValue]
  }

  /// The numbers of the fields that no two rows have the same values in.
  private func uniqueness(of number: Int) -> [[Int]] {
    let entity = entity(number)
    return entity.uniqueness.map { names in
      names.compactMap { name in entity.fields.firstIndex { $0.name.name == name }.map { $0 + 1 } }
    }
  }

  /// Has a row refer to another one, or to one more, or to one less. Returns whether it could.
  func link(_ row: SyncRowID, in rows: inout Rows, _ random: inout SeededRandom) -> Bool {
    let references = references(of: row.entity)
    return !references.isEmpty && link(row, random.pick(references).field, in: &rows, &random)
  }

  private func link(_ row: SyncRowID, _ field: Int, in rows: inout Rows, _ random: inout SeededRandom) -> Bool {
    guard let (_, reference, isList) = references(of: row.entity).first(where: { $0.field == field }) else {
      return false
    }
    let candidates = rows.keys.filter { $0.entity == number(of: reference.destination) }.sorted()
    let isLetGo = random.once(in: 4) && !reference.isRequired
    guard let other = isLetGo ? nil : candidates.isEmpty ? nil : random.pick(candidates) else {
      if reference.isRequired { return false }
      if isList {
        rows[row]?[field] = .list([])
        return true
      }
      return pair(row, field, nil, reference, in: &rows)
    }
    if isList {
      guard case .list(let elements)? = rows[row]?[field] ?? .list([]) else { return false }
      rows[row]?[field] = .list(
        elements.contains(.row(other)) ? elements.filter { $0 != .row(other) } : elements + [.row(other)])
      return true
    }
    return pair(row, field, other, reference, in: &rows)
  }

  /// Sets a reference, and both sides' where each has the other alone.
  private func pair(
    _ row: SyncRowID, _ field: Int, _ other: SyncRowID?, _ reference: SyncReference, in rows: inout Rows
  ) -> Bool {
    guard let back = inverse(reference) else {
      rows[row]?[field] = other.map { .row($0) } ?? .null
      return true
    }
    var new = rows
    let isBackRequired = entity(number(of: reference.destination)).fields[back - 1].reference?.isRequired ?? false
    if case .row(let former)? = new[row]?[field], former != other, new[former]?[back] == .row(row) {
      if isBackRequired { return false }
      new[former]?[back] = .null
    }
    if let other, case .row(let former)? = new[other]?[back], former != row, new[former]?[field] == .row(other) {
      if reference.isRequired { return false }
      new[former]?[field] = .null
    }
    new[row]?[field] = other.map { .row($0) } ?? .null
    if let other { new[other]?[back] = .row(row) }
    rows = new
    return true
  }

  /// Deletes a row, with what goes with it. Returns whether nothing keeps it.
  func delete(_ row: SyncRowID, from rows: inout Rows) -> Bool {
    var (gone, waiting): (Set<SyncRowID>, [SyncRowID]) = ([row], [row])
    func take(_ row: SyncRowID) { if rows[row] != nil, gone.insert(row).inserted { waiting.append(row) } }
    while let next = waiting.popLast() {
      for (field, reference, _) in references(of: next.entity) where reference.takesAlong == true {
        (rows[next]?[field]?.references ?? []).forEach(take)
      }
      for (other, values) in rows {
        for (field, reference, _) in references(of: other.entity)
        where reference.deleteRule == .cascade && values[field] == .row(next) { take(other) }
      }
    }
    var new = rows.filter { !gone.contains($0.key) }
    for (other, values) in new {
      for (field, reference, _) in references(of: other.entity) where reference.deleteRule != .noAction {
        guard let value = values[field], value.references.contains(where: gone.contains) else { continue }
        if reference.deleteRule.keepsRow(isRequired: reference.isRequired) { return false }
        new[other]?[field] = value.replacing { gone.contains($0) ? .null : nil }
      }
    }
    rows = new
    return true
  }

  /// Whether it is nobody's edit that a field refers to nothing now, as the row that it referred to is gone.
  func isNobodys(_ field: Int, of row: SyncRowID, was former: SyncValue, _ rows: Rows) -> Bool {
    guard case .row(let other) = former, rows[other] == nil,
      let (_, reference, _) = references(of: row.entity).first(where: { $0.field == field })
    else { return false }
    return reference.inverse == nil && reference.deleteRule == .nullify
  }
}

// What must hold, whatever devices sent.
extension RelatedRows {
  /// What is wrong with the rows of a server; nil for nothing.
  func problem(with rows: [SyncRowID: SyncRecord]) -> String? {
    for record in rows.values.sorted(by: { $0.row < $1.row }) where record.deletion == nil {
      let name = Self.name(record.row)
      for (field, reference, isList) in references(of: record.row.entity) {
        let value = record.fields[field]?.value ?? .null
        if reference.isRequired, value == .null { return "\(name) has nothing in \(field)" }
        if isList, Set(value.references).count != value.references.count { return "\(name) has \(value) twice" }
        if reference.deleteRule == .noAction { continue }
        for other in value.references {
          guard let partner = rows[other], partner.deletion == nil else {
            return "\(name) refers to \(Self.name(other)) in \(field), which is gone"
          }
          if let back = inverse(reference), partner.fields[back]?.value != .row(record.row) {
            return
              "\(name) has \(Self.name(other)) in \(field), which has \(String(describing: partner.fields[back]?.value))"
          }
        }
      }
    }
    let present = rows.compactMapValues { $0.deletion == nil ? $0.fields.mapValues(\.value) : nil }
    return hasDoubles(present) ? "two rows have what is unique" : nil
  }

  /// What is wrong with what became of rows that were there before a push; nil for nothing.
  func problem(with rows: [SyncRowID: SyncRecord], after before: [SyncRowID: SyncRecord]) -> String? {
    for (row, record) in rows {
      // One that would go with its owner becomes another one instead.
      let goesAlong = references(of: row.entity).contains { field, reference, _ in
        reference.deleteRule == .cascade && uniqueness(of: row.entity).contains { $0.contains(field) }
      }
      guard !goesAlong, let other = record.deletion?.mergedInto, let former = before[row], former.deletion == nil,
        let taker = before[other], taker.deletion == nil, !areTheSameNow(former, taker, rows)
      else { continue }
      return "\(Self.name(row)) and \(Self.name(other)) were there, and became one"
    }
    return nil
  }

  /// Whether what tells two rows apart became one row, so that both have the same unique values.
  private func areTheSameNow(_ one: SyncRecord, _ other: SyncRecord, _ rows: [SyncRowID: SyncRecord]) -> Bool {
    func values(_ record: SyncRecord, _ fields: [Int]) -> [SyncValue?] { fields.map { record.fields[$0]?.value } }
    func current(_ value: SyncValue?) -> SyncValue? {
      guard case .row(var row)? = value else { return value }
      while let next = rows[row]?.deletion?.mergedInto, next != row { row = next }
      return .row(row)
    }
    return uniqueness(of: one.row.entity).contains { fields in
      let (first, second) = (values(one, fields), values(other, fields))
      return first != second && first.map(current) == second.map(current)
    }
  }

  static func name(_ row: SyncRowID) -> String { "\(["A", "B", "C", "D"][row.entity - 1])\(row.site).\(row.key)" }
}
