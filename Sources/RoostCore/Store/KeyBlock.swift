import Logging
package import RoostEngine
import RoostSQL
import Synchronization

/// Keys that a store has taken for rows to come, so that not each save has to write which key was handed out last.
///
/// The file has the block's end: whatever becomes of this process, no key is handed out twice. Closing the store
/// gives back what is left. A block is as large as the number of saves before it, so that few keys are lost
/// where a program ends otherwise.
struct KeyBlock {
  /// The last key that was handed out.
  let last: Int64
  /// The last one of the block, as the file has it.
  let end: Int64
  /// How many keys were taken at once.
  let size: Int64

  /// Whether the table has no larger key, unless somebody has written since the last save.
  var isCurrent = true

  private static var largestSize: Int64 { 64 }

  init(last: Int64, end: Int64, size: Int64) { (self.last, self.end, self.size) = (last, end, size) }

  /// A new block, behind the keys that a save hands out.
  init(after last: Int64, former: KeyBlock?) {
    size = former.map { min(max($0.size * 2, 1), Self.largestSize) } ?? 0
    self.last = last
    end = last > .max - size ? last : last + size
  }
}

extension Store {
  /// Notes the keys that a save handed out.
  func noteKeys(of saved: SavedChanges) {
    keyBlocks.withLock { known in
      // Others wrote before it, perhaps to tables that it did not ask.
      if !saved.isAlone { for root in known.keys { known[root]?.isCurrent = false } }
      for (root, block) in saved.keyBlocks { known[root] = block }
    }
  }

  /// Takes keys for rows that no save writes, within a transaction for writing.
  ///
  /// - Parameters:
  ///   - count: how many; at least 1.
  ///   - root: the class whose rows they are for, at the top of its hierarchy.
  ///   - position: the least number that the keys handed out next must be larger than.
  ///   - connection: the one that writes.
  /// - Returns: the first of them; the others follow it. nil if the table has none left.
  /// - Throws: what the database reports.
  package func takeKeys(
    _ count: Int64, of root: EntityInfo, above position: Int64 = 0, _ connection: Connection
  ) throws -> Int64? {
    let statement = try connection.statement(statements(root).lastKeys)
    defer { statement.reset() }
    statement.bind(root.name, at: 1)
    guard try statement.step() else { return nil }
    // What the file says has been taken is behind the keys that saves of this store have still to hand out.
    let last = max(statement.int64(0), statement.int64(1), position)
    guard last <= .max - count else { return nil }
    statement.reset()
    try storeLastKey(last + count, of: root, connection)
    keyBlocks.withLock { $0[root.ordinal]?.isCurrent = false }
    return last + 1
  }

  func storeLastKey(_ key: Int64, of entity: EntityInfo, _ connection: Connection) throws {
    let statement = try connection.statement("UPDATE _roost_entity SET last_key = ? WHERE name = ?")
    statement.bind(key, at: 1)
    statement.bind(entity.name, at: 2)
    try statement.run()
  }

  /// Gives the keys back that were taken and not handed out, unless somebody else has taken others behind them.
  func returnKeys() {
    // In the midst of somebody else's transaction, a migration's.
    if pool.isShared { return }
    let blocks = keyBlocks.withLock { blocks in
      defer { blocks = [:] }
      return blocks.filter { $0.value.end > $0.value.last }
    }
    if blocks.isEmpty { return }
    do {
      try pool.write { connection in
        try connection.transaction {
          for (ordinal, block) in blocks {
            let statement = try connection.statement(
              "UPDATE _roost_entity SET last_key = ? WHERE name = ? AND last_key = ?")
            statement.bind(block.last, at: 1)
            statement.bind(schema.entities[ordinal].name, at: 2)
            statement.bind(block.end, at: 3)
            try statement.run()
          }
        }
      }
    } catch {
      // They are lost, which is what they would be had the program ended.
      logger.debug("Keys were not given back", metadata: ["error": "\(error)"])
    }
  }
}
