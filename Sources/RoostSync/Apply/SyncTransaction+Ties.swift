import RoostCore
import RoostEngine
import SyncMerge

// Members of a list that have the same place, or none.
//
// No device gives a place twice in a list. But lists become one where the rows that they are of do, and a member's list and its
// place there may be from two devices. Members with one place, or without, would stand by their keys, which differ between
// devices. So whoever shows such a list gives one of them the next place, or the first one, and sends that. All choose the same
// member and the same place, and all give way to whoever moves it meanwhile.
extension SyncTransaction {
  /// Takes note of a row that was written into a list where another member has its place, or without one.
  ///
  /// `columns`: the row's values.
  func noteTies(of known: KnownRow, _ entity: BoundContract.Entity, _ columns: [SQLValue]) throws {
    for field in entity.fields {
      guard let (places, place) = places(field, entity, columns) else { continue }
      let isAlone = try place.map { try places.member(at: $0, but: known.key) == nil } ?? false
      if !isAlone { tied.insert(known.replica.row) }
    }
  }

  /// Members of a list with one place; nil for those without.
  struct Tie: Hashable {
    let list: Int64
    let column: String
    let former: Double?
  }

  /// Gives each of those that were noted a place of its own.
  func separateTies() throws {
    for row in tied.sorted() {
      guard let entity = contract.byNumber[row.entity] else { continue }
      for (index, field) in entity.fields.enumerated() where field.isPosition {
        if let known = try known(row), known.key > 0 { try move(known, index, entity) { $0 == nil } }
        while let later = try laterTied(row, field, entity) { try move(later, index, entity) }
      }
    }
    (tied, freePlaces) = ([], [:])
  }

  /// Of a row and another member with its place the one with the later identity; nil where it has its place alone.
  private func laterTied(_ row: SyncRowID, _ field: SyncedField, _ entity: BoundContract.Entity) throws -> KnownRow? {
    guard let known = try known(row), known.key > 0, let stored = try storedRow(known.key, entity),
      case (let places, let place?)? = places(field, entity, stored.columns),
      let key = try places.member(at: place, but: known.key),
      // One that was not noted yet gets a place then.
      let other = try self.known(key, of: entity), !other.isFresh
    else { return nil }
    return other.replica.row < row ? known : other
  }

  /// Gives a row the next place, or one where it has none, if that is to be for the one it has.
  private func move(
    _ known: KnownRow, _ index: Int, _ entity: BoundContract.Entity, where isMoved: (Double?) -> Bool = { _ in true }
  ) throws {
    let field = entity.fields[index]
    guard let row = try storedRow(known.key, entity), let (places, former) = places(field, entity, row.columns),
      isMoved(former), let column = field.column
    else { return }
    var known = known
    // Behind the last one that was given in its place: there may be any number of them.
    let tie = Tie(list: places.list, column: column, former: former)
    let place = try places.free(from: freePlaces[tie] ?? former?.nextUp ?? 0, but: known.key)
    freePlaces[tie] = place.nextUp
    try update(known.key, [column: .real(place)], entity)
    known.seen[entity.numbers[index]] = .real(place)
    known.replica.write(
      .real(place), to: entity.numbers[index], former: former.map { .real($0) } ?? .null, .first(of: state.site))
    if known.turn == nil { known.turn = state.transaction }
    try keep(known, entity)
  }

  /// The places of the list that a row is in by a field, and the row's own there; nil where it is in none.
  ///
  /// `columns`: the row's values.
  private func places(
    _ field: SyncedField, _ entity: BoundContract.Entity, _ columns: [SQLValue]
  ) -> (ListPlaces, Double?)? {
    guard case .position(let column, let owner) = field.kind, let own = entity.sql.places[column],
      let other = entity.sql.places[owner], case .integer(let list) = columns[other], let sql = entity.sql.lists[column]
    else { return nil }
    let places = ListPlaces(of: list, sql, connection)
    if case .real(let place) = columns[own], ListPlaces.isPlace(place) { return (places, place) }
    return (places, nil)
  }
}
