import Logging
import RoostEngine
import RoostSQL

// An undo gives a model whose deletion was saved the key back that its row had. Until the next save another program may
// have used the key: SQLite gives that of a table's last row to the next one, once it is deleted.
extension ContextCore {
  /// Gives such models temporary keys, as new ones have, where the store has a row with theirs.
  func leaveTakenKeys() throws {
    let restored = pending.all.filter { $0._$state.flags.contains(.inserted) && $0._$state.key > 0 }
    for (ordinal, models) in Dictionary(grouping: restored, by: { store.rootOrdinal($0._$state.ordinal) }) {
      let root = schema.entities[ordinal]
      for key in try source.takenKeys(models.map { $0._$state.key }, of: root) {
        replace(KeyReplacement(former: key, key: TemporaryKeys.next(), root: root))
      }
    }
  }

  /// Gives a model another key, by which all the others and the drafts refer to it from now on.
  private func replace(_ replacement: KeyReplacement) {
    let root = replacement.root
    if let model = existing(ordinal: root.ordinal, key: replacement.former) {
      rekey(&model._$state, to: replacement.key)
    }
    let referrers = schema.entities.flatMap(\.relationships).filter { $0.relationship?.destination.root === root }
    for property in referrers {
      for model in siblings(of: 0, ordinal: property.owner.ordinal, with: property.index, limit: .max) {
        if let image = model._$edit(property.index, .capture).image {
          model._$edit(property.index, .restore(replacement.image(image, root)))
        }
        guard var detachment = model._$state.allDetachments[property.index] else { continue }
        detachment.owner = replacement.key(detachment.owner, root)
        model._$state.noteDetachment(property.index, detachment)
      }
    }
    pending.mapJoinRows { replacement.joinRow($0, schema) }
    undoSteps.replace(replacement, schema)
    context?.forgetOverlay()
    drafts.forEach { $0.replace(replacement) }
  }
}

/// Another key for a model.
struct KeyReplacement {
  let former: Int64
  let key: Int64
  /// Classes share their root's keys.
  let root: EntityInfo

  /// What a key of a model of some class becomes.
  func key(_ known: Int64, _ entity: EntityInfo?) -> Int64 { known == former && entity?.root === root ? key : known }

  func image(_ image: SlotImage, _ destination: EntityInfo?) -> SlotImage { image.mapKeys { key($0, destination) } }

  func joinRow(_ row: JoinRow, _ schema: SchemaInfo) -> JoinRow {
    let table = schema.joinTables.first { $0.name == row.table }
    return row.mapKeys { key($0, $1 == table?.ownerColumn ? table?.owner : table?.destination) }
  }
}

extension Store {
  /// Those of some keys that a table has rows with.
  func existing(_ keys: [Int64], of entity: EntityInfo) throws -> [Int64] {
    try pool.read { try existing(keys, of: entity, $0) }
  }

  /// The same, as a connection sees it within its transaction.
  func existing(_ keys: [Int64], of entity: EntityInfo, _ connection: Connection) throws -> [Int64] {
    let key = SQLExpression.column(primaryKeyColumn)
    let select = SQLitePrinter.print(
      SQLSelect([SQLResultColumn(key)], from: .table(entity.table), where: key.isOne(of: Set(keys).sorted())))
    let statement = try connection.statement(select.sql)
    defer { statement.reset() }
    statement.bind(select.arguments)
    return try statement.keys()
  }
}
