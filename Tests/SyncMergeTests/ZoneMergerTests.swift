import SyncMerge
import TestSupport
import Testing

/// What holds for rows together.
@Suite struct ZoneMergerTests {
  private var zone: SyncZone<MemoryZone>
  private let author = 1
  private let book = 2
  private var pushes: [UInt64: Int64] = [:]
  private var time: UInt64 = 0

  init() { zone = SyncZone(MemoryZone(Self.registry())) }

  private static func registry(_ deletion: SyncDeletionPolicy = .deletionWins) -> SyncRegistry {
    let authors = SyncEntity(
      SyncName("Author"), deletion: deletion,
      fields: [SyncFieldDefinition(SyncName("name")), SyncFieldDefinition(SyncName("born"))],
      uniqueness: [["name"]])
    let books = SyncEntity(
      SyncName("Book"),
      fields: [
        SyncFieldDefinition(SyncName("author"), reference: SyncReference(to: "Author", deleteRule: .cascade)),
        SyncFieldDefinition(SyncName("editor"), reference: SyncReference(to: "Author")),
        SyncFieldDefinition(SyncName("printer"), reference: SyncReference(to: "Author", deleteRule: .deny)),
        SyncFieldDefinition(SyncName("isbn")), SyncFieldDefinition(SyncName("code")),
        SyncFieldDefinition(SyncName("former"), reference: SyncReference(to: "Book", deleteRule: .cascade)),
      ], uniqueness: [["isbn"], ["code"]])
    var registry = SyncRegistry()
    _ = registry.register(SyncSchema(entities: [authors, books]))
    return registry
  }

  private func row(_ entity: Int, _ site: UInt64, _ key: Int64 = 1) -> SyncRowID {
    SyncRowID(entity: entity, site: site, key: key)
  }

  @discardableResult
  private mutating func push(
    _ site: UInt64, _ row: SyncRowID, _ kind: SyncEdit.Kind = .insert, base: Int64 = 0,
    values: SyncFields<SyncValue> = [:]
  ) throws -> SyncPushAnswer {
    time += 1
    let stamp = SyncStamp(time: time, site: site)
    pushes[site, default: 0] += 1
    let edit = SyncEdit(
      row: row, kind: kind, base: base, stamp: stamp,
      fields: values.mapValues { SyncFieldEdit(value: $0, base: base, stamp: stamp) })
    return try zone.take(SyncPush(site: site, number: pushes[site] ?? 0, edits: [edit]), now: 1)
  }

  @Test mutating func `an edit of a row that is another one by now is the other's, and so is what refers to it`() throws
  {
    let (first, second) = (row(author, 1), row(author, 2))
    try push(1, first, values: [1: .text("Ann")])
    try push(2, second, values: [1: .text("Ann")])
    #expect(zone.storage.record(second)?.deletion?.mergedInto == first)
    // Neither had heard of it.
    try push(2, second, .update, base: 0, values: [2: .integer(1970)])
    try push(3, row(book, 3), values: [1: .row(second)])
    #expect(zone.storage.record(first)?.fields[2]?.value == .integer(1970))
    #expect(zone.storage.record(row(book, 3))?.fields[1]?.value == .row(first))
    #expect(zone.storage.record(second)?.deletion != nil)
  }

  @Test mutating func `a row that became another one which became another one is the last`() throws {
    let (first, second, third) = (row(author, 1), row(author, 2), row(author, 1, 2))
    try push(1, first, values: [1: .text("Ann")])
    try push(2, second, values: [1: .text("Ann")])
    try push(3, row(book, 3), values: [3: .row(first)])
    // The first must stay, as a book has it, and there is a new one with its name by then.
    time += 1
    pushes[1, default: 0] += 1
    let stamp = SyncStamp(time: time, site: 1)
    let edits = [
      SyncEdit(row: first, kind: .delete, base: zone.storage.place.sequence, stamp: stamp),
      SyncEdit(
        row: third, kind: .insert, stamp: stamp, fields: [1: SyncFieldEdit(value: .text("Ann"), stamp: stamp)]),
    ]
    _ = try zone.take(SyncPush(site: 1, number: pushes[1] ?? 0, edits: edits), now: 1)
    #expect(zone.storage.record(first)?.deletion?.mergedInto == third)
    try push(3, row(book, 3, 2), values: [1: .row(second)])
    #expect(zone.storage.record(row(book, 3, 2))?.fields[1]?.value == .row(third))
  }

