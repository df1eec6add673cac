import Foundation
import RoostSQL
import Testing

@Suite struct SchemaPrintingTests {
  @Test func createTable() {
    let table = SQLCreateTable(
      "Note",
      [
        .init("_pk", .integer, isPrimaryKey: true),
        .init("title", .text, isNotNull: true, isUnique: true, default: .text("it's")),
        .init("folder", .integer, references: .init("Folder", ["_pk"], onDelete: .setNull)),
      ], constraints: [.unique(["title", "folder"])])
    let text = SQLitePrinter.print(table)
    #expect(
      text.sql == """
        CREATE TABLE "Note" (
          "_pk" INTEGER PRIMARY KEY,
          "title" TEXT NOT NULL UNIQUE DEFAULT ('it''s'),
          "folder" INTEGER REFERENCES "Folder" ("_pk") ON DELETE SET NULL DEFERRABLE INITIALLY DEFERRED,
          UNIQUE ("title", "folder")
        ) STRICT
        """)
    #expect(text.arguments.isEmpty)
  }

  @Test func fullTextIndex() {
    let index = SQLFullTextIndex(
      "Note_words", on: "It's", key: "_pk", columns: ["a \"b\"", "c"], tokenizer: "porter unicode61")
    let texts = SQLitePrinter.print(index)
    #expect(texts.map(\.name) == ["Note_words", "Note_words_insert", "Note_words_delete", "Note_words_update"])
    #expect(texts.map(\.name).dropFirst() == index.triggers[...])
    #expect(
      texts[0].sql == """
        CREATE VIRTUAL TABLE "Note_words" USING fts5("a ""b""\", "c", content='It''s', content_rowid='_pk', \
        tokenize='porter unicode61')
        """)
    #expect(
      texts[3].sql == """
        CREATE TRIGGER "Note_words_update" AFTER UPDATE OF "_pk", "a ""b""\", "c" ON "It's" BEGIN \
        INSERT INTO "Note_words" ("Note_words", "rowid", "a ""b""\", "c") \
        VALUES ('delete', "old"."_pk", "old"."a ""b""\", "old"."c"); \
        INSERT INTO "Note_words" ("rowid", "a ""b""\", "c") VALUES ("new"."_pk", "new"."a ""b""\", "new"."c"); END
        """)
    #expect(SQLitePrinter.rebuild(index) == #"INSERT INTO "Note_words" ("Note_words") VALUES ('rebuild')"#)
  }

  @Test func joinTable() {
    let table = SQLCreateTable(
      "Note_tags", [.init("note", .integer, isNotNull: true), .init("tag", .integer, isNotNull: true)],
      constraints: [.primaryKey(["note", "tag"]), .foreignKey(["tag"], .init("Tag", onDelete: .cascade))],
      isWithoutRowID: true)
    #expect(
      SQLitePrinter.print(table).sql == """
        CREATE TABLE "Note_tags" (
          "note" INTEGER NOT NULL,
          "tag" INTEGER NOT NULL,
          PRIMARY KEY ("note", "tag"),
          FOREIGN KEY ("tag") REFERENCES "Tag" ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED
        ) STRICT, WITHOUT ROWID
        """)
  }

  @Test func indexesPrintConstantsAsLiterals() {
    let index = SQLCreateIndex(
      "Note_title", on: "Note", [.init(.column("title"), ascending: false)], isUnique: true,
      where: .binary(.equal, .column("done"), .integer(0)))
    let text = SQLitePrinter.print(index)
    #expect(text.sql == #"CREATE UNIQUE INDEX "Note_title" ON "Note" ("title" DESC) WHERE "done" = 0"#)
    #expect(text.arguments.isEmpty)
  }

  @Test func literals() {
    func literal(_ value: SQLValue) -> String {
      SQLitePrinter.print(SQLAlterTable.addColumn(table: "T", .init("c", .any, default: value))).sql
        .replacingOccurrences(of: #"ALTER TABLE "T" ADD COLUMN "c" ANY DEFAULT "#, with: "")
    }
    #expect(literal(.null) == "(NULL)")
    #expect(literal(.integer(.min)) == "((-9223372036854775807 - 1))")
    #expect(literal(.real(0.1)) == "(0.1)")
    #expect(literal(.real(-.infinity)) == "(-9e999)")
    #expect(literal(.real(.leastNonzeroMagnitude)) == "(5e-324)")
    #expect(literal(.text("a\0b")) == "(CAST(x'610062' AS TEXT))")
    #expect(literal(.blob(Data([0, 255]))) == "(x'00ff')")
  }

  @Test func changesOfTables() {
    #expect(SQLitePrinter.print(SQLAlterTable.rename("A", to: "B")).sql == #"ALTER TABLE "A" RENAME TO "B""#)
    #expect(
      SQLitePrinter.print(SQLAlterTable.renameColumn(table: "A", from: "x", to: "y")).sql
        == #"ALTER TABLE "A" RENAME COLUMN "x" TO "y""#)
    #expect(SQLitePrinter.print(SQLDrop(.index, "i", ifExists: true)).sql == #"DROP INDEX IF EXISTS "i""#)
  }
}
