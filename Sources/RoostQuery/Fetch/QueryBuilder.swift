package import Foundation
package import RoostCore
package import RoostSQL

/// Makes the `SELECT` of a fetch from its predicate and sort descriptors.
///
/// The rows it selects are those in which the predicate evaluates to true, in the order of the sort descriptors. What
/// SQL cannot say so is an error, thrown by `filter` or `sort`, before anything runs.
package struct QueryBuilder {
  /// The most rows to select, and how many to leave out before them.
  package var limit: Int?
  package var offset: Int?

  let translator: Translator
  let root: RowTerm
  var scope: QueryScope { root.scope }
  private var conditions: [SQLExpression] = []
  var orders: [SQLOrder] = []

  /// A query for all rows of `root`, whose table is named `t0` in it.
  ///
  /// `isPending`: whether the query will be shown changes of a table that are not saved.
  package init(
    root: EntityInfo, store storeIdentifier: String? = nil, tellsValues: Bool = false,
    isPending: @escaping (String) -> Bool = { _ in false },
    entity: @escaping (any PersistentModel.Type) -> EntityInfo?
  ) {
    translator = Translator(
      store: storeIdentifier, tellsValues: tellsValues, isPending: isPending, entity: entity)
    let alias = translator.newAlias()
    translator.usesTables.insert(root.table)
    self.root = RowTerm(
      entity: root, key: .column(alias, primaryKeyColumn), alias: alias, scope: QueryScope(depth: 0))
    if let superentity = root.superentity {
      // The table has the rows of the whole chain of classes.
      var row = self.root
      row.entity = superentity
      conditions.append(translator.isKind(row, of: root))
    }
  }

  /// What a query inside another one reads of a row of its own, such as one that a relationship refers to.
  init(inside translator: Translator, root: RowTerm) { (self.translator, self.root) = (translator, root) }

  /// Keeps the rows that fulfil the predicate. Several predicates must all be fulfilled.
  package mutating func filter<M: PersistentModel>(_ predicate: Predicate<M>) throws {
    let (condition, failure) = try translator.collectingFailures {
      try translator.binding(predicate.variable, to: .row(root)) { try translator.condition(predicate.expression) }
    }
    restrict(.conjunction([condition, .negation(failure)]))
  }

  /// Keeps the rows that fulfil a condition, which names the root table `t0`.
  package mutating func restrict(_ condition: SQLExpression) { conditions.append(condition) }

  /// The entities' tables that the query reads: when one of them changes, so may its result.
  package var usesTables: Set<String> { translator.usesTables }

  /// The columns that decide whether a row is among the results, and where; nil when other rows have a say in that.
  var ownColumns: Set<String>? {
    translator.readsOtherRows || limit != nil || (offset ?? 0) != 0 ? nil : translator.readColumns
  }

  /// The query for columns of the root table.
  package func select(_ columns: [String]) -> SQLSelect {
    var select = select(columns.map { SQLResultColumn(.column("t0", $0)) })
    select.orders = orders
    select.limit = limit
    select.offset = offset
    return select
  }

  /// The query for other columns, without order and bounds.
  func select(_ columns: [SQLResultColumn]) -> SQLSelect {
    var select = base
    select.columns = columns
    return select
  }

  /// The condition that tells the rows in a statement whose only table is the root's, named `t0`; nil for all rows.
  var rowCondition: SQLExpression? {
    scope.joins.isEmpty ? base.filter : .inSelect(root.key, select([primaryKeyColumn]))
  }

  /// What rows must fulfil.
  var condition: SQLExpression { .conjunction(conditions) }

  /// Keeps the rows that fulfil this condition alone, and no other.
  mutating func replaceConditions(by condition: SQLExpression) { conditions = [condition] }

  /// The query for the number of rows, which `limit` and `offset` bound as well.
  package func selectCount() -> SQLSelect {
    var select = base
    if limit == nil && offset == nil {
      select.columns = [SQLResultColumn(.countAll)]
      return select
    }
    select.limit = limit
    select.offset = offset
    return SQLSelect([SQLResultColumn(.countAll)], from: .select(select, alias: "counted"))
  }

  private var base: SQLSelect {
    let condition = SQLExpression.conjunction(conditions)
    var select = SQLSelect(
      from: .table(root.entity.table, alias: "t0"), joins: scope.joins, where: condition == .true ? nil : condition)
    select.tightenJoins()
    select.beginAtRelatedRows()
    select.filter = select.filter?.unnested
    return select
  }
}
