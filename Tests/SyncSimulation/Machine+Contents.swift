import Foundation
import Roost
import RoostCore
import RoostEngine
import RoostSQL

/// What of rows programs of which versions all have.
package enum LibraryView {
  case first, common, later
}

/// What a user sees of a book, or of a row that has less, for comparing it with what users wrote.
struct RowFacts: Hashable {
  var title: String
  var loans: Int
  var marks: [String]
  var lines: [String]
  var best: Int
  var price: Double?
  /// What is in its scan and its cover before the first space.
  var scan: String?
  var cover: String?

  static func text(_ data: Data?) -> String? { data.map { String(decoding: $0.prefix { $0 != 0x20 }, as: UTF8.self) } }
}

extension Machine {
  /// The columns of a note's name, and of what the first version has not.
  var noteColumns: (name: String, other: String) {
    switch version {
    case is LibraryV1.Type: ("title", "NULL")
    case is LibraryV2.Type: ("heading", "title, NULL")
    default: ("caption", "title, heading")
    }
  }
  private var price: String { isLater ? "cost" : "price" }

  /// The books, topics, cards, reviews and pictures, by what they are called.
  ///
  /// Two pictures may be of one name, as copies are; those are left out. A picture's best is how much it was lowered.
  ///
  /// Column by column: each edit of a schedule reads all, and decoders of JSON take many times as long.
  func rows() throws -> [String: RowFacts] {
    let files = container.store.files
    return try container.store.pool.read { connection in
      var rows: [String: RowFacts] = [:]
      let statement = try connection.statement(
        """
        SELECT 'book ' || code, title, loans, best, \(price), \(Self.elements("marks")), \(Self.elements("lines")), \
        CAST(substr(cover, 1, instr(cover, x'20') - 1) AS TEXT), scan FROM Book \
        UNION ALL SELECT 'topic ' || name, ifnull(label, name), 0, 0, NULL, NULL, NULL, NULL, NULL FROM Topic \
        UNION ALL SELECT 'card ' || name, ifnull(text, 'nothing'), visits, 0, NULL, NULL, NULL, NULL, NULL FROM Card \
        UNION ALL SELECT 'review ' || text, text, 0, 0, NULL, NULL, NULL, NULL, NULL FROM Review \
        UNION ALL SELECT 'picture ' || name, name, 0, 1000 - lowest, NULL, NULL, NULL, NULL, NULL FROM Picture \
        GROUP BY name HAVING count(*) = 1
        """)
      defer { statement.reset() }
      func text(_ column: Int32) -> String? { statement.isNull(column) ? nil : statement.string(column) }
      func elements(_ column: Int32) -> [String] {
        text(column)?.split(separator: Self.separator, omittingEmptySubsequences: false).map(String.init) ?? []
      }
      while try statement.step() {
        let scan = statement.sqlValue(8)
        let inFile = try ExternalReference.name(scan, in: .blob).flatMap { try files?.read($0) }
        let bytes = if case .blob(let data) = scan { data } else { inFile }
        rows[statement.string(0)] = RowFacts(
          title: statement.string(1), loans: Int(statement.int64(2)), marks: elements(5), lines: elements(6),
          best: Int(statement.int64(3)), price: statement.isNull(4) ? nil : statement.double(4),
          scan: RowFacts.text(bytes), cover: text(7))
      }
      return rows
    }
  }

  private static let separator: Character = "\u{1f}"

  /// The elements of a list, which have no such character; NULL for none.
  private static func elements(_ list: String) -> String {
    "(SELECT group_concat(value, char(31)) FROM json_each(Book.\(list)))"
  }

  /// The topics with their pictures, the books with their chapters, and the boxes with what
  /// stands on them, by their names.
  func families() throws -> FamilyFacts {
    let join = container.store.schema.joinTables.first { $0.owner.name == "Topic" && $0.destination.name == "Picture" }
    guard let join else { return FamilyFacts() }
    return try container.store.pool.read { connection in
      var facts = FamilyFacts()
      facts.members = Set(
        try connection.strings("SELECT name FROM Picture UNION SELECT title FROM Chapter UNION SELECT name FROM Box"))
      let statement = try connection.statement(
        """
        SELECT 0, Topic._pk, Topic.name, Picture.name FROM Topic LEFT JOIN \(quotedIdentifier(join.name)) AS links \
        ON links.\(quotedIdentifier(join.ownerColumn)) = Topic._pk \
        LEFT JOIN Picture ON Picture._pk = links.\(quotedIdentifier(join.destinationColumn)) UNION ALL \
        SELECT 1, Book._pk, code, Chapter.title FROM Book LEFT JOIN Chapter ON Chapter.book = Book._pk UNION ALL \
        SELECT 2, Box._pk, Box.name, upper.name FROM Box LEFT JOIN Box AS upper ON upper.below = Box._pk
        """)
      defer { statement.reset() }
      var last: (Int64, Int64) = (-1, -1)
      while try statement.step() {
        let (row, owner) = ((statement.int64(0), statement.int64(1)), statement.string(2))
        // Of two of one name it is those of the last.
        if row != last { facts.owners[owner] = [] }
        last = row
        if !statement.isNull(3) { facts.owners[owner]?.insert(statement.string(3)) }
      }
      return facts
    }
  }

