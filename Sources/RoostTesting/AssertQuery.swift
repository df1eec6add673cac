#if canImport(Testing)
  public import RoostCore
  public import RoostQuery
  public import Testing

  /// Checks the SQL of a fetch together with what it finds; what differs is an issue of the current test.
  ///
  /// ```swift
  /// try assertQuery(
  ///   FetchDescriptor<Tag>(predicate: #Predicate { $0.name == "birds" }), in: context,
  ///   sql: #"SELECT "t0"."_pk", "t0"."name" FROM "Tag" AS "t0" WHERE "t0"."name" = 'birds'"#,
  ///   rows: ["birds"]
  /// ) { $0.name }
  /// ```
  /// - Parameters:
  ///   - descriptor: what to fetch.
  ///   - context: where to.
  ///   - sql: the statement with its values in place. White space may be any.
  ///   - rows: what `row` makes of the models, in their order.
  ///   - sourceLocation: where the issue is shown.
  ///   - row: what to compare of a model.
  /// - Throws: what the fetch throws, or `row`.
  public func assertQuery<Model: PersistentModel, Row: Equatable>(
    _ descriptor: FetchDescriptor<Model>, in context: ModelContext, sql: String, rows: [Row],
    sourceLocation: SourceLocation = #_sourceLocation, row: (Model) throws -> Row
  ) throws {
    let explanation = try context.explain(descriptor)
    let found = try context.fetch(descriptor).map(row)
    compare(explanation.sqlWithArguments, sql, found, rows, sourceLocation)
  }

  /// Checks the text that SQL of your own becomes, together with the rows it returns.
  ///
  /// ```swift
  /// try assertQuery(
  ///   sql: "SELECT count(*) AS notes FROM \(Note.self) WHERE \(\Note.stars) > \(3)", in: context,
  ///   is: #"SELECT count(*) AS notes FROM "Note" WHERE "stars" > 3"#,
  ///   rows: ["notes: 12"])
  /// ```
  /// - Parameters:
  ///   - query: what to run.
  ///   - context: where to.
  ///   - text: the statement with its values in place. White space may be any.
  ///   - rows: the descriptions of the rows, in their order.
  ///   - sourceLocation: where the issue is shown.
  /// - Throws: what ``ModelContext/rows(sql:)`` throws.
  public func assertQuery(
    sql query: SQL, in context: ModelContext, is text: String, rows: [String],
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let found = try context.rows(sql: query).map(\.description)
    compare(try context._text(of: query), text, found, rows, sourceLocation)
  }

  private func compare<Row: Equatable>(
    _ sql: String, _ expectedSQL: String, _ rows: [Row], _ expectedRows: [Row], _ sourceLocation: SourceLocation
  ) {
    let (sql, expectedSQL) = (normalized(sql), normalized(expectedSQL))
    #expect(sql == expectedSQL, sourceLocation: sourceLocation)
    #expect(rows == expectedRows, sourceLocation: sourceLocation)
  }

  private func normalized(_ sql: String) -> String { sql.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
#endif
