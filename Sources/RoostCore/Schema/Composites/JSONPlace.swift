package import RoostSQL

/// A place in a JSON text.
package struct JSONPlace {
  /// The whole text: a column, mostly.
  package let text: SQLExpression
  /// An SQL value that is a path, which the steps go on from.
  package var start: SQLExpression?
  package var steps: [SQLJSONStep] = []
  /// The keys that indexes of the column are about.
  package var indexes: Set<[String]> = []

  package init(
    text: SQLExpression, start: SQLExpression? = nil, steps: [SQLJSONStep] = [], indexes: Set<[String]> = []
  ) {
    self.text = text
    self.start = start
    self.steps = steps
    self.indexes = indexes
  }

  package func inside(_ steps: [SQLJSONStep]) -> JSONPlace {
    var place = self
    place.steps += steps
    return place
  }

  private var path: SQLExpression {
    guard let start else { return .jsonPath(steps) }
    return steps.isEmpty
      ? start : .binary(.concatenate, start, .text(String(SQLJSONStep.text(steps).dropFirst())))
  }

  /// The value as SQL has it: NULL where there is none, or null. Large numbers and fractions are not exact.
  package var extracted: SQLExpression { .function(.jsonExtract, [text, path]) }

  /// The value as JSON text, exactly.
  package var exactText: SQLExpression { .binary(.jsonText, text, path) }

  /// The text of the value alone, to go on from with a path that is data.
  package func going(to path: SQLExpression) -> JSONPlace {
    JSONPlace(text: start == nil && steps.isEmpty ? text : exactText, start: path)
  }

  package var isIndexed: Bool {
    let keys = steps.compactMap { if case .key(let key) = $0 { key } else { nil } }
    return start == nil && keys.count == steps.count && indexes.contains(keys)
  }
}
