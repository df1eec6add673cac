import SyncMerge
import Testing

// Rows that are there again.
extension ZoneRelationshipsTests {
  private func field(_ name: String, _ other: String) -> Field {
    Field(SyncName(name), reference: SyncReference(to: other, deleteRule: .cascade))
  }

  @Test mutating func `a row that was moved to one which is gone goes with that, whatever goes with it`() throws {
    begin(
      SyncSchema(entities: [
        SyncEntity(SyncName("Folder"), fields: []), SyncEntity(SyncName("Note"), fields: [field("folder", "Folder")]),
        SyncEntity(SyncName("Clip"), fields: [field("note", "Note")]),
      ]))
    let (one, two, note, clip) = (row(1, 1), row(1, 1, 2), row(2, 2), row(3, 2))
    try push(1, edit(one, by: 1), edit(two, by: 1))
    let base = seen
    try push(2, edit(note, by: 2, base: base, [1: .row(one)]), edit(clip, by: 2, base: base, [1: .row(note)]))
    let own = seen
    try push(1, edit(one, .delete, by: 1, base: base), edit(two, .delete, by: 1, base: base, isSame: true))
    #expect(!isThere(note) && !isThere(clip))
    try push(2, edit(note, .update, by: 2, base: own, [1: .row(two)]))
    #expect(!isThere(two) && !isThere(note) && !isThere(clip))
  }

  @Test mutating func `a row that is back, and becomes another one, keeps that one with what it went with`() throws {
    begin(
      SyncSchema(entities: [
        SyncEntity(SyncName("Folder"), fields: []),
        SyncEntity(
          SyncName("Note"), deletion: .editWins,
          fields: [Field(SyncName("name")), Field(SyncName("text")), field("folder", "Folder")],
          uniqueness: [["name"]]),
      ]))
    let (one, two, note, other) = (row(1, 3), row(1, 3, 2), row(2, 2), row(2, 1))
    try push(3, edit(one, by: 3), edit(two, by: 3))
    let earlier = edit(other, by: 1, base: seen, [1: .text("x"), 3: .row(two)])
    try push(2, edit(note, by: 2, base: seen, [1: .text("x"), 3: .row(one)]))
    let base = seen
    try push(2, edit(one, .delete, by: 2, base: base), edit(note, .delete, by: 2, base: base, isSame: true))
    try push(1, earlier)
    try push(3, edit(note, .update, by: 3, base: base, [2: .text("edited")]))
    #expect(isThere(other) && isThere(one) && record(other)?.fields[2]?.value == .text("edited"))
  }

  @Test
  mutating func `what goes with a row that is back, and became another one, is there however late its deletion comes`()
    throws
  {
    let clips = Field(SyncName("clip"), reference: SyncReference(to: "Clip", takesAlong: true))
    begin(
      SyncSchema(entities: [
        SyncEntity(
          SyncName("Note"), deletion: .editWins, fields: [Field(SyncName("name")), Field(SyncName("text")), clips],
          uniqueness: [["name"]]), SyncEntity(SyncName("Clip"), fields: []),
      ]))
    let (note, other, clip) = (row(1, 2), row(1, 1), row(2, 2))
    let earlier = edit(other, by: 1, [1: .text("x")])
    try push(2, edit(clip, by: 2), edit(note, by: 2, [1: .text("x"), 3: .row(clip)]))
    let base = seen
    let deletion = edit(note, .delete, by: 2, base: base)
    let late = edit(clip, .delete, by: 2, base: base, isSame: true)
    try push(2, deletion)
    try push(1, earlier)
    try push(3, edit(note, .update, by: 3, base: base, [2: .text("edited")]))
    #expect(record(note)?.deletion?.mergedInto == other)
    try push(2, late)
    #expect(isThere(other) && isThere(clip) && record(other)?.fields[3]?.value == .row(clip))
  }

  @Test(arguments: [false, true])
  mutating func `what let go of a row in an earlier push refers to it again as that stays, unless somebody wrote since`(
    isWritten: Bool
  ) throws {
    let topic = Field(SyncName("topic"), reference: SyncReference(to: "Topic"))
    begin(
      SyncSchema(entities: [
        SyncEntity(SyncName("Topic"), deletion: .editWins, fields: [Field(SyncName("name"))]),
        SyncEntity(SyncName("Note"), fields: [topic]),
      ]))
    let (sea, note) = (row(1, 1), row(2, 1))
    try push(1, edit(sea, by: 1), edit(note, by: 1, [1: .row(sea)]))
    let base = seen
    // The device's table let go of it as the topic went, whose deletion comes in the next push.
    var letGo = edit(note, .update, by: 1, base: base)
    letGo.fields[1] = SyncFieldEdit(value: .null, ancestor: .row(sea), base: base, stamp: .first(of: 1))
    let told = record(sea)?.sequence
    try push(1, letGo)
    #expect(record(note)?.fields[1]?.value == .null && record(sea)?.sequence == told)
    #expect(try zone.page(behind: 0, for: 2, limit: 9).records.allSatisfy(\.owners.isEmpty))
    let kept = try #require(record(sea))
    #expect(try kept.owners.count == 1 && SyncRecord(encoded: kept.encoded) == kept)
    if isWritten {
      try push(2, edit(note, .update, by: 2, base: seen, [1: .row(sea)]))
      try push(2, edit(note, .update, by: 2, base: seen, [1: .null]))
    }
    try push(2, edit(sea, .update, by: 2, base: base, [1: .text("deep")]))
    try push(1, edit(sea, .delete, by: 1, base: base))
    #expect(isThere(sea) && record(sea)?.owners == [])
    #expect(record(note)?.fields[1]?.value == (isWritten ? .null : .row(sea)))
  }