  @Test mutating func `a deletion of a row that is another one by now leaves the other`() throws {
    let (first, second) = (row(author, 1), row(author, 2))
    try push(1, first, values: [1: .text("Ann")])
    try push(2, second, values: [1: .text("Ann")])
    try push(2, second, .delete)
    #expect(zone.storage.record(first)?.deletion == nil)
  }

  @Test mutating func `a letter with its accent and the two apart are two unique values`() throws {
    let (first, second) = (row(author, 1), row(author, 2))
    let (apart, composed) = (SyncValue.text("Zoe\u{301}"), SyncValue.text("Zo\u{e9}"))
    try push(1, first, values: [1: apart])
    try push(2, second, values: [1: composed])
    #expect(apart != composed && zone.storage.record(second)?.deletion == nil)
    // A row that was there keeps the value that it had.
    try push(1, first, .update, base: zone.storage.place.sequence, values: [1: composed])
    #expect(zone.storage.record(first)?.deletion == nil && zone.storage.record(first)?.fields[1]?.value == apart)
  }

  @Test mutating func `what refers to a row that becomes another one refers to that`() throws {
    let (first, second) = (row(author, 1), row(author, 2))
    try push(1, first, values: [1: .text("Ann")])
    try push(3, row(book, 3), values: [1: .row(second)])
    try push(2, second, values: [1: .text("Ann")])
    #expect(zone.storage.record(row(book, 3))?.fields[1]?.value == .row(first))
  }

  @Test mutating func `a row stays of its class when another one becomes it`() throws {
    let (first, second) = (row(author, 1), row(author, 2))
    try push(1, first, values: [SyncNumbers.classField: .integer(1), 1: .text("Ann")])
    try push(2, second, values: [SyncNumbers.classField: .integer(2), 1: .text("Ann")])
    // As a device sends it that must send all again.
    try push(2, second, values: [SyncNumbers.classField: .integer(2), 2: .integer(1970)])
    let record = try #require(zone.storage.record(first))
    #expect(record.fields[SyncNumbers.classField]?.value == .integer(1) && record.fields[2]?.value == .integer(1970))
  }

  @Test mutating func `a row that goes with another one says so in the journal`() throws {
    try push(1, row(author, 1), values: [1: .text("Ann")])
    let seen = zone.storage.place.sequence
    try push(1, row(author, 1), .delete, base: seen)
    let answer = try push(2, row(book, 2), values: [1: .row(row(author, 1))])
    #expect(answer.records.first?.deletion != nil && answer.conflicts.map(\.row) == [row(book, 2)])
    // What this device wrote is not to be seen.
    #expect(answer.conflicts.map(\.outcome) == [.server])
  }

  @Test mutating func `a row that somebody has back brings back the one that it went with`() throws {
    let (ann, one) = (row(author, 1), row(book, 1))
    try push(1, ann, values: [1: .text("Ann")])
    try push(1, one, values: [1: .row(ann)])
    try push(1, ann, .delete, base: 2)
    #expect(zone.storage.record(one)?.deletion != nil)
    try push(2, one, .update, base: 4)
    #expect(zone.storage.record(one)?.deletion == nil && zone.storage.record(ann)?.deletion == nil)
    #expect(zone.storage.record(one)?.fields[1]?.value == .row(ann))
  }

  @Test mutating func `a row that refers to one which is gone refers to none`() throws {
    try push(1, row(author, 1), values: [1: .text("Ann")])
    try push(1, row(author, 1), .delete, base: zone.storage.place.sequence)
    try push(2, row(book, 2), values: [2: .row(row(author, 1))])
    #expect(zone.storage.record(row(book, 2))?.fields[2]?.value == .null)
  }