  /// The copies that are of a class which the first version does not know, by their shelf and book.
  func soldCopies() throws -> Set<String> {
    if !isLater { return [] }
    let select = "SELECT shelf || ' of ' || code FROM Copy JOIN Book ON Book._pk = book WHERE _type = 'SoldCopy'"
    return Set(try container.store.pool.read { connection in try connection.strings(select) })
  }

  /// Every row, as it is to a user, but `sold` copies, whose class not all programs know: one whose own copy the server
  /// made such a one still shows what it was; and without notes where a program does not sync them.
  package func contents(_ view: LibraryView, besides sold: Set<String> = [], hasNotes: Bool = true) throws -> [String:
    String]
  {
    let hidden = sold.map { "'\($0)'" }.joined(separator: ", ")
    let isShown =
      view == .later ? "true" : "_type <> 'SoldCopy' AND shelf || ' of ' || ifnull(Book.code, '') NOT IN (\(hidden))"
    var selections = [
      """
      SELECT 'book ' || code || char(9) || json_array(title, loans, json(ifnull(lines, '[]')), best, \(price), \
      (SELECT json_group_array(value) FROM (SELECT value FROM json_each(Book.marks) ORDER BY value)), \
      hex(cover), \(view == .later ? "rating, token, stars, " : "ifnull(stars, 1), ")\
      (SELECT name FROM Author WHERE _pk = Book.author), \(linked("Book", "Topic")), \
      (SELECT json_group_array(shelf) FROM (SELECT shelf FROM Copy WHERE book = Book._pk AND \(isShown) \
      ORDER BY ifnull(_book_position, _pk), _pk)), \
      (SELECT json_group_array(title) FROM (SELECT title FROM Chapter WHERE book = Book._pk \
      ORDER BY ifnull(_book_position, _pk), _pk))) FROM Book
      """,
      """
      SELECT 'author ' || name || char(9) || json_array(born, country, \
      (SELECT name FROM Topic WHERE _pk = Author.subject), (SELECT name FROM Picture WHERE _pk = portrait), \
      (SELECT number FROM Passport WHERE _pk = passport), (SELECT name FROM Badge WHERE _pk = badge), \
      (SELECT json_group_array(code) FROM \
      (SELECT code FROM Book WHERE author = Author._pk ORDER BY ifnull(_author_position, _pk), _pk))) FROM Author
      """,
      "SELECT 'topic ' || name || char(9) || json_array(notes, label\(view == .first ? ", motto" : ""), \(linked("Topic", "Picture")), \(linked("Topic", "Topic")), "
        + "(SELECT name FROM Author WHERE _pk = Topic.expert), "
        + "(SELECT name FROM Topic AS wider WHERE _pk = Topic.wider), (SELECT json_group_array(name) FROM (SELECT name FROM "
        + "Topic AS narrower WHERE wider = Topic._pk ORDER BY ifnull(_wider_position, _pk), _pk)), "
        + "(SELECT json_group_array(text) FROM (SELECT text FROM Review WHERE topic = Topic._pk "
        + "ORDER BY ifnull(_topic_position, _pk), _pk))) FROM Topic",
      """
      SELECT 'copy ' || shelf || ' of ' || code || char(9) || json_array(_type, reader\(view == .later ? ", buyer" : "")) \
      FROM Copy LEFT JOIN Book ON Book._pk = book WHERE \(isShown)
      """,
      """
      SELECT 'picture ' || name || char(9) || json_array(json_extract(size, '$.width'), json_extract(size, '$.height'), \
      json(tags), kind, lowest) FROM Picture
      """,
      "SELECT 'chapter ' || Chapter.title || char(9) || json_array(Book.code) FROM Chapter LEFT JOIN Book ON Book._pk = book",
      "SELECT 'review ' || Review.text || char(9) || json_array(Topic.name) FROM Review LEFT JOIN Topic ON Topic._pk = topic",
      """
      SELECT 'box ' || name || char(9) || json_array((SELECT name FROM Box AS outer WHERE _pk = Box.within), \
      (SELECT json_group_array(name) FROM (SELECT name FROM Box AS inner WHERE within = Box._pk \
      ORDER BY ifnull(_within_position, _pk), _pk)), (SELECT name FROM Box AS lower WHERE _pk = Box.below), \
      (SELECT json_group_array(name) FROM (SELECT name FROM Box AS upper WHERE below = Box._pk \
      ORDER BY ifnull(_below_position, _pk), _pk)), \(linked("Box", "Picture"))) FROM Box
      """,
      "SELECT 'passport ' || number || char(9) || json_array(name) FROM Passport LEFT JOIN Author ON Author._pk = owner",
      """
      SELECT 'badge ' || Badge.name || char(9) || json_array(Author.name, badge = Badge._pk) FROM Badge \
      LEFT JOIN Author ON Author._pk = holder
      """,
    ]
    // Some of a card is not synced by the programs in between.
    let isWhole = view != .common && syncsCards
    selections.append("SELECT 'card ' || name || char(9) || json_array(\(isWhole ? "text, visits" : "")) FROM Card")
    if hasNotes {
      let (name, other) = noteColumns
      selections.append(
        "SELECT 'note ' || \(name) || ' ' || number || char(9) || json_array(count\(view == .later ? ", \(other)" : "")) FROM Note"
      )
    }
    if view == .later {
      selections.append(
        """
        SELECT 'reader ' || name || char(9) || json_array((SELECT code FROM Book WHERE _pk = Reader.favourite)) \
        FROM Reader
        """)
    }
    let rows = try container.store.pool.read { connection in try selections.flatMap { try connection.strings($0) } }
    var contents: [String: String] = [:]
    // A deletion that is undone makes a row of the same name, and the first one may stay.
    for row in rows.sorted() {
      let parts = row.split(separator: "\t", maxSplits: 1)
      contents[String(parts[0]), default: ""] += String(parts[1])
    }
    return try contents.merging(scans()) { first, _ in first }
  }

