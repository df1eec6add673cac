import CBenchmarkSQLite
import Foundation
import GRDB

/// 200 full-text searches in 50,000 documents, each for the best 20 of 100 that match, with their values touched.
///
/// Of the documents with a word each is longer than the one before, so that the shortest are known to be the best.
enum SearchWorkload {
  static let rowCount = 50_000
  static let wordCount = 500
  static let limit = 20
  static let searches = (0..<200).map { "word\($0)" }

  /// As Roost makes it.
  static let schema = """
    CREATE TABLE "Document" ("_pk" INTEGER PRIMARY KEY, "number" INTEGER NOT NULL, "text" TEXT NOT NULL) STRICT;
    CREATE VIRTUAL TABLE "Document_text_words" USING fts5("text", content='Document', content_rowid='_pk',
      tokenize='unicode61 remove_diacritics 2');
    CREATE TRIGGER "Document_text_words_insert" AFTER INSERT ON "Document" BEGIN
      INSERT INTO "Document_text_words" ("rowid", "text") VALUES (new."_pk", new."text"); END;
    """

  /// Fills the table of a Roost model, or that of the other variants, with SQL's own means.
  static let fill = """
    WITH RECURSIVE row(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM row WHERE n < \(rowCount - 1))
    INSERT INTO "Document" ("_pk", "number", "text")
    SELECT n + 1, n, 'Word' || (n % \(wordCount)) || ' of sentence number' || n
      || replace(hex(zeroblob(n / \(wordCount))), '00', ' and so on') FROM row;
    INSERT INTO "Document_text_words" ("Document_text_words") VALUES ('optimize');
    """

  static let query = """
    SELECT "d"."_pk", "d"."number", "d"."text" FROM "Document_text_words" AS "f"
    JOIN "Document" AS "d" ON "d"."_pk" = "f"."rowid"
    WHERE "Document_text_words" MATCH ? ORDER BY "f"."rank" LIMIT \(limit)
    """

  static var workload: Workload {
    var variants = [Variant("sqlite-tuned", sqlite), Variant("grdb", grdb)]
    #if ROOST
      variants.insert(Variant("roost", roost), at: 0)
    #endif
    return Workload(name: "fts-search", variants: variants)
  }

  static func check(_ numbers: Int, _ variant: String) throws {
    let expected = searches.indices.reduce(0) { sum, word in
      (0..<limit).reduce(sum) { $0 + $1 * wordCount + word }
    }
    guard numbers == expected else { throw BenchmarkError("fts-search, \(variant): found others than the best") }
  }

  private static func sqlite(in folder: URL) throws -> Round {
    let database = try Database(filled(in: folder), tuned: true)
    return {
      try timed {
        let statement = try database.prepare(query)
        defer { sqlite3_finalize(statement) }
        var sum = 0
        for word in searches {
          // SQLite makes a copy of the text.
          sqlite3_bind_text(statement, 1, word, -1, unsafeBitCast(-1, to: sqlite3_destructor_type.self))
          var code = sqlite3_step(statement)
          while code == SQLITE_ROW {
            let text = SampleRow.text(statement, 2)
            if !text.isEmpty { sum += Int(sqlite3_column_int64(statement, 1)) }
            code = sqlite3_step(statement)
          }
          try database.check(code, expecting: SQLITE_DONE)
          sqlite3_reset(statement)
        }
        return sum
      } check: {
        try check($0, "sqlite-tuned")
      }
    }
  }

  private static func grdb(in folder: URL) throws -> Round {
    let queue = try DatabaseQueue.open(filled(in: folder))
    return {
      try timed {
        try queue.read { database in
          var sum = 0
          for word in searches {
            let statement = try database.cachedStatement(sql: query)
            let pattern = FTS5Pattern(matchingAllTokensIn: word)
            let found = try RecordDocument.fetchAll(statement, arguments: [pattern])
            for document in found where !document.text.isEmpty { sum += document.number }
          }
          return sum
        }
      } check: {
        try check($0, "grdb")
      }
    }
  }

  private static func filled(in folder: URL) throws -> URL {
    let file = folder.appending(path: "documents.sqlite")
    if !FileManager.default.fileExists(atPath: file.path) {
      let database = try Database(file, tuned: true)
      try database.execute(schema)
      try database.execute(fill)
    }
    return file
  }
}

private struct RecordDocument: FetchableRecord {
  var id: Int64
  var number: Int
  var text: String

  init(row: GRDB.Row) { (id, number, text) = (row[0], row[1], row[2]) }
}
