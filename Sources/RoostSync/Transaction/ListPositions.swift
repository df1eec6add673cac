import RoostEngine
import RoostSQL
import RoostCore

/// Whose list it is, and in which column its members have their positions.
struct MemberList: Hashable {
  let owner: Int64
  let column: String
}

/// The positions that the members of a list have.
struct ListPositions {
  /// What is asked of the members of lists, printed once.
  struct SQL: Sendable {
    /// Parameters: the key of the row whose list it is, a position, and the key of a member that is not meant.
    let member: String
    /// Parameters: the key of the row whose list it is, and a position.
    let former: String
    /// The same.
    let next: String

    /// `owner`: the column that has whose list a member is in; `column`: the one with the positions.
    init(_ table: String, _ owner: String, _ column: String) {
      let (table, owner, position) = (quotedIdentifier(table), quotedIdentifier(owner), quotedIdentifier(column))
      let key = quotedIdentifier(primaryKeyColumn)
      member = "SELECT max(\(key)) FROM \(table) WHERE \(owner) = ? AND \(position) = ? AND \(key) <> ?"
      former = "SELECT max(\(position)) FROM \(table) WHERE \(owner) = ? AND \(position) < ?"
      next = "SELECT min(\(position)) FROM \(table) WHERE \(owner) = ? AND \(position) > ?"
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

  /// Whether a number can be a position: others must fit behind it. Another program may have written one that cannot.
  static func isPosition(_ number: Double) -> Bool { abs(number) < 0x1p1000 }

  /// The key of another member than one that has a position, the last one of several; nil for none.
  func member(at position: Double, but key: Int64) throws -> Int64? {
    let statement = try connection.statement(sql.member)
    defer { statement.reset() }
    statement.bind(list, at: 1)
    statement.bind(position, at: 2)
    statement.bind(key, at: 3)
    return try statement.step() && !statement.isNull(0) ? statement.int64(0) : nil
  }

  /// The position of the last member in front of one; nil for none.
  func former(before position: Double) throws -> Double? { try neighbour(sql.former, of: position) }

  /// The position of the next member behind one; nil for none.
  func next(behind position: Double) throws -> Double? { try neighbour(sql.next, of: position) }

  private func neighbour(_ sql: String, of position: Double) throws -> Double? {
    let statement = try connection.statement(sql)
    defer { statement.reset() }
    statement.bind(list, at: 1)
    statement.bind(position, at: 2)
    return try statement.step() && !statement.isNull(0) ? statement.double(0) : nil
  }

  /// The first position, starting at `position`, that no other member has.
  ///
  /// `taken`: behind positions that were found to be taken, where to look; with the one that is returned. Any number of
  /// members may have one position, and each is to pass those before it once.
  func free(from position: Double, but key: Int64, _ taken: inout [Double: Double]) throws -> Double {
    var (free, passed) = (position, [Double]())
    while true {
      if let next = taken[free] {
        passed.append(free)
        free = next
      } else if try member(at: free, but: key) != nil {
        passed.append(free)
        free = free.nextUp
      } else {
        break
      }
    }
    for each in passed + [free] { taken[each] = free.nextUp }
    return free
  }
}
