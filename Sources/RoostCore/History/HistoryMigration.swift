/// A migration, as a transaction of history tells of it.
///
/// ```swift
/// if let migration = transaction.migration { print("now \(migration.to?.description ?? "another schema")") }
/// ```
/// It says that the tables became others, and is no change of any row: whoever keeps a copy of the rows asks what
/// the newer version did to them.
public struct HistoryMigration: Hashable, Sendable {
  /// The number of the version that the store had; nil where the program gave it none.
  public let from: Schema.Version?
  /// The number of the version that it has since; nil where the program gives it none.
  public let to: Schema.Version?

  init(from: Schema.Version?, to: Schema.Version?) { (self.from, self.to) = (from, to) }

  /// The versions as a file keeps them, with a dash for none.
  var text: String { [from, to].map { $0?.description ?? "-" }.joined(separator: " ") }

  /// Reads what a file keeps.
  package init(text: String) {
    let versions = text.split(separator: " ").map { Schema.Version(description: String($0)) }
    self.init(from: versions.first ?? nil, to: versions.count > 1 ? versions[1] : nil)
  }
}
