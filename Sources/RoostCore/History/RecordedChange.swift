package import RoostSQL

/// A change of one row, as history has it: with the numbers of its entity and its properties.
package struct RecordedChange: Equatable {
  package var entity: Int64
  package var kind: HistoryTables.Kind
  package var key: Int64
  /// The properties that differ; of a deletion those whose values are kept.
  package var fields: [Int64] = []
  /// What these were, in the same order; nil where that was too much to keep, and of lists.
  package var values: [SQLValue]?

  package init(
    entity: Int64, kind: HistoryTables.Kind, key: Int64, fields: [Int64] = [], values: [SQLValue]? = nil
  ) {
    self.entity = entity
    self.kind = kind
    self.key = key
    self.fields = fields
    self.values = values
  }
}
