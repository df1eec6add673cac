import SyncMerge
import TestSupport
import Testing

/// What rows that go, stay or become others do to those that refer to them.
@Suite struct ZoneRelationshipsTests {
  typealias Field = SyncFieldDefinition
  var zone = SyncZone(MemoryZone(SyncRegistry()))
  private var pushes: [UInt64: Int64] = [:]
  private var time: UInt64 = 0

  mutating func begin(_ schemas: SyncSchema...) {
    var registry = SyncRegistry()
    for schema in schemas { _ = registry.register(schema) }
    (zone, pushes) = (SyncZone(MemoryZone(registry)), [:])
  }

  mutating func begin(_ schema: SyncSchema, for site: UInt64) throws {
    _ = try zone.begin(SyncHello(zone: "z", site: site, schema: schema), now: 1)
  }

  func row(_ entity: Int, _ site: UInt64, _ key: Int64 = 1) -> SyncRowID {
    SyncRowID(entity: entity, site: site, key: key)
  }

  var seen: Int64 { zone.storage.place.sequence }

  func record(_ row: SyncRowID) -> SyncRecord? { zone.storage.record(row) }

  func isThere(_ row: SyncRowID) -> Bool { record(row).map { $0.deletion == nil } ?? false }

  /// An edit of now, as one of a save with the one before where `isSame`.
  mutating func edit(
    _ row: SyncRowID, _ kind: SyncEdit.Kind = .insert, by site: UInt64, base: Int64 = 0, isSame: Bool = false,
    _ values: SyncFields<SyncValue> = [:], ancestors: SyncFields<SyncValue> = [:]
  ) -> SyncEdit {
    if !isSame { time += 1 }
    let stamp = SyncStamp(time: time, site: site)
    var edit = SyncEdit(row: row, kind: kind, base: base, stamp: stamp)
    for (number, value) in values {
      edit.fields[number] = SyncFieldEdit(value: value, ancestor: ancestors[number] ?? .null, base: base, stamp: stamp)
    }
    return edit
  }

  @discardableResult mutating func push(_ site: UInt64, _ edits: SyncEdit...) throws -> [SyncConflict] {
    pushes[site, default: 0] += 1
    return try zone.take(SyncPush(site: site, number: pushes[site] ?? 0, edits: edits), now: 1).conflicts
  }

  @Test(arguments: [SyncReference.DeleteRule.cascade, .deny], [true, false])
  mutating func `a relationship that the newest program does not have lets go of rows, and neither takes nor keeps any`(
    rule: SyncReference.DeleteRule, isNewestFirst: Bool
  ) throws {
    let (title, author) = (Field(SyncName("title")), SyncReference(to: "Author", deleteRule: rule, isRequired: true))
    let authors = SyncEntity(SyncName("Author"), deletion: .editWins, fields: [])
    func schema(_ version: Int, _ fields: [Field]) -> SyncSchema {
      SyncSchema(version: [version], entities: [authors, SyncEntity(SyncName("Book"), fields: fields)])
    }
    let older = schema(1, [title, Field(SyncName("author"), reference: author)])
    if isNewestFirst { begin(schema(2, [title]), older) } else { begin(older, schema(2, [title]), older) }
    let (ann, one) = (row(1, 1), row(2, 1))
    try push(1, edit(ann, by: 1), edit(one, by: 1, [1: .text("One"), 2: .row(ann)]))
    try push(2, edit(ann, .delete, by: 2, base: seen))
    #expect(!isThere(ann) && isThere(one) && record(one)?.fields[2]?.value == .null)
  }

  private static func categories(_ deletion: SyncDeletionPolicy = .deletionWins) -> SyncSchema {
    func reference(_ rule: SyncReference.DeleteRule, isRequired: Bool = false) -> [Field] {
      [Field(SyncName("category"), reference: SyncReference(to: "Category", deleteRule: rule, isRequired: isRequired))]
    }
    let tags = Field(SyncName("tags"), policy: .set, reference: SyncReference(to: "Category"))
    return SyncSchema(entities: [
      SyncEntity(
        SyncName("Category"), deletion: deletion, fields: [Field(SyncName("name")), Field(SyncName("color"))],
        uniqueness: [["name"]]),
      SyncEntity(SyncName("Item"), fields: reference(.nullify, isRequired: true)),
      SyncEntity(SyncName("Note"), fields: reference(.nullify)),
      SyncEntity(SyncName("Part"), fields: reference(.cascade)),
      SyncEntity(SyncName("Post"), fields: [tags]),
    ])
  }

