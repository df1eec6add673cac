import RoostEngine
import RoostSQL

// The order of to-many relationships.
//
// A member without a position of its own stands where its key says, so rows that come in the order they are inserted cost
// nothing. Those that do not get a position between their neighbours', and all others stay as they are.

/// A to-many relationship of one model whose order the store may not have.
struct ChangedList {
  let owner: any PersistentModel
  let index: Int
  let relationship: RelationshipInfo
  let ownerKey: Int64
  /// All members in order; only for a list that was rearranged, or whose owner is new and has been read.
  let members: [Int64]?
  /// Those that came since the last save.
  let joined: [Int64]

  /// Whether what the store has of the list may be asked for.
  var readsStore: Bool { ownerKey > 0 && (members != nil || joined.contains { $0 > 0 }) }
}

extension ContextCore {
  func changedLists(_ changes: SaveChanges) -> [ChangedList] {
    var lists: [ChangedList] = []
    for (index, row) in changes.rows.enumerated() where schema.hasLists[row.ordinal] {
      let model = changes.inserted[index]
      for property in schema.entities[row.ordinal].lists {
        let list = model._$edit(property.index, .collect)
        let joined = list.wasLoaded ? list.keys : model._$edit(property.index, .collectJoined).keys
        if !joined.isEmpty { add(model, property, list.wasLoaded ? joined : nil, joined) }
      }
    }
    for model in changes.updated {
      for property in schema.entities[model._$state.ordinal].lists
      where model._$state.changed.contains(property.index) {
        let list = model._$edit(property.index, .collect)
        let joined = model._$edit(property.index, .collectJoined).keys
        if list.isRearranged || !joined.isEmpty {
          add(model, property, list.isRearranged ? list.keys : nil, joined)
        }
      }
    }
    return lists

    func add(_ model: any PersistentModel, _ property: PropertyInfo, _ members: [Int64]?, _ joined: [Int64]) {
      guard let relationship = property.relationship else { return }
      lists.append(
        ChangedList(
          owner: model, index: property.index, relationship: relationship, ownerKey: model._$state.key,
          members: members, joined: joined))
    }
  }
}

extension SaveWriter {
  /// Gives positions to the members that do not stand in order by themselves.
  mutating func writeOrder(of list: ChangedList) throws {
    let owner = saved.keys[list.ownerKey]
    let joined = list.joined.map { saved.keys[$0] }
    let members = list.members?.map { saved.keys[$0] }
    let isOwnerNew = owner >= firstKeys[store.rootOrdinal(list.owner._$state.ordinal)] ?? .max
    let destination = list.relationship.destination.root.ordinal
    let firstNew = firstKeys[destination] ?? .max
    // New rows have larger keys than all positions that are there already.
    let candidates = members ?? joined
    if members == nil || isOwnerNew, candidates.allSatisfy({ $0 >= firstNew }), candidates.isAscending { return }
    guard let table = ListTable(list.relationship) else { return }

    var positions: [Int64: Double] = [:]
    if isOwnerNew || saved.withoutIndexes.contains(destination) {
      for key in candidates { positions[key] = Double(key) }
    } else {
      positions = try storedPositions(table, owner)
    }
    if case .inverseColumn = list.relationship.storage {
      // A row that comes from another list brings its position there.
      for key in joined where key < firstNew { positions[key] = nil }
    }
    let added = Set(joined)
    let order =
      members
      ?? (positions.filter { !added.contains($0.key) }.sorted { ($0.value, $0.key) < ($1.value, $1.key) }.map(\.key)
        + joined)
    try write(ListOrder.missingPositions(order, positions), table, owner, destination)
  }

  private func storedPositions(_ table: ListTable, _ owner: Int64) throws -> [Int64: Double] {
    let select = SQLSelect(
      [table.member, table.position].map { SQLResultColumn(.column($0)) }, from: .table(table.table),
      where: .binary(.equal, .column(table.owner), .parameter))
    let statement = try connection.statement(SQLitePrinter.print(select).sql)
    defer { statement.reset() }
    statement.bind(owner, at: 1)
    var positions: [Int64: Double] = [:]
    while try statement.step() {
      let key = statement.int64(0)
      positions[key] = statement.storedNumber(1) ?? Double(key)
    }
    return positions
  }

