import Foundation
import RoostSQL
import Testing

@Suite struct PrintingTests {
  @Test func identifiersAreQuotedWithQuotesDoubled() {
    #expect(quotedIdentifier("title") == #""title""#)
    #expect(quotedIdentifier(#"a"b""#) == #""a""b""""#)
    #expect(quotedIdentifier("é; DROP TABLE x") == #""é; DROP TABLE x""#)
  }

  @Test func constantsBecomeArguments() {
    let condition = SQLExpression.binary(.equal, .column("t0", "title"), .text("' OR 1 --"))
    let text = SQLitePrinter.print(condition)
    #expect(text.sql == #""t0"."title" = ?"#)
    #expect(text.arguments == [.text("' OR 1 --")])
  }

  @Test func nestedOperatorsKeepTheirShape() {
    let sum = SQLExpression.binary(.add, .column("a"), .column("b"))
    let product = SQLExpression.binary(.multiply, sum, .column("c"))
    #expect(SQLitePrinter.print(product).sql == #"("a" + "b") * "c""#)
    let condition = SQLExpression.all([.any([.isNull(sum), .column("d")]), !.isNotNull(.column("e"))])
    #expect(SQLitePrinter.print(condition).sql == #"((("a" + "b") IS NULL) OR "d") AND (NOT ("e" IS NOT NULL))"#)
  }

  @Test func emptyChainsAreConstants() {
    #expect(SQLitePrinter.print(SQLExpression.all([])).sql == "1")
    #expect(SQLitePrinter.print(SQLExpression.any([])).sql == "0")
    #expect(SQLitePrinter.print(!SQLExpression.any([.column("a")])).sql == #"NOT "a""#)
  }

  @Test func longChainsBecomeTrees() {
    let text = SQLitePrinter.print(SQLExpression.any((0..<5000).map { .integer($0) }))
    #expect(text.arguments.count == 5000)
    var depth = 0
    var deepest = 0
    for character in text.sql.utf8 {
      if character == UInt8(ascii: "(") { depth += 1 }
      if character == UInt8(ascii: ")") { depth -= 1 }
      deepest = max(deepest, depth)
    }
    #expect(depth == 0 && deepest == 1)
  }

  @Test func selectPrintsItsClausesInOrder() {
    var select = SQLSelect(
      [.init(.column("t0", "_pk")), .init(.countAll, as: "n")], from: .table("Note", alias: "t0"),
      joins: [
        .init(.left, .table("Folder", alias: "t1"), on: .binary(.equal, .column("t1", "_pk"), .column("t0", "folder")))
      ],
      where: .inList(.column("t1", "name"), [.text("a"), .text("b")]),
      orderBy: [.init(.collate(.column("t0", "title"), .noCase), ascending: false, nulls: .last)], limit: 10, offset: 5)
    select.groups = [.column("t0", "kind")]
    select.having = .binary(.greater, .countAll, .integer(1))
    let text = SQLitePrinter.print(select)
    #expect(
      text.sql == """
        SELECT "t0"."_pk", count(*) AS "n" FROM "Note" AS "t0" LEFT JOIN "Folder" AS "t1" \
        ON "t1"."_pk" = "t0"."folder" WHERE "t1"."name" IN (?, ?) GROUP BY "t0"."kind" HAVING count(*) > ? \
        ORDER BY "t0"."title" COLLATE NOCASE DESC NULLS LAST LIMIT ? OFFSET ?
        """)
    #expect(text.arguments == [.text("a"), .text("b"), .integer(1), .integer(10), .integer(5)])
  }

  @Test func offsetAloneNeedsALimit() {
    let text = SQLitePrinter.print(SQLSelect(from: .table("T"), offset: 3))
    #expect(text.sql == #"SELECT 1 FROM "T" LIMIT ? OFFSET ?"#)
    #expect(text.arguments == [.integer(-1), .integer(3)])
  }

  @Test func recursiveWithAndSubqueries() {
    let seed = SQLSelect([.init(.integer(1))])
    var step = SQLSelect(
      [.init(.binary(.add, .column("n"), .integer(1)))], from: .table("counter"),
      where: .binary(.less, .column("n"), .integer(9)))
    var counter = seed
    counter.compounds = [.init(.unionAll, step)]
    var select = SQLSelect([.init(.aggregate(.sum, .column("n"), isDistinct: false))], from: .table("counter"))
    select.with = [.init("counter", columns: ["n"], isRecursive: true, as: counter)]
    #expect(
      SQLitePrinter.print(select).sql == """
        WITH RECURSIVE "counter"("n") AS (SELECT ? UNION ALL SELECT "n" + ? FROM "counter" WHERE "n" < ?) \
        SELECT sum("n") FROM "counter"
        """)
    step.limit = 1
    counter.compounds = [.init(.unionAll, step)]
    #expect(SQLitePrinter.print(counter).sql.contains("UNION ALL SELECT * FROM (SELECT"))
  }

  @Test func existsAndInSelect() {
    let inner = SQLSelect([.init(.column("tag"))], from: .table("Tagging"))
    #expect(
      SQLitePrinter.print(.all([.exists(inner), .inSelect(.column("id"), inner)])).sql
        == #"EXISTS (SELECT "tag" FROM "Tagging") AND ("id" IN (SELECT "tag" FROM "Tagging"))"#)
  }
}
