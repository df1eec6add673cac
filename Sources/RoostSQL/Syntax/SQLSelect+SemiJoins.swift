extension SQLSelect {
  /// Makes `key IN (SELECT …)` of `EXISTS (SELECT … WHERE … = key)` where that query says at which rows to begin, and
  /// this one does not.
  ///
  /// SQLite runs what `EXISTS` is about for each row, and what `IN` is about once; it may even begin there.
  package mutating func beginAtRelatedRows() {
    guard var conditions = filter?.conjuncts, !conditions.contains(where: \.isSelective) else { return }
    for index in conditions.indices {
      if case .exists(let select) = conditions[index], let semiJoin = select.semiJoin { conditions[index] = semiJoin }
    }
    filter = conditions.count == 1 ? conditions[0] : .all(conditions)
  }

  /// The same as that there are such rows, but for NULL in place of false; nil when `EXISTS` is as well.
  private var semiJoin: SQLExpression? {
    guard columns.isEmpty, with.isEmpty, compounds.isEmpty, groups.isEmpty, limit == nil, offset == nil,
      case .table(let name, let alias) = from, var conditions = filter?.conjuncts
    else { return nil }
    let own = aliases
    let others = joins.compactMap { $0.kind == .inner ? $0.table.alias : nil }
    guard conditions.contains(where: { $0.isSelective(in: others) }),
      let index = conditions.firstIndex(where: { $0.key(in: alias ?? name, outside: own) != nil }),
      case .binary(_, let column, let key) = conditions.remove(at: index)
    else { return nil }
    var select = self
    select.columns = [SQLResultColumn(column)]
    select.filter = .all(conditions)
    return select.isClosed ? .inSelect(key, select) : nil
  }

  /// Whether it reads the columns of its own tables alone, so that it has the same rows wherever it stands.
  private var isClosed: Bool {
    let all = selfAndInner
    let known = all.flatMap(\.aliases)
    return all.flatMap(\.expressions).flatMap(\.selfAndOperands).allSatisfy {
      if case .column(let table, _) = $0 { table.map(known.contains) ?? false } else { true }
    }
  }

  private var aliases: [String] { ([from].compactMap { $0 } + joins.map(\.table)).compactMap(\.alias) }
}

extension SQLTable {
  /// The name that its columns have in front of them.
  fileprivate var alias: String? {
    switch self {
    case .table(let name, let alias): alias ?? name
    case .select(_, let alias): alias
    case .function(_, _, let alias): alias
    }
  }
}

extension SQLExpression {
  fileprivate var conjuncts: [SQLExpression] {
    if case .all(let operands) = self { operands.flatMap(\.conjuncts) } else { [self] }
  }

  /// Whether it asks a column for certain values.
  fileprivate var isSelective: Bool {
    switch self {
    case .binary(.equal, .column, .value), .binary(.is, .column, .value), .binary(.less, .column, .value),
      .binary(.lessOrEqual, .column, .value), .binary(.greater, .column, .value),
      .binary(.greaterOrEqual, .column, .value), .between(.column, .value, .value), .inList(.column, _), .inSelect:
      true
    default: false
    }
  }

  /// Whether it asks a column of some tables for few values, or any column for those that another query begins at.
  fileprivate func isSelective(in tables: [String]) -> Bool {
    switch self {
    case .binary(.equal, .column(let table?, _), .value), .inList(.column(let table?, _), _): tables.contains(table)
    case .inSelect(.column, _): true
    default: false
    }
  }

  /// What a column of a table is to be equal to, if that is a column of none of these.
  fileprivate func key(in table: String, outside aliases: [String]) -> SQLExpression? {
    guard case .binary(.equal, .column(table, _), let key) = self, case .column(let other?, _) = key,
      !aliases.contains(other)
    else { return nil }
    return key
  }
}
