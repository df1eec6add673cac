import RoostCore
import RoostEngine
import SyncMerge

// Members of a list that have the same position, or none.
//
// No device gives a position twice in a list. But lists become one where the rows that they are of do, and a
// member's list and its position there may be from two devices. Members with one position, or without, would
// stand by their keys, which differ between devices. So whoever shows such a list gives one of them the next
// position, or the first one, and sends that. All choose the same member and the same position, and all give way
// to whoever moves it meanwhile.
extension SyncTransaction {
  /// Takes note of a row that was written into a list where another member has its position, or without one.
  ///
  /// `columns`: the row's values.
  func noteTies(of known: KnownRow, _ entity: BoundContract.Entity, _ columns: [SQLValue]) throws {
    for field in entity.fields {
      guard let (positions, position) = positions(field, entity, columns) else { continue }
      let isAlone = try position.map { try positions.member(at: $0, but: known.key) == nil } ?? false
      if !isAlone { tied.insert(known.replica.row) }
    }
  }

  /// Gives each of those that were noted a position of its own.
  func separateTies() throws {
    for row in tied.sorted() {
      guard let entity = contract.byNumber[row.entity] else { continue }
      for (index, field) in entity.fields.enumerated() where field.isPosition {
        if let known = try known(row), known.key > 0 { try move(known, index, entity) { $0 == nil } }
        while let later = try laterTied(row, field, entity) { try move(later, index, entity) }
      }
    }
    (tied, takenPositions) = ([], [:])
  }

  /// Of a row and another member with its position the one with the later identity; nil
  /// where it has its position alone.
  private func laterTied(_ row: SyncRowID, _ field: SyncedField, _ entity: BoundContract.Entity) throws -> KnownRow? {
    guard let known = try known(row), known.key > 0, let stored = try storedRow(known.key, entity),
      case (let positions, let position?)? = positions(field, entity, stored.columns),
      let key = try positions.member(at: position, but: known.key),
      // One that was not noted yet gets a position then.
      let other = try self.known(key, of: entity), !other.isFresh
    else { return nil }
    return other.replica.row < row ? known : other
  }

  /// Gives a row the next position, or one where it has none, if that is to be for the one it has.
  private func move(
    _ known: KnownRow, _ index: Int, _ entity: BoundContract.Entity, where isMoved: (Double?) -> Bool = { _ in true }
  ) throws {
    let field = entity.fields[index]
    guard let row = try storedRow(known.key, entity), let (positions, former) = positions(field, entity, row.columns),
      isMoved(former), let column = field.column
    else { return }
    var known = known
    let members = MemberList(owner: positions.list, column: column)
    let position = try positions.free(
      from: former?.nextUp ?? 0, but: known.key, &takenPositions[members, default: [:]])
    try update(known.key, [column: .real(position)], entity)
    known.seen[entity.numbers[index]] = .real(position)
    known.replica.write(
      .real(position), to: entity.numbers[index], former: former.map { .real($0) } ?? .null, .first(of: state.site),
      seen: try placeSeen(of: entity.numbers[index], known.replica.row))
    known.wait(since: state.transaction)
    try keep(known, entity)
  }

  /// The positions of the list that a row is in by a field, and the row's own there; nil where it is in none.
  ///
  /// `columns`: the row's values.
  private func positions(
    _ field: SyncedField, _ entity: BoundContract.Entity, _ columns: [SQLValue]
  ) -> (ListPositions, Double?)? {
    guard case .position(let column, let owner) = field.kind, let own = entity.sql.indexes[column],
      let other = entity.sql.indexes[owner], case .integer(let list) = columns[other],
      let sql = entity.sql.lists[column]
    else { return nil }
    let positions = ListPositions(of: list, sql, connection)
    if case .real(let position) = columns[own], ListPositions.isPosition(position) { return (positions, position) }
    return (positions, nil)
  }
}
