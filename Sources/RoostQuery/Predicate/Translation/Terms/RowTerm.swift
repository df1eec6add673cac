import RoostCore
internal import RoostSQL

/// A model, known by its key; its table is joined when a property is asked for.
struct RowTerm {
  var entity: EntityInfo
  var key: SQLExpression
  /// The key, or NULL where the row is gone whose key a reference has; nil where no reference can dangle.
  var presentKey: SQLExpression?
  /// The name of its table in the query, if it is there already.
  var alias: String?
  /// The query that its table is to be joined in.
  var scope: QueryScope
}

/// The elements of a to-many relationship or of a JSON array.
struct ElementsTerm {
  enum Source {
    case relationship(RelationshipInfo, owner: RowTerm)
    /// `slice`: the positions of those that belong to it, if not all do.
    case json(SQLExpression, element: Any.Type, slice: Range<Int>?)
  }

  var source: Source
  /// Conditions on an element, to be translated inside the query that reads the elements.
  var filters: [(Term) throws -> SQLExpression] = []
}
