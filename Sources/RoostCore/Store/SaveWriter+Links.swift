import RoostEngine
import RoostSQL

// The rows of join tables.
extension SaveWriter {
  /// Adds (true) and removes links: of a table after the other, in the order in which it has them.
  mutating func writeJoinRows(_ joinRows: [JoinRow: Bool]) throws {
    if joinRows.isEmpty { return }
    let hasMerged = saved.rows.contains(where: \.isMerged)
    let byTable = Dictionary(grouping: joinRows) { $0.key.table }
    for table in store.schema.joinTables {
      guard let links = byTable[table.name] else { continue }
      // First those that go: a new model may turn out to be the row that one led to.
      for isLinked in [false, true] {
        let found = links.filter { $0.value == isLinked }.map { link, _ in
          let owner = saved.keys[link.key(in: table.ownerColumn)]
          return (keys: (owner, saved.keys[link.key(in: table.destinationColumn)]), link: link)
        }
        if found.isEmpty { continue }
        let statement = try connection.statement(table.sql(isLinked: isLinked))
        for (keys, link) in found.sorted(by: { $0.keys < $1.keys }) {
          statement.bind(keys.0, at: 1)
          statement.bind(keys.1, at: 2)
          try statement.run()
          if hasMerged, isLinked, !link.isStored, connection.changes == 0 { saved.knownLinks.insert(link) }
        }
      }
    }
  }
}

extension JoinTable {
  /// Parameters: the owner's key, and the other's.
  fileprivate func sql(isLinked: Bool) -> String {
    if isLinked {
      return SQLitePrinter.print(
        SQLInsert(into: name, [ownerColumn, destinationColumn], onConflict: [SQLConflict([], do: .nothing)])
      ).sql
    }
    return SQLitePrinter.print(
      SQLDelete(
        from: name,
        where: .all([
          .binary(.equal, .column(ownerColumn), .parameter), .binary(.equal, .column(destinationColumn), .parameter),
        ]))
    ).sql
  }
}
