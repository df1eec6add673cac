internal import SQLiteLibrary

/// All statements of a connection, by their SQL; also the register of what must be finalized before closing.
struct StatementCache {
  /// How many statements are kept before idle ones are given up.
  static let capacity = 512

  /// The first statement of each SQL; others of the same SQL hang on it by `Statement.next`.
  private var first: [Text: Statement] = [:]
  private var count = 0
  private var clock: UInt64 = 0
  /// Where in `first` the SQL is that was asked for lately, by the address of its text.
  ///
  /// A program asks with the same strings again and again, and to hash one takes longer than many a statement. Emptied
  /// whenever `first` changes.
  private var recent: [Recent?] = []

  private struct Recent {
    let address: UInt
    let index: Dictionary<Text, Statement>.Index
  }

  /// SQL, told apart by its bytes: equal strings may write a character in two ways, which are two texts to SQLite.
  private struct Text: Hashable {
    let sql: String

    init(_ sql: String) { self.sql = sql }

    static func == (left: Text, right: Text) -> Bool {
      let isSame = left.sql.utf8.withContiguousStorageIfAvailable { bytes in
        right.sql.utf8.withContiguousStorageIfAvailable { others in
          // SAFETY: both have that many bytes, and live until this returns.
          bytes.count == others.count
            && (bytes.isEmpty || roost_same_bytes(bytes.baseAddress, others.baseAddress, bytes.count) != 0)
        }
      }
      return (isSame ?? nil) ?? left.sql.utf8.elementsEqual(right.sql.utf8)
    }

    func hash(into hasher: inout Hasher) { hasher.combine(sql) }
  }

  /// A statement for this SQL that nobody holds, ready to bind.
  mutating func take(_ sql: String) -> Statement? {
    guard let index = index(of: sql) else { return nil }
    clock &+= 1
    // Nobody holds a statement exactly if the cache's own reference is the only one.
    if isKnownUniquelyReferenced(&first.values[index]) {
      let statement = first.values[index]
      statement.prepareForReuse(at: clock)
      return statement
    }
    var statement = first.values[index]
    while true {
      let isIdle = isKnownUniquelyReferenced(&statement.next)
      guard let following = statement.next else { return nil }
      if isIdle {
        following.prepareForReuse(at: clock)
        return following
      }
      statement = following
    }
  }

  private mutating func index(of sql: String) -> Dictionary<Text, Statement>.Index? {
    guard let address = Self.address(of: sql) else { return first.index(forKey: Text(sql)) }
    let place = Int(truncatingIfNeeded: (address >> 4) % UInt(Self.recentCount))
    if !recent.isEmpty, let known = recent[place], known.address == address,
      first[known.index].key.sql.utf8.count == sql.utf8.count
    {
      return known.index
    }
    guard let index = first.index(forKey: Text(sql)) else { return nil }
    // Only where the text is the cache's own: that of an equal string may be freed, and its place be another's.
    if Self.address(of: first[index].key.sql) == address {
      if recent.isEmpty { recent = Array(repeating: nil, count: Self.recentCount) }
      recent[place] = Recent(address: address, index: index)
    }
    return index
  }

  private static var recentCount: Int { 64 }

  /// Where a string's text lies; nil for a short one, which has its text inside.
  private static func address(of string: String) -> UInt? {
    if string.utf8.count <= 15 { return nil }
    return string.utf8.withContiguousStorageIfAvailable { UInt(bitPattern: $0.baseAddress) }
  }

  /// Keeps a new statement.
  mutating func add(_ statement: Statement) {
    recent = []
    if count >= Self.capacity {
      let limit = clock &- UInt64(Self.capacity / 2)
      removeIdle { $0.lastUse <= limit }
      // Everything is recent: better to prepare anew than to grow with every SQL ever seen.
      if count >= Self.capacity { removeIdle() }
    }
    clock &+= 1
    statement.lastUse = clock
    statement.next = first[Text(statement.sql)]
    first[Text(statement.sql)] = statement
    count += 1
  }

  /// Gives up statements that nobody holds.
  mutating func removeIdle(where isUnwanted: (Statement) -> Bool = { _ in true }) {
    recent = []
    for sql in Array(first.keys) {
      var chain: [Statement] = []
      var link = first.removeValue(forKey: sql)
      while let statement = link {
        link = statement.next
        statement.next = nil
        chain.append(statement)
      }
      for index in chain.indices {
        if isKnownUniquelyReferenced(&chain[index]), isUnwanted(chain[index]) {
          chain[index].finalize()
          count -= 1
        } else {
          chain[index].next = first[sql]
          first[sql] = chain[index]
        }
      }
    }
  }

  /// Finalizes all statements, held or not.
  mutating func removeAll() {
    visit { $0.finalize() }
    recent = []
    first = [:]
    count = 0
  }

  /// Visits all statements.
  func visit(_ body: (Statement) -> Void) {
    for head in first.values {
      var link: Statement? = head
      while let statement = link {
        body(statement)
        link = statement.next
      }
    }
  }
}
