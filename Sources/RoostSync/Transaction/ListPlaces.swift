import RoostEngine
import RoostSQL
import RoostCore

/// The places that the members of a list have.
struct ListPlaces {
  /// What is asked of the members of lists, printed once.
  struct SQL: Sendable {
    /// Parameters: the key of the row whose list it is, a place, and the key of a member that is not meant.
    let member: String
    /// Parameters: the key of the row whose list it is, and a place.
    let former: String
    /// The same.
    let next: String

    /// `owner`: the column that has whose list a member is in; `column`: the one with the places.
    init(_ table: String, _ owner: String, _ column: String) {
      let (table, owner, place) = (quotedIdentifier(table), quotedIdentifier(owner), quotedIdentifier(column))
      let key = quotedIdentifier(primaryKeyColumn)
      member = "SELECT max(\(key)) FROM \(table) WHERE \(owner) = ? AND \(place) = ? AND \(key) <> ?"
      former = "SELECT max(\(place)) FROM \(table) WHERE \(owner) = ? AND \(place) < ?"
      next = "SELECT min(\(place)) FROM \(table) WHERE \(owner) = ? AND \(place) > ?"
    }
  }

  private let sql: SQL
  let list: Int64
  private let connection: Connection

  /// - Parameters:
  ///   - list: the key of the row whose list it is.
  ///   - sql: of the members' class, and of such lists.
  ///   - connection: in a transaction.
  init(of list: Int64, _ sql: SQL, _ connection: Connection) {
    (self.list, self.sql, self.connection) = (list, sql, connection)
  }

  /// Whether a number is a place: others follow it. Of what another program writes few are none.
  static func isPlace(_ number: Double) -> Bool { abs(number) < 0x1p1000 }

  /// The key of another member than one that has a place, the last one of several; nil for none.
  func member(at place: Double, but key: Int64) throws -> Int64? {
    let statement = try connection.statement(sql.member)
    defer { statement.reset() }
    statement.bind(list, at: 1)
    statement.bind(place, at: 2)
    statement.bind(key, at: 3)
    return try statement.step() && !statement.isNull(0) ? statement.int64(0) : nil
  }

  /// The place of the last member in front of one; nil for none.
  func former(before place: Double) throws -> Double? { try neighbour(sql.former, of: place) }

  /// The place of the next member behind one; nil for none.
  func next(behind place: Double) throws -> Double? { try neighbour(sql.next, of: place) }

  private func neighbour(_ sql: String, of place: Double) throws -> Double? {
    let statement = try connection.statement(sql)
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
