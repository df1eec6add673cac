import Foundation
import RoostSQL
import Testing

@Suite struct ChangePrintingTests {
  @Test func insertWithParameters() {
    let text = SQLitePrinter.print(SQLInsert(into: "Note", ["_pk", "title"]))
    #expect(text.sql == #"INSERT INTO "Note" ("_pk", "title") VALUES (?, ?)"#)
    #expect(text.arguments == [.null, .null])
  }

  @Test func insertWithoutColumns() {
    #expect(SQLitePrinter.print(SQLInsert(into: "Note", [])).sql == #"INSERT INTO "Note" DEFAULT VALUES"#)
  }

  @Test func upsert() {
    let insert = SQLInsert(
      into: "Note", ["id", "title"], .rows([[.integer(1), .text("a")], [.integer(2), .text("b")]]),
      onConflict: [
        .init(["id"], do: .update([.init("title", .excluded("title"))], where: .isNotNull(.excluded("title"))))
      ],
      returning: [.init(.column("_pk"))])
    #expect(
      SQLitePrinter.print(insert).sql == """
        INSERT INTO "Note" ("id", "title") VALUES (?, ?), (?, ?) ON CONFLICT ("id") DO UPDATE SET \
        "title" = "excluded"."title" WHERE "excluded"."title" IS NOT NULL RETURNING "_pk"
        """)
  }

  @Test func insertFromSelectWithConflictHasAWhere() {
    let select = SQLSelect([.init(.column("a"))], from: .table("Old"))
    let insert = SQLInsert(into: "New", ["a"], .select(select), onConflict: [.init([], do: .nothing)])
    #expect(
      SQLitePrinter.print(insert).sql
        == #"INSERT INTO "New" ("a") SELECT "a" FROM "Old" WHERE 1 ON CONFLICT DO NOTHING"#)
  }

  @Test func updateAndDelete() {
    let update = SQLUpdate(
      "Note", set: [.init("title", .parameter), .init("done", .binary(.equal, .column("n"), .integer(1)))],
      where: .binary(.equal, .column("_pk"), .parameter))
    let text = SQLitePrinter.print(update)
    #expect(text.sql == #"UPDATE "Note" SET "title" = ?, "done" = ("n" = ?) WHERE "_pk" = ?"#)
    #expect(text.arguments == [.null, .integer(1), .null])
    #expect(SQLitePrinter.print(SQLDelete(from: "Note", where: nil)).sql == #"DELETE FROM "Note""#)
    let delete = SQLDelete(from: "Note", alias: "t0", where: .isNull(.column("t0", "folder")))
    #expect(SQLitePrinter.print(delete).sql == #"DELETE FROM "Note" AS "t0" WHERE "t0"."folder" IS NULL"#)
  }
}