  @Test mutating func `who refers to another row than one that others delete meanwhile does so, whichever comes first`()
    throws
  {
    let (ann, bob, one) = (row(author, 1), row(author, 1, 2), row(book, 1))
    try push(1, ann, values: [1: .text("Ann")])
    try push(1, bob, values: [1: .text("Bob")])
    try push(1, one, values: [2: .row(ann)])
    let seen = zone.storage.place.sequence
    // Written before, and sent after.
    time += 1
    let stamp = SyncStamp(time: time, site: 2)
    try push(1, ann, .delete, base: seen)
    #expect(zone.storage.record(one)?.fields[2]?.value == .null)
    let field = SyncFieldEdit(value: .row(bob), ancestor: .row(ann), base: seen, stamp: stamp)
    let edit = SyncEdit(row: one, kind: .update, base: seen, stamp: stamp, fields: [2: field])
    _ = try zone.take(SyncPush(site: 2, number: 1, edits: [edit]), now: 1)
    #expect(zone.storage.record(one)?.fields[2]?.value == .row(bob))
  }

  @Test mutating func `rows that pass a unique value on keep theirs where another one takes the last`() throws {
    let (ann, bob, one) = (row(author, 1), row(author, 1, 2), row(book, 1))
    try push(1, ann, values: [1: .text("Ann")])
    try push(1, bob, values: [1: .text("Bob"), 2: .integer(1970)])
    try push(1, one, values: [1: .row(bob)])
    let seen = zone.storage.place.sequence
    try push(2, row(author, 2), values: [1: .text("Zoe")])
    time += 1
    pushes[1, default: 0] += 1
    let stamp = SyncStamp(time: time, site: 1)
    func edit(_ row: SyncRowID, _ name: String, _ kind: SyncEdit.Kind = .update) -> SyncEdit {
      let base = kind == .insert ? 0 : seen
      let field = SyncFieldEdit(value: .text(name), base: base, stamp: stamp)
      return SyncEdit(row: row, kind: kind, base: base, stamp: stamp, fields: [1: field])
    }
    // A new one that takes what the first gives up is the first, as it keeps its own.
    let edits = [edit(ann, "Bob"), edit(bob, "Zoe"), edit(row(author, 1, 3), "Ann", .insert)]
    _ = try zone.take(SyncPush(site: 1, number: pushes[1] ?? 0, edits: edits), now: 1)
    for (row, name) in [(ann, "Ann"), (bob, "Bob")] {
      #expect(zone.storage.record(row)?.deletion == nil && zone.storage.record(row)?.fields[1]?.value == .text(name))
    }
    #expect(zone.storage.record(one)?.fields[1]?.value == .row(bob))
    #expect(zone.storage.record(row(author, 1, 3))?.deletion?.mergedInto == ann)
  }

  @Test mutating func `what moved away is there where the device goes on under another name`() throws {
    let (ann, bob, one) = (row(author, 1), row(author, 1, 2), row(book, 1))
    try push(1, ann, values: [1: .text("Ann")])
    try push(1, bob, values: [1: .text("Bob")])
    try push(1, one, values: [1: .row(ann)])
    let seen = zone.storage.place.sequence
    let (moved, gone) = (SyncStamp(time: time + 1, site: 1), SyncStamp(time: time + 2, site: 1))
    let deletion = SyncEdit(row: ann, kind: .delete, base: seen, stamp: gone)
    let field = SyncFieldEdit(value: .row(bob), ancestor: .row(ann), base: seen, stamp: moved)
    let move = SyncEdit(row: one, kind: .update, base: seen, stamp: moved, fields: [1: field])
    _ = try zone.take(SyncPush(site: 1, number: 4, edits: [deletion]), now: 1)
    _ = try zone.take(SyncPush(site: 9, number: 1, edits: [deletion]), now: 1)
    _ = try zone.take(SyncPush(site: 9, number: 2, edits: [move]), now: 1)
    #expect(zone.storage.record(one)?.deletion == nil)
  }

  @Test mutating func `a reference that is none as its row is gone keeps no row from being deleted`() throws {
    var registry = SyncRegistry()
    let expert = SyncFieldDefinition(SyncName("expert"), reference: SyncReference(to: "Author"))
    _ = registry.register(
      SyncSchema(entities: [
        SyncEntity(SyncName("Author"), fields: []),
        SyncEntity(SyncName("Topic"), deletion: .editWins, fields: [expert]),
      ]))
    zone = SyncZone(MemoryZone(registry))
    try push(1, row(1, 1))
    try push(1, row(2, 1), values: [1: .row(row(1, 1))])
    let seen = zone.storage.place.sequence
    try push(1, row(1, 1), .delete, base: seen)
    try push(2, row(2, 1), .delete, base: seen)
    #expect(zone.storage.record(row(2, 1))?.deletion != nil)
  }

