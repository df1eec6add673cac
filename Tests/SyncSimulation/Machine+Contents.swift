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
struct RowFacts: Hashable, Codable {
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

  /// The books, topics, cards and reviews, by what they are called.
  func rows() throws -> [String: RowFacts] {
    var rows = try books()
    let none = "'marks', json('[]'), 'lines', json('[]'), 'best', 0"
    let selections = [
      "SELECT json_array('topic ' || name, json_object('title', ifnull(label, name), 'loans', 0, \(none))) FROM Topic",
      "SELECT json_array('card ' || name, json_object('title', ifnull(text, 'nothing'), 'loans', visits, \(none))) FROM Card",
      "SELECT json_array('review ' || text, json_object('title', text, 'loans', 0, \(none))) FROM Review",
    ]
    let others = try container.store.pool.read { connection in try selections.flatMap { try connection.strings($0) } }
    for other in others {
      let row = try JSONDecoder().decode(Row.self, from: Data(other.utf8))
      rows[row.name] = row.facts
    }
    return rows
  }

  private func books() throws -> [String: RowFacts] {
    let files = container.store.files
    let (rows, scans) = try container.store.pool.read { connection in
      let rows = try connection.strings(
        """
        SELECT json_array('book ' || code, json_object('title', title, 'loans', loans, 'marks', json(marks), 'lines', json(lines), \
        'best', best, 'price', \(price), 'cover', CAST(substr(cover, 1, instr(cover, x'20') - 1) AS TEXT))) FROM Book
        """)
      var scans: [String: String] = [:]
      let statement = try connection.statement("SELECT 'book ' || code, scan FROM Book WHERE scan IS NOT NULL")
      defer { statement.reset() }
      while try statement.step() {
        let value = statement.sqlValue(1)
        let inFile = try ExternalReference.name(value, in: .blob).flatMap { try files?.read($0) }
        let scan = if case .blob(let data) = value { data } else { inFile }
        scans[statement.string(0)] = RowFacts.text(scan)
      }
      return (rows, scans)
    }
    let found = try rows.map { try JSONDecoder().decode(Row.self, from: Data($0.utf8)) }
    return Dictionary(
      found.map { row in
        var facts = row.facts
        facts.scan = scans[row.name]
        return (row.name, facts)
      }, uniquingKeysWith: { first, _ in first })
  }

  /// The topics with their pictures, the books with their chapters, and the boxes with what
  /// stands on them, by their names.
  func families() throws -> FamilyFacts {
    try container.store.pool.read { connection in
      var facts = FamilyFacts()
      facts.members = Set(
        try connection.strings("SELECT name FROM Picture UNION SELECT title FROM Chapter UNION SELECT name FROM Box"))
      let rows = try connection.strings(
        """
        SELECT json_array(name, json(\(linked("Topic", "Picture")))) FROM Topic UNION ALL \
        SELECT json_array(code, json((SELECT json_group_array(title) FROM Chapter WHERE book = Book._pk))) FROM Book \
        UNION ALL SELECT json_array(name, json((SELECT json_group_array(name) FROM Box AS upper \
        WHERE below = Box._pk))) FROM Box
        """)
      for row in rows {
        let (owner, members) = try JSONDecoder().decode(Pair.self, from: Data(row.utf8)).parts
        facts.owners[owner] = members
      }
      return facts
    }
  }

  private struct Pair: Decodable {
    let parts: (String, Set<String>)

    init(from decoder: any Decoder) throws {
      var values = try decoder.unkeyedContainer()
      parts = (try values.decode(String.self), try values.decode(Set<String>.self))
    }
  }

  private struct Row: Decodable {
    let name: String
    let facts: RowFacts

    init(from decoder: any Decoder) throws {
      var values = try decoder.unkeyedContainer()
      name = try values.decode(String.self)
      facts = try values.decode(RowFacts.self)
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
