import Foundation
import Roost
import RoostCore
import RoostEngine
import RoostSQL
import RoostSync
import SyncMerge

extension Machine {
  /// What a model that somebody holds shows and its row has not; nil for nothing.
  func heldDifference() throws -> String? {
    let rows = try bookRows()
    // A context shows what others wrote from its next fetch on.
    for context in [context, other] { try look(context) }
    for model in held {
      let shown: RowFacts
      switch model {
      case let book as Book: shown = RowFacts(book)
      case let book as LibraryV2.Book: shown = RowFacts(book)
      default: continue
      }
      // What it showed last is all that there is to see of a row that is gone.
      if let facts = rows[model.persistentModelID], facts != shown, !model.isDeleted, model.modelContext != nil {
        return "\(url.lastPathComponent): a model shows \(shown), and its row has \(facts)"
      }
    }
    return nil
  }

  /// The books that a context shows.
  ///
  /// Not by their codes: a book that is deleted and comes back is another row, and what was edited of
  /// the former one is gone with it.
  func shownBooks(in context: ModelContext) throws -> [PersistentIdentifier: RowFacts] {
    let all: [(PersistentIdentifier, RowFacts)] =
      if isLater {
        try context.fetch(FetchDescriptor<LibraryV2.Book>()).map { ($0.persistentModelID, RowFacts($0)) }
      } else {
        try context.fetch(FetchDescriptor<Book>()).map { ($0.persistentModelID, RowFacts($0)) }
      }
    return Dictionary(uniqueKeysWithValues: all)
  }

  /// What the books' rows have.
  func bookRows() throws -> [PersistentIdentifier: RowFacts] { try shownBooks(in: ModelContext(container)) }

  /// The values that the journal has, as ``rows()`` has them.
  func toldValues() -> Set<String> {
    // Another program on the file may have begun since, and shows them.
    guard let entries = try? synced.conflicts(limit: nil) else { return [] }
    return Set(entries.flatMap { [$0.local, $0.remote] }.compactMap { $0.flatMap(RowFacts.text) })
  }

  /// The rows of which the journal says that a deletion met an edit.
  func rowsToldOf() throws -> Set<SyncRowID> {
    try container.store.pool.read { connection in
      let statement = try connection.statement("SELECT body FROM _roost_sync_conflict")
      defer { statement.reset() }
      var rows: Set<SyncRowID> = []
      while try statement.step() {
        guard case .blob(let body) = statement.sqlValue(0) else { continue }
        let conflict = try body.withUnsafeBytes { try SyncConflict(encoded: $0) }
        if conflict.field == nil { rows.insert(conflict.row) }
      }
      return rows
    }
  }

  private func look(_ context: ModelContext) throws {
    if isLater {
      _ = try context.fetch(FetchDescriptor<LibraryV2.Author>())
    } else {
      _ = try context.fetch(FetchDescriptor<Author>())
    }
  }
}

extension RowFacts {
  /// A value as the facts have it.
  static func text(_ value: SQLValue) -> String? {
    switch value {
    case .text(let text): text
    case .real(let number): "\(number)"
    case .blob(let data): text(data)
    default: nil
    }
  }

  fileprivate init(_ book: Book) {
    self.init(
      title: book.title, loans: book.loans, marks: book.marks, lines: book.lines, best: book.best, price: book.price,
      scan: Self.text(book.scan), cover: Self.text(book.cover))
  }

  fileprivate init(_ book: LibraryV2.Book) {
    self.init(
      title: book.title, loans: book.loans, marks: book.marks, lines: book.lines, best: book.best, price: book.cost,
      scan: Self.text(book.scan), cover: Self.text(book.cover))
  }
}