  @Test mutating func `a computed value takes no deletion back, whoever deletes`() throws {
    let ann = row(author, 1)
    try push(1, ann, values: [1: .text("Ann")])
    let seen = zone.storage.place.sequence
    var replica = SyncReplica(row: ann, sequence: seen)
    replica.compute(.integer(7), of: 2, .first(of: 1))
    let edit = replica.send()
    try push(1, ann, .delete, base: seen)
    _ = try zone.take(SyncPush(site: 1, number: 3, edits: [try #require(edit)]), now: 1)
    #expect(zone.storage.record(ann)?.deletion != nil)
    var deleted = SyncReplica(row: ann, sequence: seen)
    deleted.delete(SyncStamp(time: 9, site: 1))
    deleted.compute(.integer(7), of: 2, .first(of: 1))
    #expect(deleted.pending?.kind == .delete)
  }

  @Test(arguments: [true, false])
  mutating func `a computed value neither keeps a row from being deleted nor brings it back`(isDeletionFirst: Bool)
    throws
  {
    zone = SyncZone(MemoryZone(Self.registry(.editWins)))
    let ann = row(author, 1)
    try push(1, ann, values: [1: .text("Ann")])
    let seen = zone.storage.place.sequence
    if isDeletionFirst { try push(1, ann, .delete, base: seen) }
    var replica = SyncReplica(row: ann, sequence: seen)
    replica.compute(.integer(7), of: 2, .first(of: 2))
    let edit = replica.send()
    _ = try zone.take(SyncPush(site: 2, number: 1, edits: [try #require(edit)]), now: 1)
    #expect(zone.storage.record(ann)?.fields[2]?.value == .integer(7))
    if !isDeletionFirst { try push(1, ann, .delete, base: seen) }
    #expect(zone.storage.record(ann)?.deletion != nil)
  }

  @Test mutating func `a deletion that is refused takes nothing along`() throws {
    zone = SyncZone(MemoryZone(Self.registry(.editWins)))
    let (ann, one, other) = (row(author, 1), row(book, 1), row(book, 1, 2))
    try push(1, ann, values: [1: .text("Ann")])
    try push(1, one, values: [1: .row(ann)])
    try push(1, other, values: [2: .row(ann)])
    let seen = zone.storage.place.sequence
    // Who deletes the author, and its book with it, does not know of this.
    try push(2, ann, .update, base: seen, values: [2: .integer(1970)])
    time += 1
    try delete([[one, other, ann]], by: 1, seen)
    #expect(zone.storage.record(ann)?.deletion == nil && zone.storage.record(one)?.deletion == nil)
    // This one did not go because of the author.
    #expect(zone.storage.record(other)?.deletion != nil)
  }

  @Test mutating func `what was deleted in a save before stays so where its owner's deletion is refused`() throws {
    zone = SyncZone(MemoryZone(Self.registry(.editWins)))
    let (ann, one, two) = (row(author, 1), row(book, 1), row(book, 1, 2))
    try push(1, ann, values: [1: .text("Ann")])
    for book in [one, two] { try push(1, book, values: [1: .row(ann)]) }
    let seen = zone.storage.place.sequence
    try push(2, ann, .update, base: seen, values: [2: .integer(1970)])
    try delete([[one], [two, ann]], by: 1, seen)
    #expect(zone.storage.record(ann)?.deletion == nil && zone.storage.record(two)?.deletion == nil)
    #expect(zone.storage.record(one)?.deletion != nil)
  }

  @Test(arguments: [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]])
  mutating func `what one of two deletions took along is there again with the row, whichever comes first`(
    order: [Int]
  ) throws {
    zone = SyncZone(MemoryZone(Self.registry(.editWins)))
    let (ann, one) = (row(author, 1), row(book, 1))
    try push(1, ann, values: [1: .text("Ann")])
    let before = zone.storage.place.sequence
    try push(1, one, values: [1: .row(ann)])
    let seen = zone.storage.place.sequence
    for turn in order {
      switch turn {
      case 0: try delete([[ann, one]], by: 1, seen)
      // This device does not know the book.
      case 1: try delete([[ann]], by: 2, before)
      default: try push(3, ann, .update, base: seen, values: [2: .integer(1970)])
      }
    }
    #expect(zone.storage.record(ann)?.deletion == nil && zone.storage.record(one)?.deletion == nil)
    let record = try #require(zone.storage.record(ann))
    #expect(try SyncRecord(encoded: record.encoded) == record)
  }

  @Test mutating func `rows that go with each other come back with the one that they went with`() throws {
    zone = SyncZone(MemoryZone(Self.registry(.editWins)))
    let (ann, one, sequel) = (row(author, 1), row(book, 1), row(book, 1, 2))
    try push(1, ann, values: [1: .text("Ann")])
    try push(1, one, values: [1: .row(ann)])
    try push(1, sequel, values: [6: .row(one)])
    try push(1, one, .update, base: zone.storage.place.sequence, values: [6: .row(sequel)])
    let seen = zone.storage.place.sequence
    try delete([[ann, one, sequel]], by: 1, seen)
    try push(3, ann, .update, base: seen, values: [2: .integer(1970)])
    for row in [ann, one, sequel] { #expect(zone.storage.record(row)?.deletion == nil) }
  }

  @Test func `deletions of a row are the same in whichever order they come`() throws {
    let stamps = [SyncStamp(time: 3, site: 1), SyncStamp(time: 2, site: 2), SyncStamp(time: 1, site: 1)]
    var found: Set<SyncDeletion> = []
    for order in [[0, 1, 2], [1, 0, 2], [2, 1, 0], [2, 0, 1]] {
      var record = SyncRecord(row: row(1, 1), sequence: 1)
      for index in order {
        let edit = SyncEdit(row: record.row, kind: .delete, stamp: stamps[index])
        record = edit.merged(into: record, SyncRules(), at: 2).record
      }
      let deletion = try #require(record.deletion)
      #expect(deletion.stamp == stamps[0] && deletion.others == [stamps[1]])
      found.insert(deletion)
      #expect(try SyncRecord(encoded: record.encoded) == record)
    }
    #expect(found.count == 1)
  }

  @Test(arguments: [true, false])
  mutating func `a row that is moved away from one that another device deletes stays, whichever comes first`(
    isDeletionFirst: Bool
  ) throws {
    let (ann, bob, one, two) = (row(author, 1), row(author, 1, 2), row(book, 1), row(book, 1, 3))
    try push(1, ann, values: [1: .text("Ann")])
    try push(1, bob, values: [1: .text("Bob")])
    try push(1, one, values: [1: .row(ann)])
    try push(1, two, values: [1: .row(ann)])
    let seen = zone.storage.place.sequence
    // Who deletes the author knows of none of its books.
    if isDeletionFirst { try delete([[ann]], by: 2, 2) }
    try push(3, one, .update, base: seen, values: [1: .row(bob)])
    try push(3, two, .update, base: seen, values: [4: .text("two"), 1: .row(ann)])
    if !isDeletionFirst { try delete([[ann]], by: 2, 2) }
    #expect(zone.storage.record(ann)?.deletion != nil && zone.storage.record(two)?.deletion != nil)
    let record = try #require(zone.storage.record(one))
    #expect(record.deletion == nil && record.fields[1]?.value == .row(bob))
  }

  /// One push with the deletions of several saves.
  private mutating func delete(_ saves: [[SyncRowID]], by site: UInt64, _ seen: Int64) throws {
    var edits: [SyncEdit] = []
    for rows in saves {
      time += 1
      edits += rows.map { SyncEdit(row: $0, kind: .delete, base: seen, stamp: SyncStamp(time: time, site: site)) }
    }
    pushes[site, default: 0] += 1
    _ = try zone.take(SyncPush(site: site, number: pushes[site] ?? 0, edits: edits), now: 1)
  }

  @Test(arguments: [SyncDeletionPolicy.deletionWins, .editWins], [true, false])
  mutating func `a deletion that is refused takes nothing along, in whichever pushes it comes`(
    policy: SyncDeletionPolicy, isOwnerFirst: Bool
  ) throws {
    for isEditedFirst in [true, false] { try refuse(policy, isOwnerFirst, isEditedFirst) }
  }

  private mutating func refuse(_ policy: SyncDeletionPolicy, _ isOwnerFirst: Bool, _ isEditedFirst: Bool) throws {
    pushes = [:]
    zone = SyncZone(MemoryZone(Self.registry(policy)))
    let (ann, one, sequel, other) = (row(author, 1), row(book, 1), row(book, 1, 2), row(book, 1, 3))
    try push(1, ann, values: [1: .text("Ann")])
    try push(1, one, values: [1: .row(ann)])
    try push(1, sequel, values: [6: .row(one)])
    try push(1, other, values: [2: .row(ann)])
    let seen = zone.storage.place.sequence
    // Who deletes the author, and what goes with it, knows of neither, which come before or after.
    func edit() throws {
      try push(2, ann, .update, base: seen, values: [2: .integer(1970)])
      try push(2, row(book, 2), values: [3: .row(ann)])
    }
    if isEditedFirst { try edit() }
    time += 1
    let rows = [ann, one, sequel, other]
    for row in isOwnerFirst ? rows : rows.reversed() {
      pushes[1, default: 0] += 1
      let edit = SyncEdit(row: row, kind: .delete, base: seen, stamp: SyncStamp(time: time, site: 1))
      _ = try zone.take(SyncPush(site: 1, number: pushes[1] ?? 0, edits: [edit]), now: 1)
    }
    if !isEditedFirst { try edit() }
    for row in [ann, one, sequel] { #expect(zone.storage.record(row)?.deletion == nil) }
    // This one did not go because of the author.
    #expect(zone.storage.record(other)?.deletion != nil)
    let record = try #require(zone.storage.record(ann))
    #expect(try !record.outlived.isEmpty && SyncRecord(encoded: record.encoded) == record)
    #expect(try zone.page(behind: 0, for: 2, limit: 9).records.allSatisfy(\.outlived.isEmpty))
  }

  @Test(arguments: [SyncDeletionPolicy.deletionWins, .editWins], [true, false])
  mutating func `a deletion that is refused gives back what it took along without being referred to`(
    policy: SyncDeletionPolicy, isList: Bool
  ) throws {
    for isEditedFirst in [true, false] { try giveBack(policy, isList, isEditedFirst) }
  }

  private mutating func giveBack(_ policy: SyncDeletionPolicy, _ isList: Bool, _ isEditedFirst: Bool) throws {
    let (topic, picture, card) = (1, 2, 3)
    let pictures = SyncFieldDefinition(
      SyncName("pictures"), policy: isList ? .set : .lastWriter,
      reference: SyncReference(to: "Picture", takesAlong: true))
    let schema = SyncSchema(entities: [
      SyncEntity(SyncName("Topic"), deletion: policy, fields: [SyncFieldDefinition(SyncName("notes")), pictures]),
      SyncEntity(SyncName("Picture"), fields: []),
      SyncEntity(
        SyncName("Card"),
        fields: [SyncFieldDefinition(SyncName("topic"), reference: SyncReference(to: "Topic", deleteRule: .deny))]),
    ])
    let (owner, own) = (row(topic, 1), row(picture, 1))
    let value: SyncValue = isList ? .list([.row(own)]) : .row(own)
    // In one push, or the one in a push before the other.
    for order in [[[owner, own]], [[own, owner]], [[owner], [own]], [[own], [owner]]] {
      var registry = SyncRegistry()
      _ = registry.register(schema)
      (zone, pushes) = (SyncZone(MemoryZone(registry)), [:])
      try push(1, own)
      try push(1, owner, values: [2: value])
      let seen = zone.storage.place.sequence
      // Who deletes them knows nothing of this, which comes before or after.
      func edit() throws { try push(2, owner, .update, base: seen, values: [1: .text("news")]) }
      if policy == .editWins, isEditedFirst { try edit() }
      time += 1
      let stamp = SyncStamp(time: time, site: 1)
      for rows in order {
        pushes[1, default: 0] += 1
        let edits = rows.map { SyncEdit(row: $0, kind: .delete, base: seen, stamp: stamp) }
        _ = try zone.take(SyncPush(site: 1, number: pushes[1] ?? 0, edits: edits), now: 1)
      }
      if policy == .deletionWins {
        #expect(zone.storage.record(owner)?.deletion != nil && zone.storage.record(own)?.deletion != nil)
        try push(2, row(card, 2), values: [1: .row(owner)])
      } else if !isEditedFirst {
        try edit()
      }
      #expect(zone.storage.record(owner)?.deletion == nil && zone.storage.record(own)?.deletion == nil, "\(order)")
      #expect(zone.storage.record(owner)?.fields[2]?.value == value, "\(order)")
      // By itself it may go, which a row remembers that has let go of it.
      try push(1, own, .delete, base: zone.storage.place.sequence)
      #expect(zone.storage.record(owner)?.fields[2]?.value == (isList ? .list([]) : .null))
      let record = try #require(zone.storage.record(own))
      #expect(try !record.owners.isEmpty && SyncRecord(encoded: record.encoded) == record)
      #expect(try zone.page(behind: 0, for: 2, limit: 9).records.allSatisfy(\.owners.isEmpty))
    }
  }

  @Test mutating func `a row that a deletion takes along gives up its unique values`() throws {
    try push(1, row(author, 1), values: [1: .text("Ann")])
    try push(3, row(book, 3), values: [1: .row(row(author, 1)), 4: .text("i")])
    try push(1, row(author, 1), .delete, base: zone.storage.place.sequence)
    try push(2, row(book, 2), values: [4: .text("i")])
    #expect(zone.storage.record(row(book, 2))?.deletion == nil && zone.storage.record(row(book, 3))?.deletion != nil)
  }

  @Test mutating func `a relationship that is part of what is unique counts as it is by now`() throws {
    let authors = SyncEntity(
      SyncName("Author"), fields: [SyncFieldDefinition(SyncName("name"))], uniqueness: [["name"]])
    let books = SyncEntity(
      SyncName("Book"),
      fields: [
        SyncFieldDefinition(SyncName("author"), reference: SyncReference(to: "Author")),
        SyncFieldDefinition(SyncName("title")),
      ], uniqueness: [["author", "title"]])
    var registry = SyncRegistry()
    _ = registry.register(SyncSchema(entities: [authors, books]))
    zone = SyncZone(MemoryZone(registry))
    let (ann, other) = (row(author, 1), row(author, 2))
    try push(1, ann, values: [1: .text("Ann")])
    try push(1, row(book, 1), values: [1: .row(ann), 2: .text("One")])
    try push(2, row(book, 2), values: [1: .row(other), 2: .text("One")])
    try push(2, other, values: [1: .text("Ann")])
    #expect(zone.storage.record(row(book, 2))?.deletion?.mergedInto == row(book, 1))
    // The first book has no author any more, and so nothing that another one may not have.
    try push(1, ann, .delete, base: zone.storage.place.sequence)
    try push(3, row(book, 3), values: [1: .row(ann), 2: .text("One")])
    #expect(zone.storage.record(row(book, 3))?.deletion == nil)
  }

  @Test(arguments: [SyncReference.DeleteRule.nullify, .noAction])
  mutating func `two rows that were given one partner end with one that has it, and both sides say so`(
    rule: SyncReference.DeleteRule
  ) throws {
    let (person, pass) = (1, 2)
    func partner(_ name: String, in other: String, _ inverse: String) -> SyncFieldDefinition {
      SyncFieldDefinition(SyncName(name), reference: SyncReference(to: other, deleteRule: rule, inverse: inverse))
    }
    let people = SyncEntity(SyncName("Person"), fields: [partner("pass", in: "Pass", "holder")])
    let passes = SyncEntity(SyncName("Pass"), fields: [partner("holder", in: "Person", "pass")])
    var registry = SyncRegistry()
    _ = registry.register(SyncSchema(entities: [people, passes]))
    zone = SyncZone(MemoryZone(registry))
    let (first, second, one) = (row(person, 1), row(person, 2), row(pass, 1))
    func field(_ row: SyncRowID) -> SyncValue? { zone.storage.record(row)?.fields[1]?.value }
    for row in [first, second] { try push(row.site, row) }
    try push(1, one, values: [1: .row(first)])
    #expect(field(first) == .row(one))
    // It knows nothing of that, and writes one side alone.
    try push(2, second, .update, values: [1: .row(one)])
    #expect(field(one) == .row(second) && field(second) == .row(one) && field(first) == .null)
    try push(1, one, .update, base: zone.storage.place.sequence, values: [1: .null])
    #expect(field(second) == .null)
    try push(1, one, .update, base: zone.storage.place.sequence, values: [1: .row(second)])
    try push(1, second, .delete, base: zone.storage.place.sequence)
    let expected: SyncValue = rule == .noAction ? .row(second) : .null
    #expect(field(one) == expected)
  }

  @Test mutating func `a row keeps all of its unique values that others have got meanwhile`() throws {
    let one = row(book, 1)
    try push(1, one, values: [4: .text("a"), 5: .text("b")])
    let seen = zone.storage.place.sequence
    try push(2, row(book, 2), values: [4: .text("c"), 5: .text("d")])
    try push(1, one, .update, base: seen, values: [4: .text("c"), 5: .text("d")])
    let record = try #require(zone.storage.record(one))
    #expect(record.deletion == nil && record.fields[4]?.value == .text("a") && record.fields[5]?.value == .text("b"))
  }

  @Test mutating func `a long chain of rows comes back with the first one`() throws {
    let count: Int64 = 600
    for key in 1...count {
      try push(1, row(book, 1, key), values: key > 1 ? [6: .row(row(book, 1, key - 1))] : [1: .row(row(author, 1))])
    }
    try push(1, row(author, 1), values: [1: .text("Ann")])
    try push(1, row(author, 1), .delete, base: zone.storage.place.sequence)
    #expect(zone.storage.record(row(book, 1, count))?.deletion != nil)
    try push(2, row(book, 2), values: [3: .row(row(author, 1))])
    #expect(zone.storage.record(row(book, 1, count))?.deletion == nil)
  }

  @Test func `a push may make a long chain of rows that become each other`() throws {
    let fields = ["a", "b", "c", "d"].map { SyncFieldDefinition(SyncName($0)) }
    var registry = SyncRegistry()
    let uniqueness = [["a", "b"], ["c", "d"]]
    _ = registry.register(
      SyncSchema(entities: [SyncEntity(SyncName("Link"), fields: fields, uniqueness: uniqueness)]))
    var zone = SyncZone(MemoryZone(registry))
    let (count, early, late): (Int64, UInt64, UInt64) = (10_000, 1, 1_000_000)
    var edits: [SyncEdit] = []
    func insert(_ key: Int64, _ values: [(value: Int64, time: UInt64)]) {
      var fields: SyncFields<SyncFieldEdit> = [:]
      for (place, field) in values.enumerated() {
        let stamp = SyncStamp(time: field.time, site: 1)
        fields[place + 1] = SyncFieldEdit(value: .integer(field.value), base: 0, stamp: stamp)
      }
      edits.append(
        SyncEdit(
          row: row(1, 1, key), kind: .insert, base: 0, stamp: SyncStamp(time: late, site: 1),
          fields: fields))
    }
    // Each takes of the one before what makes it the next one.
    for number in 1...count {
      let time = UInt64(100 + number)
      insert(2 * number - 1, [(0, early), (number, time), (-number, early), (number, time)])
      insert(2 * number, [(-number, early), (number + 1, time + 1), (0, early), (number, time)])
    }
    insert(2 * count + 1, [(0, late), (1, early), (0, late), (-1, early)])
    _ = try zone.take(SyncPush(site: 1, number: 1, edits: edits), now: 1)
    let there = zone.storage.rows.values.filter { $0.deletion == nil }
    #expect(there.map(\.row) == [row(1, 1, 2 * count)])
    // Nobody has to follow it.
    let others = Set(zone.storage.rows.values.compactMap { $0.deletion?.mergedInto })
    #expect(others == [row(1, 1, 2 * count)])
  }

  @Test mutating func `a row that must stay brings back those that went with it`() throws {
    try push(1, row(author, 1), values: [1: .text("Ann")])
    try push(3, row(book, 3), values: [1: .row(row(author, 1))])
    try push(1, row(author, 1), .delete, base: zone.storage.place.sequence)
    #expect(zone.storage.record(row(book, 3))?.deletion != nil)
    try push(2, row(book, 2), values: [3: .row(row(author, 1))])
    for present in [row(author, 1), row(book, 2), row(book, 3)] {
      #expect(zone.storage.record(present)?.deletion == nil)
    }
  }
}
