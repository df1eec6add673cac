/// What keeps a migration from being inferred: some rows, and the way to bring them over.
public struct MigrationObstacle: Hashable, Sendable, CustomStringConvertible {
  /// The model's name in the program's schema, or in the stored one if the program has it no more.
  public let model: String
  /// The property's name; nil when it is about the model as a whole.
  public let property: String?
  /// What is in the way, in a sentence.
  public let message: String
  /// How many rows are in the way; 0 when a stage is needed whatever the rows are.
  public let rowCount: Int
  /// One of the rows, as `7`, or as `7 ('12 km')` where `storeOptions.reportsArguments` lets errors tell values.
  public let exampleRow: String?
  /// What solves it, as Swift source.
  public let remedy: String

  package init(
    model: String, property: String?, message: String, rowCount: Int = 0, exampleRow: String? = nil, remedy: String
  ) {
    self.model = model
    self.property = property
    self.message = message
    self.rowCount = rowCount
    self.exampleRow = exampleRow
    self.remedy = remedy
  }

  /// The place, what is in the way, the rows, and what solves it.
  public var description: String {
    var text = "\(model)\(property.map { ".\($0)" } ?? ""): \(message)"
    if rowCount > 0 { text += " \(rowCount) \(rowCount == 1 ? "row is" : "rows are") in the way" }
    if rowCount > 0 { text += exampleRow.map { ", such as row \($0)." } ?? "." }
    return text + "\n    \(remedy.replacing("\n", with: "\n    "))"
  }
}
