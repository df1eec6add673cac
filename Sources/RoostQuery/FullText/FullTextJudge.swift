import RoostCore
import RoostEngine
import RoostSQL
import Synchronization

/// Whether a text matches, outside of the store: asked of an FTS5 table in memory, so that it is what the store says.
enum FullTextJudge {
  static func matches(
    _ texts: [String?], _ query: FullTextQuery, _ tokenizer: FullTextTokenizer
  ) throws -> Bool {
    try SwiftDataError.translating {
      try shared.withLock { judge in
        if judge == nil { judge = try Judge() }
        return try judge?.matches(texts, query, tokenizer) ?? false
      }
    }
  }

  private static let shared = Mutex<Judge?>(nil)

  private struct Judge: ~Copyable {
    private let connection: Connection
    /// The tables made so far: one for each tokenizer and number of texts.
    private var tables: Set<String> = []

    init() throws {
      connection = try Connection(ConnectionOptions(location: .memory(name: "roost-full-text-judge")))
    }

    mutating func matches(
      _ texts: [String?], _ query: FullTextQuery, _ tokenizer: FullTextTokenizer
    ) throws -> Bool {
      let name = "\(tokenizer.definition) \(texts.count)"
      let table = quotedIdentifier(name)
      let columns = texts.indices.map { "c\($0)" }.joined(separator: ", ")
      if !tables.contains(name) {
        let options = "content='', tokenize=\(SQLitePrinter.literal(.text(tokenizer.definition)))"
        try connection.execute("CREATE VIRTUAL TABLE temp.\(table) USING fts5(\(columns), \(options))")
        tables.insert(name)
      }
      let places = texts.map { _ in "?" }.joined(separator: ", ")
      let insert = try connection.statement("INSERT INTO \(table) (rowid, \(columns)) VALUES (1, \(places))")
      for (place, text) in texts.enumerated() {
        insert.bind(text.map(SQLValue.text) ?? .null, at: Int32(place + 1))
      }
      try insert.run()
      defer { try? connection.execute("INSERT INTO \(table) (\(table)) VALUES ('delete-all')") }
      let found = try connection.statement("SELECT 1 FROM \(table) WHERE \(table) MATCH ?")
      defer { found.reset() }
      found.bind(query.expression(), at: 1)
      return try found.step()
    }
  }
}
