import RoostCore
import RoostEngine
import RoostSQL

/// The places that the members of a list have.
struct ListPlaces {
  private let connection: Connection
  private let list: Int64
  private let member: String
  private let next: String

  /// - Parameters:
  ///   - list: the key of the row whose list it is.
  ///   - owner: the column with that key.
  ///   - column: the one with the places.
  ///   - entity: the members' class.
  ///   - connection: in a transaction.
  init(
    of list: Int64, in owner: String, at column: String, of entity: BoundContract.Entity, _ connection: Connection
  ) {
    (self.list, self.connection) = (list, connection)
    let select = SQLSelect(
      [SQLResultColumn(.column(primaryKeyColumn))], from: .table(entity.root.table),
      where: .all([
        .binary(.equal, .column(owner), .parameter), .binary(.equal, .column(column), .parameter),
        .binary(.notEqual, .column(primaryKeyColumn), .parameter),
      ]))
    member = SQLitePrinter.template(select)
    let place = quotedIdentifier(column)
    next = """
      SELECT min(\(place)) FROM \(quotedIdentifier(entity.root.table)) WHERE \(quotedIdentifier(owner)) = ? AND \(place) > ?
      """
  }

  /// The key of another member than one that has a place; nil for none.
  func member(at place: Double, but key: Int64) throws -> Int64? {
    let statement = try connection.statement(member)
    defer { statement.reset() }
    statement.bind(list, at: 1)
    statement.bind(place, at: 2)
    statement.bind(key, at: 3)
    return try statement.step() ? statement.int64(0) : nil
  }

  /// The place of the next member behind one; nil for none.
  func next(behind place: Double) throws -> Double? {
    let statement = try connection.statement(next)
    defer { statement.reset() }
    statement.bind(list, at: 1)
    statement.bind(place, at: 2)
    return try statement.step() && !statement.isNull(0) ? statement.double(0) : nil
  }

  /// The first place from one on that no member has but that with a key.
  func free(from place: Double, but key: Int64) throws -> Double {
    var place = place
    while try member(at: place, but: key) != nil { place = place.nextUp }
    return place
  }
}