  /// What is of this device alone.
  func localValues() throws -> [String] {
    try container.store.pool.read { try $0.strings("SELECT code || ' ' || isOpen FROM Book ORDER BY 1") }
  }

  /// The values that may be in files.
  private func scans() throws -> [String: String] {
    let connection = container.store.pool
    let codes = try connection.read { try $0.strings("SELECT code FROM Book WHERE scan IS NOT NULL ORDER BY code") }
    if codes.isEmpty { return [:] }
    return try isLater ? scans(of: LibraryV2.Book.self, \.code, \.scan) : scans(of: Book.self, \.code, \.scan)
  }

  private func scans<Model: PersistentModel>(
    of type: Model.Type, _ code: KeyPath<Model, String>, _ scan: KeyPath<Model, Data?>
  ) throws -> [String: String] {
    let books = try ModelContext(container).fetch(FetchDescriptor<Model>())
    return Dictionary(
      books.compactMap { book in
        book[keyPath: scan].map { ("scan \(book[keyPath: code])", "\($0.count) \($0.first ?? 0)") }
      }, uniquingKeysWith: { first, _ in first })
  }

  /// The names of the rows that a join table links a row to.
  private func linked(_ owner: String, _ destination: String) -> String {
    let join = container.store.schema.joinTables.first { $0.owner.name == owner && $0.destination.name == destination }
    guard let join else { return "NULL" }
    let (own, other) = (quotedIdentifier(join.ownerColumn), quotedIdentifier(join.destinationColumn))
    return """
      (SELECT json_group_array(name) FROM (SELECT linked.name FROM \(destination) AS linked JOIN \
      \(quotedIdentifier(join.name)) ON \(other) = linked._pk WHERE \(own) = \(owner)._pk ORDER BY 1))
      """
  }

  /// What is wrong with the file.
  func damage() throws -> String? {
    try container.store.pool.read { connection in
      let problems =
        try connection.strings("PRAGMA integrity_check").filter { $0 != "ok" }
        + connection.strings("SELECT \"table\" || ' ' || rowid FROM pragma_foreign_key_check")
        + connection.strings(
          "SELECT Author.name || ' and ' || Topic.name || ' have others' FROM Author JOIN Topic ON subject = Topic._pk "
            + "AND expert IS NOT Author._pk OR expert = Author._pk AND subject IS NOT Topic._pk")
        + connection.strings(
          "SELECT 'badge ' || Badge.name || ' is not that of ' || Author.name FROM Badge "
            + "JOIN Author ON Author._pk = holder WHERE badge IS NOT Badge._pk")
      return problems.isEmpty ? nil : "\(url.lastPathComponent): \(problems.joined(separator: "; "))"
    }
  }

  /// What the file has, for looking at it.
  func dump() throws -> String {
    try container.store.pool.read { connection in
      try [
        "SELECT 'collected ' || entity || ' ' || site || ' ' || key || ' ' || sequence FROM _roost_sync_inbox",
        "SELECT 'known ' || entity || ' pk ' || pk || ' is ' || site || ' ' || key || ' ' || sequence FROM _roost_sync_row",
        isLater ? "SELECT 'reader ' || _pk || ' ' || name FROM Reader" : "SELECT 1",
        "SELECT 'author ' || _pk || ' ' || name FROM Author",
        "SELECT 'box ' || _pk || ' ' || name || ' in ' || ifnull(within, '-') || ' on ' || ifnull(below, '-') FROM Box",
        "SELECT 'book ' || _pk || ' ' || code || ' ' || ifnull(author, '-') || ' ' || ifnull(_author_position, '-') FROM Book",
      ].flatMap { try connection.strings($0) }.joined(separator: "\n")
    }
  }
}
