import RoostEngine
import Synchronization

/// The keys that a save hands out to rows of one root's table: subclasses share it.
struct HandedOutKeys {
  /// The root's ordinal.
  let root: Int
  /// What an earlier save took for this one.
  let block: KeyBlock?
  var last: Int64
  /// nil while no row was given one.
  var first: Int64?
}

extension SaveWriter {
  /// Hands out keys in the order of insertion, from where the entity's last ones ended.
  mutating func assignKeys() throws {
    var entity: EntityInfo?
    var place = 0
    for index in saved.rows.indices {
      let ordinal = saved.rows[index].ordinal
      if entity?.ordinal != ordinal {
        entity = store.schema.entities[ordinal]
        place = try keys(of: store.rootOrdinal(ordinal))
        if handedOut[place].first == nil { handedOut[place].first = try key(after: handedOut[place].last, entity) }
      }
      if saved.rows[index].isRestored {
        saved.rows[index].key = saved.rows[index].temporaryKey
        continue
      }
      let next = try key(after: handedOut[place].last, entity)
      handedOut[place].last = next
      saved.rows[index].key = next
      if entity?.isReferenced ?? false { saved.keys.add(next, for: saved.rows[index].temporaryKey) }
    }
  }

  private func key(after last: Int64, _ entity: EntityInfo?) throws -> Int64 {
    if last < .max { return last + 1 }
    throw SwiftDataError.validation(
      model: entity?.name ?? "", property: nil, row: nil, "The table has no keys left: its largest is \(last).",
      remedy: "Look for a row with a \(primaryKeyColumn) that another program gave it, and give it a smaller one.")
  }

  /// The first key given to a new row, by the root's ordinal; larger than all keys where none was.
  func firstKey(of root: Int) -> Int64 { handedOut.first { $0.root == root }?.first ?? .max }

  /// The place in `handedOut` of a root's keys, which are looked up the first time.
  mutating func keys(of root: Int) throws -> Int {
    if let place = handedOut.firstIndex(where: { $0.root == root }) { return place }
    handedOut.append(try lastKeys(of: root))
    return handedOut.count - 1
  }

  /// The larger of what Roost handed out and what the table has: other programs insert rows too.
  private func lastKeys(of root: Int) throws -> HandedOutKeys {
    let block = store.keyBlocks.withLock { $0[root] }
    // Nobody has written since.
    if let block, block.isCurrent, saved.isAlone {
      return HandedOutKeys(root: root, block: block, last: block.last)
    }
    let entity = store.schema.entities[root]
    let statement = try connection.statement(store.statements(entity).lastKeys)
    defer { statement.reset() }
    statement.bind(entity.name, at: 1)
    guard try statement.step() else { return HandedOutKeys(root: root, block: nil, last: 0) }
    let (stored, largest) = (statement.int64(0), statement.int64(1))
    // A block is this store's own as long as nobody has written another end.
    guard let block, block.end == stored else {
      return HandedOutKeys(root: root, block: nil, last: max(stored, largest))
    }
    return HandedOutKeys(root: root, block: block, last: max(block.last, largest))
  }

  mutating func storeLastKeys() throws {
    for keys in handedOut {
      let block: KeyBlock
      if let former = keys.block, keys.last <= former.end {
        block = KeyBlock(last: keys.last, end: former.end, size: former.size)
      } else {
        block = KeyBlock(after: keys.last, former: store.keyBlocks.withLock { $0[keys.root] })
        try store.storeLastKey(block.end, of: store.schema.entities[keys.root], connection)
      }
      saved.keyBlocks.append((keys.root, block))
    }
  }
}
