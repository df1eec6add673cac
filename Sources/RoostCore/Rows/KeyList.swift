package import RoostEngine
package import RoostSQL

// Many keys are one parameter, so that a statement does not change with their number.

extension Sequence<Int64> {
  /// As a parameter of `json_each`.
  package var jsonArray: String {
    var text = "["
    for key in self {
      if text.utf8.count > 1 { text += "," }
      text += String(key)
    }
    return text + "]"
  }
}

extension SQLExpression {
  /// Whether this is one of some keys.
  package func isOne(of keys: some Sequence<Int64>) -> SQLExpression { isOne(ofArray: .value(.text(keys.jsonArray))) }

  /// Whether this is one of the keys in a JSON array.
  package func isOne(ofArray array: SQLExpression) -> SQLExpression {
    .inSelect(
      self, SQLSelect([SQLResultColumn(.column("value"))], from: .function(.jsonEach, [array], alias: nil)))
  }
}

extension Statement {
  /// The keys in the first column of the rows.
  package func keys() throws -> [Int64] {
    var keys: [Int64] = []
    while try step() { keys.append(int64(0)) }
    return keys
  }
}