  @Test(arguments: [SyncDeletionPolicy.deletionWins, .editWins])
  mutating func `what let go of a row that stays as another one refers to that, and what went with it is there again`(
    policy: SyncDeletionPolicy
  ) throws {
    begin(Self.categories(policy))
    let (work, other, item, note, part) = (row(1, 1), row(1, 1, 2), row(2, 2), row(3, 1), row(4, 1))
    try push(1, edit(work, by: 1, [1: .text("work")]))
    try push(1, edit(note, by: 1, [1: .row(work)]), edit(part, by: 1, [1: .row(work)]))
    let base = seen
    try push(
      1, edit(note, .update, by: 1, base: base, [1: .null]), edit(work, .delete, by: 1, base: base),
      edit(part, .delete, by: 1, base: base, isSame: true))
    try push(1, edit(other, by: 1, [1: .text("work")]))
    // Who has not heard of that must have the row, or edits it.
    if policy == .deletionWins {
      try push(2, edit(item, by: 2, [1: .row(work)]))
      #expect(record(item)?.fields[1]?.value == .row(other))
    } else {
      try push(2, edit(work, .update, by: 2, base: base, [2: .text("red")]))
      #expect(record(other)?.fields[2]?.value == .text("red"))
    }
    #expect(record(work)?.deletion?.mergedInto == other)
    #expect(record(note)?.fields[1]?.value == .row(other))
    #expect(isThere(part) && record(part)?.fields[1]?.value == .row(other))
  }

  @Test mutating func `a row that became another one is taken out of a list by who has not heard of that`() throws {
    begin(Self.categories())
    let (first, second, post) = (row(1, 1), row(1, 2), row(5, 2))
    try push(1, edit(first, by: 1, [1: .text("work")]))
    try push(2, edit(second, by: 2, [1: .text("work")]), edit(post, by: 2, [1: .list([.row(second)])]))
    #expect(record(post)?.fields[1]?.value == .list([.row(first)]))
    try push(2, edit(post, .update, by: 2, [1: .list([])], ancestors: [1: .list([.row(second)])]))
    #expect(record(post)?.fields[1]?.value == .list([]))
  }

