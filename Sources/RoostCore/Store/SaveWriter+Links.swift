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
        let keys = links.filter { $0.value == isLinked }.map { link, _ in
          (saved.keys[link.key(in: table.ownerColumn)], saved.keys[link.key(in: table.destinationColumn)])
        }
        if keys.isEmpty { continue }
        var known: Set<JoinRow> = []
        let statement = try connection.statement(table.sql(isLinked: isLinked))
        for (owner, member) in keys.sorted(by: { $0 < $1 }) {
          statement.bind(owner, at: 1)
          statement.bind(member, at: 2)
          try statement.run()
          if hasMerged, isLinked, connection.changes == 0 { known.insert(table.row(owner, member)) }
        }
        if known.isEmpty { continue }
        saved.knownLinks.formUnion(links.map(\.key).filter { !$0.isStored && known.contains($0.with(saved.keys)) })
      }
    }
  }
}

extension JoinTable {
  fileprivate func row(_ owner: Int64, _ member: Int64) -> JoinRow {
    JoinRow(table: name, columns: (ownerColumn, destinationColumn), keys: (owner, member))
  }

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