  @Test(arguments: [SyncDeletionPolicy.deletionWins, .editWins])
  mutating func `who deletes a row, and has not seen that a new one became that, deletes what it has not seen`(
    policy: SyncDeletionPolicy
  ) throws {
    begin(
      SyncSchema(entities: [
        SyncEntity(SyncName("Note"), deletion: policy, fields: [Field(SyncName("name"))], uniqueness: [["name"]])
      ]))
    let (one, new) = (row(1, 1), row(1, 3))
    let earlier = edit(new, by: 3, [1: .text("x")])
    try push(1, edit(one, by: 1, [1: .text("x")]))
    let base = seen
    try push(3, earlier)
    #expect(record(new)?.deletion?.mergedInto == one)
    let conflicts = try push(2, edit(one, .delete, by: 2, base: base))
    #expect(isThere(one) == (policy == .editWins) && conflicts.map(\.row) == [one])
  }

  @Test mutating func `who wrote a list, and deleted a row of it, has edited what else it has`() throws {
    let tags = Field(SyncName("tags"), policy: .set, reference: SyncReference(to: "Tag"))
    begin(
      SyncSchema(entities: [
        SyncEntity(SyncName("Tag"), fields: []), SyncEntity(SyncName("Post"), deletion: .editWins, fields: [tags]),
      ]))
    let (one, two, post) = (row(1, 1), row(1, 1, 2), row(2, 2))
    try push(1, edit(one, by: 1), edit(two, by: 1))
    try push(2, edit(post, by: 2, base: seen))
    let base = seen
    try push(1, edit(post, .update, by: 1, base: base, [1: .list([.row(one), .row(two)])]))
    try push(1, edit(one, .delete, by: 1, base: seen))
    try push(2, edit(post, .delete, by: 2, base: base))
    #expect(isThere(post) && record(post)?.fields[1]?.value == .list([.row(two)]))
  }

  @Test mutating func `a row that outlives an old deletion still outlives a later one of the same device`() throws {
    let item = Field(SyncName("note"), reference: SyncReference(to: "Note", isRequired: true))
    let clip = Field(SyncName("clip"), reference: SyncReference(to: "Clip", takesAlong: true))
    begin(
      SyncSchema(entities: [
        SyncEntity(SyncName("Note"), deletion: .editWins, fields: [Field(SyncName("text")), clip]),
        SyncEntity(SyncName("Clip"), fields: []), SyncEntity(SyncName("Item"), fields: [item]),
      ]))
    let (note, clips) = (row(1, 1), row(2, 1))
    try push(1, edit(clips, by: 1), edit(note, by: 1, [2: .row(clips)]))
    let base = seen
    let early = edit(note, .delete, by: 1, base: base)
    try push(3, edit(note, .update, by: 3, base: base, [1: .text("a")]))
    let later = edit(note, .delete, by: 1, base: base)
    let late = edit(clips, .delete, by: 1, base: base, isSame: true)
    try push(1, later)
    try push(1, early)
    try push(1, late)
    #expect(isThere(note) && isThere(clips))
  }

  @Test mutating func `a list that loses two rows, of which nobody else has written, is no edit`() throws {
    let tags = Field(SyncName("tags"), policy: .set, reference: SyncReference(to: "Tag"))
    begin(
      SyncSchema(entities: [
        SyncEntity(SyncName("Tag"), fields: []), SyncEntity(SyncName("Post"), deletion: .editWins, fields: [tags]),
      ]))
    let (one, two, post) = (row(1, 1), row(1, 1, 2), row(2, 1))
    try push(1, edit(one, by: 1), edit(two, by: 1), edit(post, by: 1, [1: .list([.row(one), .row(two)])]))
    let base = seen
    try push(1, edit(one, .delete, by: 1, base: base))
    try push(1, edit(two, .delete, by: 1, base: base))
    try push(2, edit(post, .delete, by: 2, base: base))
    #expect(!isThere(post))
  }

  private static func pairs(isUnique: Bool, isDeclared: Bool = false) -> SyncSchema {
    func partner(of other: String, _ isRequired: Bool) -> Field {
      Field(SyncName("partner"), reference: SyncReference(to: other, isRequired: isRequired, inverse: "partner"))
    }
    let uniqueness = isUnique ? [["partner"]] : []
    let partners: Set = isUnique && !isDeclared ? ["partner"] : []
    func entity(_ name: String, _ other: String) -> SyncEntity {
      SyncEntity(SyncName(name), fields: [partner(of: other, true)], uniqueness: uniqueness, partners: partners)
    }
    return SyncSchema(
      version: [isDeclared ? 3 : isUnique ? 2 : 1], entities: [entity("Left", "Right"), entity("Right", "Left")])
  }