  @Test(arguments: [true, false], [true, false])
  mutating func `an edit keeps a row that another one's deletion takes along, with that and all else that it takes`(
    isEditedFirst: Bool, isOnePush: Bool
  ) throws {
    let folder = Field(SyncName("folder"), reference: SyncReference(to: "Folder", deleteRule: .cascade))
    begin(
      SyncSchema(entities: [
        SyncEntity(SyncName("Folder"), fields: []),
        SyncEntity(SyncName("Note"), deletion: .editWins, fields: [folder, Field(SyncName("text"))]),
        SyncEntity(SyncName("Clip"), fields: [folder]),
      ]))
    for isOwnerFirst in [true, false] {
      (zone, pushes) = (SyncZone(MemoryZone(zone.storage.registry)), [:])
      let (owner, edited, other, clip) = (row(1, 1), row(2, 1), row(2, 1, 2), row(3, 1))
      try push(1, edit(owner, by: 1))
      for member in [edited, other, clip] { try push(1, edit(member, by: 1, [1: .row(owner)])) }
      let base = seen
      let news = edit(edited, .update, by: 2, base: base, [2: .text("news")])
      if isEditedFirst { try push(2, news) }
      time += 1
      let rows = [owner, edited, other, clip]
      var edits: [SyncEdit] = []
      for row in isOwnerFirst ? rows : rows.reversed() {
        edits.append(edit(row, .delete, by: 1, base: base, isSame: true))
      }
      if isOnePush {
        pushes[1, default: 0] += 1
        _ = try zone.take(SyncPush(site: 1, number: pushes[1] ?? 0, edits: edits), now: 1)
      } else {
        for edit in edits { try push(1, edit) }
      }
      if !isEditedFirst { try push(2, news) }
      for row in rows { #expect(isThere(row), "\(row) \(isOwnerFirst)") }
      #expect(record(edited)?.fields[1]?.value == .row(owner) && record(edited)?.fields[2]?.value == .text("news"))
    }
  }

  @Test mutating func `a reference that is none as its row is gone brings no row back`() throws {
    begin(Self.categories(.editWins))
    let (tag, post) = (row(2, 1), row(1, 1))
    try push(1, edit(post, by: 1, [1: .text("One"), 2: .row(tag)]))
    let base = seen
    try push(1, edit(post, .delete, by: 1, base: base))
    let field = SyncFieldEdit(value: .null, ancestor: .row(tag), base: base, stamp: .first(of: 2))
    try push(
      2, SyncEdit(row: post, kind: .update, base: base, stamp: SyncStamp(time: 9, site: 2), fields: [2: field]))
    #expect(!isThere(post))
  }

  @Test mutating func `a change of a row that has the same partner as before reads none of those that refer to it`()
    throws
  {
    func partner(_ name: String, in other: String, _ inverse: String) -> Field {
      Field(SyncName(name), reference: SyncReference(to: other, inverse: inverse))
    }
    begin(
      SyncSchema(entities: [
        SyncEntity(
          SyncName("Workspace"), fields: [partner("settings", in: "Settings", "workspace"), Field(SyncName("name"))]),
        SyncEntity(
          SyncName("Settings"),
          fields: [
            partner("workspace", in: "Workspace", "settings"),
            Field(SyncName("origin"), reference: SyncReference(to: "Workspace")),
          ]),
      ]))
    let (workspace, settings) = (row(1, 1), row(2, 1))
    try push(1, edit(workspace, by: 1, [1: .row(settings)]), edit(settings, by: 1, [1: .row(workspace)]))
    for key in 1...50 as ClosedRange<Int64> { try push(1, edit(row(2, 2, key), by: 1, [2: .row(workspace)])) }
    let before = zone.storage.referrersRead
    try push(1, edit(workspace, .update, by: 1, base: seen, [2: .text("Home")]))
    #expect(zone.storage.referrersRead - before == 0)
  }

  @Test mutating func `a push ends where programs of one version have two relationships with one inverse`() throws {
    func partner(_ name: String, in other: String, _ inverse: String) -> Field {
      Field(SyncName(name), reference: SyncReference(to: other, inverse: inverse))
    }
    func schema(_ name: String) -> SyncSchema {
      SyncSchema(entities: [
        SyncEntity(SyncName("Person"), fields: [partner(name, in: "Pass", "owner")]),
        SyncEntity(SyncName("Pass"), fields: [partner("owner", in: "Person", name)]),
      ])
    }
    begin(schema("passport"), schema("document"))
    let (ann, one, two) = (row(1, 1), row(2, 1), row(2, 1, 2))
    try push(1, edit(ann, by: 1), edit(one, by: 1), edit(two, by: 1))
    let base = seen
    try push(
      1, edit(ann, .update, by: 1, base: base, [1: .row(one)]), edit(one, .update, by: 1, base: base, [1: .row(ann)]))
    try push(
      2, edit(ann, .update, by: 2, base: base, [2: .row(two)]), edit(two, .update, by: 2, base: base, [1: .row(ann)]))
    #expect(record(ann)?.fields[2]?.value == .row(two) && record(two)?.fields[1]?.value == .row(ann))
  }

  @Test(arguments: [true, false])
  mutating func `a reference to a row that becomes another one is as late as it was`(isLaterFirst: Bool) throws {
    begin(
      SyncSchema(entities: [
        SyncEntity(
          SyncName("Author"), fields: [Field(SyncName("name")), Field(SyncName("bio"))], uniqueness: [["name"]]),
        SyncEntity(SyncName("Book"), fields: [Field(SyncName("author"), reference: SyncReference(to: "Author"))]),
      ]))
    let (ann, other, second, book) = (row(1, 3), row(1, 3, 2), row(1, 1), row(2, 3))
    try push(3, edit(ann, by: 3, [1: .text("Ann")]), edit(other, by: 3), edit(book, by: 3))
    let base = seen
    let reference = edit(book, .update, by: 1, base: base, [1: .row(second)])
    let later = edit(book, .update, by: 2, base: base, [1: .row(other)])
    let author = edit(second, by: 1, [1: .text("Ann"), 2: .text("Writes.")])
    if isLaterFirst { try push(2, later) }
    try push(1, author, reference)
    if !isLaterFirst { try push(2, later) }
    #expect(record(book)?.fields[1]?.value == .row(other))
  }

  @Test(arguments: [true, false])
  mutating func `a value that a row gets back is as late as it was`(isRefusedFirst: Bool) throws {
    begin(
      SyncSchema(entities: [SyncEntity(SyncName("Author"), fields: [Field(SyncName("name"))], uniqueness: [["name"]])])
    )
    let (ann, bea) = (row(1, 3), row(1, 3, 2))
    try push(3, edit(ann, by: 3, [1: .text("Ann")]), edit(bea, by: 3, [1: .text("Bea")]))
    let base = seen
    let renamed = edit(bea, .update, by: 2, base: base, [1: .text("Cee")])
    let refused = edit(bea, .update, by: 1, base: base, [1: .text("Ann")])
    try push(isRefusedFirst ? 1 : 2, isRefusedFirst ? refused : renamed)
    try push(isRefusedFirst ? 2 : 1, isRefusedFirst ? renamed : refused)
    #expect(record(bea)?.fields[1]?.value == .text("Cee"))
  }

  @Test(arguments: [true, false])
  mutating func `what let go of a row that comes back with one that stays refers to it again`(isOwner: Bool) throws {
    func field(_ name: String, _ other: String, _ rule: SyncReference.DeleteRule = .nullify) -> Field {
      Field(SyncName(name), reference: SyncReference(to: other, deleteRule: rule))
    }
    let note = [field("folder", "Folder", .cascade), Field(SyncName("text"))]
    begin(
      SyncSchema(entities: [
        SyncEntity(
          SyncName("Folder"), deletion: isOwner ? .deletionWins : .editWins, fields: [Field(SyncName("name"))]),
        SyncEntity(SyncName("Note"), deletion: isOwner ? .editWins : .deletionWins, fields: note),
        SyncEntity(SyncName("Pin"), fields: [field("folder", "Folder"), field("note", "Note")]),
      ]))
    let (box, page, pin) = (row(1, 1), row(2, 1), row(3, 1))
    try push(1, edit(box, by: 1), edit(page, by: 1, [1: .row(box)]), edit(pin, by: 1, [1: .row(box), 2: .row(page)]))
    let base = seen
    let edited = isOwner ? edit(page, .update, by: 2, base: base, [2: .text("x")]) : nil
    try push(2, edited ?? edit(box, .update, by: 2, base: base, [1: .text("x")]))
    try push(
      1, edit(pin, .update, by: 1, base: base, [1: .null, 2: .null]), edit(box, .delete, by: 1, base: base),
      edit(page, .delete, by: 1, base: base, isSame: true))
    #expect(isThere(box) && isThere(page))
    #expect(record(pin)?.fields[1]?.value == .row(box) && record(pin)?.fields[2]?.value == .row(page))
  }

  @Test mutating func `what refers to a row that became one which became another refers to the last`() throws {
    func schema(_ version: Int, _ unique: [[String]]) -> SyncSchema {
      let author = Field(SyncName("author"), reference: SyncReference(to: "Author"))
      return SyncSchema(
        version: [version],
        entities: [
          SyncEntity(
            SyncName("Author"), fields: [Field(SyncName("mail")), Field(SyncName("nick"))], uniqueness: unique),
          SyncEntity(SyncName("Book"), fields: [author]),
        ])
    }
    begin(schema(2, [["mail"], ["nick"]]), schema(1, []))
    let (last, new, third, book) = (row(1, 2), row(1, 1), row(1, 1, 2), row(2, 1))
    try push(2, edit(last, by: 2, [1: .text("w"), 2: .text("ann")]))
    try push(
      1, edit(new, by: 1, [1: .text("a"), 2: .text("bo")]), edit(third, by: 1, [1: .text("a"), 2: .text("ann")]),
      edit(book, by: 1, [1: .row(third)]))
    #expect(record(book)?.fields[1]?.value == .row(last))
  }

  @Test mutating func `a list whose rows become others in a push is written once for all of them`() throws {
    begin(Self.categories())
    let (count, post) = (Int64(50), row(5, 2))
    func categories(_ site: UInt64) -> [SyncEdit] {
      (1...count).map { key in
        time += 1
        let stamp = SyncStamp(time: time, site: site)
        let name = SyncFieldEdit(value: .text("\(key)"), stamp: stamp)
        return SyncEdit(row: row(1, site, key), kind: .insert, stamp: stamp, fields: [1: name])
      }
    }
    let list = SyncValue.list((1...count).map { .row(row(1, 2, $0)) })
    _ = try zone.take(SyncPush(site: 1, number: 1, edits: categories(1)), now: 1)
    let place = seen
    let edits = categories(2) + [edit(post, by: 2, [1: list])]
    _ = try zone.take(SyncPush(site: 2, number: 1, edits: edits), now: 1)
    #expect(record(post)?.fields[1]?.value == .list((1...count).map { .row(row(1, 1, $0)) }))
    // Each row as it comes, and as it goes, and the other one as it gets its values; the list once more.
    #expect(seen - place == 3 * count + 2)
  }

  @Test mutating func `a list whose rows go in a push is written once for all of them, and so is one that comes later`()
    throws
  {
    let tracks = Field(SyncName("tracks"), policy: .set, reference: SyncReference(to: "Track"))
    begin(
      SyncSchema(entities: [
        SyncEntity(SyncName("Track"), fields: [Field(SyncName("name"))]),
        SyncEntity(SyncName("List"), fields: [tracks]),
      ]))
    let (count, lists) = (Int64(50), [row(2, 1), row(2, 2)])
    let rows = (1...count).map { row(1, 1, $0) }
    for row in rows { try push(1, edit(row, by: 1, [1: .text("\(row.key)")])) }
    let list = SyncValue.list(rows.map { .row($0) })
    try push(1, edit(lists[0], by: 1, [1: list]))
    let place = seen
    time += 1
    let stamp = SyncStamp(time: time, site: 1)
    let edits = rows.map { SyncEdit(row: $0, kind: .delete, base: place, stamp: stamp) }
    pushes[1, default: 0] += 1
    _ = try zone.take(SyncPush(site: 1, number: pushes[1] ?? 0, edits: edits), now: 1)
    #expect(seen - place == count + 1)
    try push(2, edit(lists[1], by: 2, [1: list]))
    #expect(seen - place == count + 3)
    for list in lists { #expect(record(list)?.fields[1]?.value == .list([])) }
  }

  @Test mutating func `a list whose rows come back in a push is written once for all of them`() throws {
    let tracks = Field(SyncName("tracks"), policy: .set, reference: SyncReference(to: "Track"))
    begin(
      SyncSchema(entities: [
        SyncEntity(SyncName("Track"), deletion: .editWins, fields: [Field(SyncName("name"))]),
        SyncEntity(SyncName("List"), fields: [tracks]),
      ]))
    let (count, list) = (Int64(50), row(2, 1))
    let rows = (1...count).map { row(1, 1, $0) }
    for row in rows { try push(1, edit(row, by: 1, [1: .text("\(row.key)")])) }
    let all = SyncValue.list(rows.map { .row($0) })
    try push(1, edit(list, by: 1, [1: all]))
    let before = seen
    time += 1
    let stamp = SyncStamp(time: time, site: 1)
    let emptied = SyncFieldEdit(value: .list([]), ancestor: all, base: before, stamp: stamp)
    let edits =
      [SyncEdit(row: list, kind: .update, base: before, stamp: stamp, fields: [1: emptied])]
      + rows.map { SyncEdit(row: $0, kind: .delete, base: before, stamp: stamp) }
    pushes[1, default: 0] += 1
    _ = try zone.take(SyncPush(site: 1, number: pushes[1] ?? 0, edits: edits), now: 1)
    #expect(record(list)?.fields[1]?.value == .list([]))
    let place = seen
    // Another device has not heard of it.
    let names = rows.map { edit($0, .update, by: 2, base: before, [1: .text("\($0.key)!")]) }
    pushes[2, default: 0] += 1
    _ = try zone.take(SyncPush(site: 2, number: pushes[2] ?? 0, edits: names), now: 1)
    #expect(record(list)?.fields[1]?.value == all)
    // Each row as it is edited, and as it notes what it outlived; and the list.
    #expect(seen - place == 2 * count + 1)
  }

  @Test mutating func `rows that become others with those that they refer to meet no conflict`() throws {
    let album = Field(SyncName("album"), reference: SyncReference(to: "Album"))
    begin(
      SyncSchema(entities: [
        SyncEntity(SyncName("Album"), fields: [Field(SyncName("name"))], uniqueness: [["name"]]),
        SyncEntity(SyncName("Track"), fields: [Field(SyncName("title")), album], uniqueness: [["title"]]),
      ]))
    for site in [UInt64(1), 2] {
      try push(
        site, edit(row(1, site), by: site, [1: .text("A")]),
        edit(row(2, site), by: site, [1: .text("t"), 2: .row(row(1, site))]))
    }
    #expect(record(row(2, 2))?.deletion?.mergedInto == row(2, 1))
    #expect(record(row(2, 1))?.fields[2]?.value == .row(row(1, 1)))
    #expect(zone.storage.lastPush(of: 2)?.conflicts == [])
  }

  @Test mutating func `a row keeps its values where it would be another one by what its reference becomes`() throws {
    // The relationship's other side leaves rows alone, so that the server knows nothing of it.
    let author = Field(SyncName("author"))
    begin(
      SyncSchema(entities: [
        SyncEntity(SyncName("Author"), fields: [Field(SyncName("name"))], uniqueness: [["name"]]),
        SyncEntity(
          SyncName("Book"), fields: [Field(SyncName("title")), author], uniqueness: [["title", "author"]]),
      ]))
    let (bob, ann, other) = (row(1, 2), row(1, 1), row(1, 2, 2))
    let (book, same) = (row(2, 2), row(2, 1))
    try push(2, edit(bob, by: 2, [1: .text("Bob")]), edit(book, by: 2, [1: .text("One"), 2: .row(bob)]))
    let base = seen
    try push(1, edit(ann, by: 1, [1: .text("Ann")]), edit(same, by: 1, [1: .text("One"), 2: .row(ann)]))
    try push(
      2, edit(other, by: 2, base: base, [1: .text("Ann")]),
      edit(book, .update, by: 2, base: base, [2: .row(other)], ancestors: [2: .row(bob)]))
    #expect(isThere(book) && isThere(same) && record(book)?.fields[2]?.value == .row(bob))
  }

  @Test mutating func `a row refers to what one became that came back with another, and was one that was there`() throws
  {
    func field(_ name: String, _ other: String, _ rule: SyncReference.DeleteRule, isRequired: Bool = false) -> Field {
      Field(SyncName(name), reference: SyncReference(to: other, deleteRule: rule, isRequired: isRequired))
    }
    begin(
      SyncSchema(entities: [
        SyncEntity(SyncName("Shelf"), fields: []),
        SyncEntity(
          SyncName("Category"), fields: [Field(SyncName("name")), field("shelf", "Shelf", .cascade)],
          uniqueness: [["name"]]),
        SyncEntity(
          SyncName("Track"),
          fields: [field("category", "Category", .nullify), field("shelf", "Shelf", .nullify, isRequired: true)]),
      ]))
    let (shelf, category, other, track) = (row(1, 1), row(2, 1), row(2, 1, 2), row(3, 2))
    try push(1, edit(shelf, by: 1), edit(category, by: 1, [1: .text("Jazz"), 2: .row(shelf)]))
    let base = seen
    try push(
      1, edit(shelf, .delete, by: 1, base: base), edit(category, .delete, by: 1, base: base, isSame: true))
    try push(1, edit(other, by: 1, [1: .text("Jazz")]))
    try push(2, edit(track, by: 2, base: base, [1: .row(category), 2: .row(shelf)]))
    #expect(isThere(shelf) && record(category)?.deletion?.mergedInto == other)
    #expect(record(track)?.fields[1]?.value == .row(other))
  }

  @Test(arguments: [true, false])
  mutating func `a partner is that of a row whose own partner goes in the same push`(isDeletionFirst: Bool) throws {
    func field(_ name: String, _ other: String, _ inverse: String) -> Field {
      Field(SyncName(name), reference: SyncReference(to: other, inverse: inverse))
    }
    begin(
      SyncSchema(entities: [
        SyncEntity(SyncName("Key"), fields: [field("lock", "Lock", "key")]),
        SyncEntity(SyncName("Lock"), fields: [field("key", "Key", "lock")]),
      ]))
    let (gone, key, lock) = (row(1, 1), row(1, 1, 2), row(2, 2))
    try push(1, edit(gone, by: 1), edit(key, by: 1), edit(lock, by: 1))
    let base = seen
    let deletion = edit(gone, .delete, by: 1, base: base)
    let own = edit(key, .update, by: 1, base: base, [1: .row(lock)])
    try push(
      2, edit(gone, .update, by: 2, base: base, [1: .row(lock)]),
      edit(lock, .update, by: 2, base: base, isSame: true, [1: .row(gone)]))
    if isDeletionFirst { try push(1, deletion, own) } else { try push(1, own, deletion) }
    #expect(record(key)?.fields[1]?.value == .row(lock) && record(lock)?.fields[1]?.value == .row(key))
  }

  @Test mutating func `what goes with one row needs none of the others that are gone`() throws {
    func field(_ name: String, _ other: String, _ rule: SyncReference.DeleteRule, isRequired: Bool) -> Field {
      Field(SyncName(name), reference: SyncReference(to: other, deleteRule: rule, isRequired: isRequired))
    }
    begin(
      SyncSchema(entities: [
        SyncEntity(SyncName("Box"), fields: []),
        SyncEntity(SyncName("Tag"), fields: []),
        SyncEntity(
          SyncName("Note"),
          fields: [
            field("tag", "Tag", .nullify, isRequired: true), field("box", "Box", .cascade, isRequired: false),
          ]),
        SyncEntity(SyncName("Pin"), fields: [field("box", "Box", .nullify, isRequired: false)]),
        SyncEntity(SyncName("Badge"), fields: [field("box", "Box", .nullify, isRequired: true)]),
      ]))
    let (box, tag, note, pin) = (row(1, 1), row(2, 1), row(3, 2), row(4, 1))
    try push(1, edit(box, by: 1), edit(tag, by: 1), edit(pin, by: 1, [1: .row(box)]))
    let base = seen
    try push(2, edit(note, by: 2, base: base, [1: .row(tag), 2: .row(box)]))
    try push(
      1, edit(pin, .update, by: 1, base: base, [1: .null]), edit(box, .delete, by: 1, base: base),
      edit(tag, .delete, by: 1, base: base, isSame: true))
    #expect(!isThere(note) && !isThere(box) && !isThere(tag))
  }

  @Test mutating func `a row that stays has nothing else stay that it refers to`() throws {
    let mark = Field(SyncName("mark"), reference: SyncReference(to: "Mark"))
    begin(
      SyncSchema(entities: [
        SyncEntity(SyncName("Note"), deletion: .editWins, fields: [mark, Field(SyncName("text"))]),
        SyncEntity(SyncName("Mark"), fields: []),
      ]))
    let (note, red) = (row(1, 1), row(2, 1))
    try push(1, edit(red, by: 1), edit(note, by: 1, [1: .row(red)]))
    let base = seen
    try push(2, edit(note, .update, by: 2, base: base, [2: .text("x")]))
    try push(1, edit(note, .delete, by: 1, base: base), edit(red, .delete, by: 1, base: base, isSame: true))
    #expect(isThere(note) && !isThere(red))
  }

  @Test mutating func `rows that a new constraint makes one have the later text of what programs merge`() throws {
    func schema(_ version: Int, _ unique: [[String]]) -> SyncSchema {
      SyncSchema(
        version: [version],
        entities: [
          SyncEntity(
            SyncName("Author"), fields: [Field(SyncName("name")), Field(SyncName("notes"), policy: .custom)],
            uniqueness: unique)
        ])
    }
    begin(schema(1, []))
    let (ann, other) = (row(1, 1), row(1, 2))
    try push(1, edit(ann, by: 1, [1: .text("Ann"), 2: .text("first")]))
    try push(2, edit(other, by: 2, [1: .text("Ann"), 2: .text("later")]))
    try begin(schema(2, [["name"]]), for: 3)
    #expect(isThere(ann) && !isThere(other) && record(ann)?.fields[2]?.value == .text("later"))
  }

  @Test mutating func `a row that becomes another takes along what was kept beside its values`() throws {
    func schema(_ version: Int, _ unique: [[String]]) -> SyncSchema {
      let fields = [Field(SyncName("name")), Field(SyncName("motto"), policy: .keepBoth)]
      return SyncSchema(
        version: [version], entities: [SyncEntity(SyncName("Author"), fields: fields, uniqueness: unique)])
    }
    begin(schema(1, []))
    let (ann, other) = (row(1, 1), row(1, 2))
    try push(1, edit(ann, by: 1, [1: .text("Ann"), 2: .text("first")]))
    try push(2, edit(other, by: 2, [1: .text("Ann"), 2: .text("second")]))
    try push(3, edit(other, .update, by: 3, base: 0, [2: .text("third")]))
    #expect(record(other)?.fields[2]?.others.count == 1)
    try begin(schema(2, [["name"]]), for: 4)
    let field = try #require(record(ann)?.fields[2])
    #expect(Set(([field] + field.others).map(\.value)) == [.text("first"), .text("second"), .text("third")])
  }

  @Test mutating func `a row that has its partner again lets go of the one that it had for a moment`() throws {
    begin(
      SyncSchema(entities: [
        SyncEntity(
          SyncName("Author"),
          fields: [
            Field(SyncName("name")),
            Field(SyncName("subject"), reference: SyncReference(to: "Topic", inverse: "expert")),
          ]),
        SyncEntity(
          SyncName("Topic"),
          fields: [
            Field(SyncName("name")),
            Field(SyncName("expert"), reference: SyncReference(to: "Author", inverse: "subject")),
          ]),
      ]))
    let (ann, sea, new) = (row(1, 1), row(2, 1, 2), row(2, 1, 1))
    try push(1, edit(ann, by: 1, [1: .text("Ann")]), edit(sea, by: 1, [1: .text("Sea")]))
    try push(
      1, edit(ann, .update, by: 1, base: seen, [2: .row(sea)]), edit(sea, .update, by: 1, base: seen, [2: .row(ann)]))
    let base = seen
    let edits = [
      edit(new, by: 3, [1: .text("New"), 2: .row(ann)]),
      edit(ann, .update, by: 3, base: base, [2: .row(new)], ancestors: [2: .row(sea)]),
      edit(sea, .update, by: 3, base: base, [2: .null], ancestors: [2: .row(ann)]),
    ]
    // Later, by who does not know of that.
    try push(2, edit(sea, .update, by: 2, base: base, [2: .row(ann)]))
    try push(3, edits[0], edits[1], edits[2])
    #expect(record(ann)?.fields[2]?.value == .row(sea) && record(sea)?.fields[2]?.value == .row(ann))
    #expect(record(new)?.fields[2]?.value == .null)
  }

  @Test mutating func `a row that others keep lets go of its partner, which another row has by then`() throws {
    func field(_ name: String, _ other: String, _ inverse: String) -> Field {
      Field(SyncName(name), reference: SyncReference(to: other, inverse: inverse))
    }
    begin(
      SyncSchema(entities: [
        SyncEntity(SyncName("Author"), fields: [field("subject", "Topic", "expert")]),
        SyncEntity(SyncName("Topic"), fields: [field("expert", "Author", "subject")]),
        SyncEntity(
          SyncName("Book"),
          fields: [Field(SyncName("author"), reference: SyncReference(to: "Author", isRequired: true))]
        ),
      ]))
    let (ann, ben, sea, book) = (row(1, 1), row(1, 1, 2), row(2, 1), row(3, 2))
    try push(1, edit(ann, by: 1, [1: .row(sea)]), edit(sea, by: 1, isSame: true, [1: .row(ann)]))
    let base = seen
    try push(2, edit(book, by: 2, base: base, [1: .row(ann)]))
    try push(
      1, edit(ann, .delete, by: 1, base: base), edit(ben, by: 1, [1: .row(sea)]),
      edit(sea, .update, by: 1, base: base, [1: .row(ben)]))
    #expect(record(ben)?.fields[1]?.value == .row(sea) && record(sea)?.fields[1]?.value == .row(ben))
    #expect(isThere(ann) && record(ann)?.fields[1]?.value == .null)
  }

  @Test mutating func `what a list has besides is not read as something is put in`() throws {
    begin(
      SyncSchema(entities: [
        SyncEntity(
          SyncName("Album"), fields: [Field(SyncName("photos"), policy: .set, reference: SyncReference(to: "Photo"))]),
        SyncEntity(SyncName("Photo"), fields: [Field(SyncName("data"))]),
      ]))
    let (album, data) = (row(1, 1), SyncValue.blob([1]))
    let photos = (1...100).map { row(2, 1, $0) }
    pushes[1] = 1
    let edits = photos.map { edit($0, by: 1, [1: data]) }
    _ = try zone.take(SyncPush(site: 1, number: 1, edits: edits), now: 1)
    let list = SyncValue.list(photos.map { .row($0) })
    try push(1, edit(album, by: 1, base: seen, [1: list]))
    let (before, new) = (zone.storage.recordsRead, row(2, 1, 101))
    let longer = SyncValue.list((photos + [new]).map { .row($0) })
    let change = edit(album, .update, by: 1, base: seen, [1: longer], ancestors: [1: list])
    try push(1, edit(new, by: 1, base: seen, [1: data]), change)
    #expect(record(album)?.fields[1]?.value == longer && zone.storage.recordsRead - before < 20)
  }

  @Test mutating func `a long value that a row gets back is all of what it was`() throws {
    begin(
      SyncSchema(entities: [
        SyncEntity(
          SyncName("Page"), fields: [Field(SyncName("address")), Field(SyncName("text"))], uniqueness: [["address"]])
      ]))
    let texts = ["one", "two"].map { SyncValue.text(String(repeating: $0, count: 100)) }
    let (one, two) = (row(1, 1), row(1, 1, 2))
    try push(1, edit(one, by: 1, [1: texts[0], 2: texts[0]]), edit(two, by: 1, [1: texts[1], 2: texts[1]]))
    try push(2, edit(two, .update, by: 2, base: seen, [1: texts[0]]))
    #expect(record(two)?.fields[1]?.value == texts[1] && record(two)?.fields[2]?.value == texts[1])
  }

  @Test mutating func `a row that as many let go of as there are is written once in a push`() throws {
    let project = SyncReference(to: "Project")
    begin(
      SyncSchema(entities: [
        SyncEntity(SyncName("Project"), fields: []),
        SyncEntity(SyncName("Task"), fields: [Field(SyncName("project"), reference: project)]),
        SyncEntity(
          SyncName("Milestone"),
          fields: [Field(SyncName("project"), reference: SyncReference(to: "Project", isRequired: true))]),
      ]))
    let roof = row(1, 1)
    try push(1, edit(roof, by: 1))
    try push(1, edit(roof, .delete, by: 1, base: seen))
    let before = seen
    let tasks = (1...100).map { edit(row(2, 2, $0), by: 2, [1: .row(roof)]) }
    pushes[2, default: 0] += 1
    _ = try zone.take(SyncPush(site: 2, number: 1, edits: tasks), now: 1)
    #expect(record(roof)?.owners.count == 100 && seen == before + 201)
  }
}