  private mutating func write(
    _ positions: [(key: Int64, position: Double)], _ table: ListTable, _ owner: Int64, _ destination: Int
  ) throws {
    if positions.isEmpty { return }
    let update = SQLUpdate(
      table.table, set: [SQLAssignment(table.position, .parameter)],
      where: .all([
        .binary(.equal, .column(table.owner), .parameter), .binary(.equal, .column(table.member), .parameter),
      ]))
    let statement = try connection.statement(SQLitePrinter.print(update).sql)
    var last = try lastKeys[destination] ?? lastKey(destination)
    for (key, position) in positions {
      statement.bind(position, at: 1)
      statement.bind(owner, at: 2)
      statement.bind(key, at: 3)
      try statement.run()
      // So that the next new row comes behind it.
      if position > Double(last), let ceiling = Int64(exactly: position.rounded(.up)) { last = ceiling }
    }
    lastKeys[destination] = last
  }
}

/// Where the members of a list must be moved to.
enum ListOrder {
  /// Positions for as few members as can be, so that the positions of `order` ascend. `positions`: those that members have.
  static func missingPositions(_ order: [Int64], _ positions: [Int64: Double]) -> [(key: Int64, position: Double)] {
    let staying = longestAscent(order, positions)
    var missing: [(key: Int64, position: Double)] = []
    var previous: Double?
    var start = 0
    for (end, next) in staying.map({ ($0, positions[order[$0]]) }) + [(order.count, nil)] {
      let low = previous
      for (offset, key) in order[start..<end].enumerated() {
        let position = position(offset, of: end - start, between: low, and: next)
        // The gap is used up: new positions for all, behind the old ones.
        guard position > previous ?? -.infinity, position < next ?? .infinity else {
          return renumbered(order, positions)
        }
        missing.append((key, position))
        previous = position
      }
      previous = next
      start = end + 1
    }
    return missing
  }

  private static func position(_ offset: Int, of count: Int, between low: Double?, and high: Double?) -> Double {
    switch (low, high) {
    case (let low?, let high?): low + (high - low) * Double(offset + 1) / Double(count + 1)
    case (let low?, nil): low + Double(offset + 1)
    case (nil, let high?): high - Double(count - offset)
    case (nil, nil): Double(offset + 1)
    }
  }

  private static func renumbered(_ order: [Int64], _ positions: [Int64: Double]) -> [(key: Int64, position: Double)] {
    let last = positions.values.filter { $0 < 0x1p52 }.max() ?? 0
    return order.enumerated().map { ($1, last.rounded(.up) + Double($0 + 1)) }
  }

  /// The indexes of a longest subsequence whose members' positions ascend, by patience sorting.
  ///
  /// Source: M. L. Fredman, "On computing the length of longest increasing subsequences", 1975.
  private static func longestAscent(_ order: [Int64], _ positions: [Int64: Double]) -> [Int] {
    /// For each length, the index of the least last member of an ascent of that length.
    var ends: [Int] = []
    var predecessors = [Int?](repeating: nil, count: order.count)
    for (index, key) in order.enumerated() {
      guard let position = positions[key] else { continue }
      var (low, high) = (0, ends.count)
      while low < high {
        let middle = (low + high) / 2
        let other = order[ends[middle]]
        if (positions[other] ?? 0, other) < (position, key) { low = middle + 1 } else { high = middle }
      }
      predecessors[index] = low > 0 ? ends[low - 1] : nil
      if low == ends.count { ends.append(index) } else { ends[low] = index }
    }
    var ascent: [Int] = []
    var next = ends.last
    while let index = next {
      ascent.append(index)
      next = predecessors[index]
    }
    return ascent.reversed()
  }
}

extension [Int64] {
  fileprivate var isAscending: Bool { zip(self, dropFirst()).allSatisfy { $0 < $1 } }
}
