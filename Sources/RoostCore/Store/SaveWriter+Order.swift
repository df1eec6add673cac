import RoostEngine
import RoostSQL

// The order of to-many relationships.
//
// A member without a position of its own stands where its key says, so rows that come in the order they are inserted
// cost nothing. Those that do not get a position between their neighbours', and all others stay as they are.

extension SaveWriter {
  /// Gives positions to the members that do not stand in order by themselves.
  mutating func writeOrder(of list: ChangedList) throws {
    let owner = saved.keys[list.ownerKey]
    let joined = list.joined.map { saved.keys[$0] }
    let members = list.members?.map { saved.keys[$0] }
    let isOwnerNew = owner >= firstKey(of: store.rootOrdinal(list.owner._$state.ordinal))
    let destination = list.relationship.destination.root.ordinal
    let firstNew = firstKey(of: destination)
    // New rows have larger keys than all positions that are there already.
    let candidates = members ?? joined
    if members == nil || isOwnerNew, candidates.allSatisfy({ $0 >= firstNew }), candidates.isAscending { return }
    guard let table = ListTable(list.relationship) else { return }
    if members == nil, !isOwnerNew, case .inverseColumn = list.relationship.storage,
      !saved.withoutIndexes.contains(destination), joined.allSatisfy({ $0 < firstNew }),
      let places = try placesBehindOthers(joined, table, owner)
    {
      return try write(places, table, owner, destination)
    }

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

  /// The positions of members that came from other lists, behind all others; nil for
  /// numbers too large to count on from.
  ///
  /// As if all members were read: the others stay where they are, and those that came have no place here yet.
  private func placesBehindOthers(
    _ joined: [Int64], _ table: ListTable, _ owner: Int64
  ) throws -> [(key: Int64, position: Double)]? {
    guard let last = try lastMember(of: table, owner, but: Set(joined)) else {
      return ListOrder.missingPositions(joined, [:])
    }
    guard last.position.magnitude < 0x1p52 else { return nil }
    return ListOrder.missingPositions([last.key] + joined, [last.key: last.position])
  }

  /// The last member of a list, some left out, and where it stands; nil for none. Read from the ends of two indexes.
  private func lastMember(
    of table: ListTable, _ owner: Int64, but left: Set<Int64>
  ) throws -> (key: Int64, position: Double)? {
    let names = table.quoted
    let members = "SELECT \(names.member), \(names.position) FROM \(names.table) WHERE \(names.owner) = ?"
    let placed = try connection.statement(
      "\(members) AND \(names.position) IS NOT NULL ORDER BY \(names.position) DESC")
    defer { placed.reset() }
    placed.bind(owner, at: 1)
    var last: (key: Int64, position: Double)?
    while last == nil, try placed.step() {
      let key = placed.int64(0)
      if !left.contains(key) { last = placed.storedNumber(1).map { (key: key, position: $0) } }
    }
    // Those without a position of their own.
    let others = try connection.statement("\(members) ORDER BY \(names.member) DESC")
    defer { others.reset() }
    others.bind(owner, at: 1)
    while try others.step() {
      let key = others.int64(0)
      if let last, Double(key) <= last.position { break }
      if left.contains(key) || others.storedNumber(1) != nil { continue }
      last = (key: key, position: Double(key))
      break
    }
    return last
  }

  private func storedPositions(_ table: ListTable, _ owner: Int64) throws -> [Int64: Double] {
    let names = table.quoted
    let statement = try connection.statement(
      "SELECT \(names.member), \(names.position) FROM \(names.table) WHERE \(names.owner) = ?")
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
    let names = table.quoted
    let statement = try connection.statement(
      "UPDATE \(names.table) SET \(names.position) = ? WHERE \(names.owner) = ? AND \(names.member) = ?")
    let place = try keys(of: destination)
    for (key, position) in positions {
      statement.bind(position, at: 1)
      statement.bind(owner, at: 2)
      statement.bind(key, at: 3)
      try statement.run()
      // So that the next new row comes behind it.
      if position > Double(handedOut[place].last), let ceiling = Int64(exactly: position.rounded(.up)) {
        handedOut[place].last = ceiling
      }
    }
  }
}

extension ListTable {
  /// The same names, as SQL has them.
  fileprivate var quoted: (table: String, owner: String, member: String, position: String) {
    (quotedIdentifier(table), quotedIdentifier(owner), quotedIdentifier(member), quotedIdentifier(position))
  }
}