  @Test mutating func `pairs that must have each other stay two, in whichever parts they exchange partners`() throws {
    begin(Self.pairs(isUnique: true))
    let lefts = [row(1, 1), row(1, 1, 2)]
    let rights = [row(2, 1), row(2, 1, 2)]
    for place in 0..<2 {
      try push(
        1, edit(lefts[place], by: 1, [1: .row(rights[place])]), edit(rights[place], by: 1, [1: .row(lefts[place])]))
    }
    let base = seen
    let edits = [
      edit(lefts[0], .update, by: 1, base: base, [1: .row(rights[1])]),
      edit(lefts[1], .update, by: 1, base: base, [1: .row(rights[0])]),
      edit(rights[0], .update, by: 1, base: base, [1: .row(lefts[1])]),
      edit(rights[1], .update, by: 1, base: base, [1: .row(lefts[0])]),
    ]
    try push(1, edits[0])
    try push(1, edits[1], edits[2], edits[3])
    #expect((lefts + rights).allSatisfy(isThere))
  }

  @Test mutating func `rows that have one partner stay two as others change what they refer to`() throws {
    func schema(_ version: Int, isUnique: Bool) -> SyncSchema {
      let user = SyncReference(to: "User", isRequired: true, inverse: "settings")
      return SyncSchema(
        version: [version],
        entities: [
          SyncEntity(
            SyncName("User"),
            fields: [Field(SyncName("settings"), reference: SyncReference(to: "Settings", inverse: "user"))]),
          SyncEntity(
            SyncName("Settings"),
            fields: [
              Field(SyncName("user"), reference: user), Field(SyncName("theme"), reference: SyncReference(to: "Theme")),
            ], uniqueness: isUnique ? [["user"]] : [], partners: isUnique ? ["user"] : []),
          SyncEntity(SyncName("Theme"), fields: [Field(SyncName("name"))], uniqueness: isUnique ? [["name"]] : []),
        ])
    }
    begin(schema(1, isUnique: false))
    let (user, one, two, theme) = (row(1, 1), row(2, 1), row(2, 2), row(3, 1))
    // One of two with the same name: the other becomes it with the constraint.
    let (dark, other) = (row(3, 2), row(3, 3))
    for theme in [dark, other] { try push(1, edit(theme, by: 1, [1: .text("dark")])) }
    let three = row(2, 3)
    try push(1, edit(user, by: 1), edit(theme, by: 1), edit(one, by: 1, [1: .row(user)]))
    try push(2, edit(two, by: 2, base: seen, [1: .row(user), 2: .row(theme)]))
    try push(2, edit(three, by: 2, base: seen, [1: .row(user), 2: .row(other)]))
    try begin(schema(2, isUnique: true), for: 3)
    #expect(!isThere(other) && isThere(three) && record(three)?.fields[2]?.value == .row(dark))
    try push(1, edit(theme, .delete, by: 1, base: seen))
    #expect(isThere(one) && isThere(two) && record(two)?.fields[2]?.value == .null)
  }

  @Test mutating func `what was written nobody knows when brings no row back that is gone`() throws {
    begin(
      SyncSchema(entities: [
        SyncEntity(SyncName("Note"), deletion: .editWins, fields: [Field(SyncName("text"))])
      ]))
    let note = row(1, 1)
    try push(1, edit(note, by: 1))
    let base = seen
    try push(1, edit(note, .delete, by: 1, base: base))
    let stamp = SyncStamp.unknown(of: 2)
    try push(
      2,
      SyncEdit(
        row: note, kind: .update, base: base, stamp: stamp, fields: [1: SyncFieldEdit(value: .text("x"), stamp: stamp)])
    )
    #expect(!isThere(note))
  }

  @Test mutating func `to bring back a row that the zone has never had makes none`() throws {
    begin(SyncSchema(entities: [SyncEntity(SyncName("Note"), fields: [Field(SyncName("text"))])]))
    let note = row(1, 1)
    try push(1, edit(note, .update, by: 1))
    #expect(record(note) == nil)
  }

  @Test mutating func `rows that have one partner stay two where programs come to say that each has its own`() throws {
    begin(Self.pairs(isUnique: false))
    let (first, second, right) = (row(1, 1), row(1, 2), row(2, 1))
    try push(1, edit(first, by: 1, [1: .row(right)]), edit(right, by: 1, [1: .row(first)]))
    try push(2, edit(second, by: 2, [1: .row(right)]))
    try begin(Self.pairs(isUnique: true), for: 3)
    #expect(isThere(first) && isThere(second) && record(second)?.fields[1]?.value == .row(right))
    // Where a program says itself that the partner is unique, its stores can have one of them only.
    try begin(Self.pairs(isUnique: true, isDeclared: true), for: 3)
    #expect(isThere(first) && !isThere(second))
  }
}
