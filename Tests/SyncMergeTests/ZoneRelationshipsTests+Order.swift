import SyncMerge
import Testing

// What holds in whichever order a push has its edits, and rows are looked at.
extension ZoneRelationshipsTests {
  private static func reference(
    _ name: String, _ other: String, _ rule: SyncReference.DeleteRule = .nullify, isRequired: Bool = false
  ) -> Field {
    Field(SyncName(name), reference: SyncReference(to: other, deleteRule: rule, isRequired: isRequired))
  }

  @Test mutating func `a row that was moved does not go with the one that it was moved from, as its name is taken`()
    throws
  {
    begin(
      SyncSchema(entities: [
        SyncEntity(SyncName("Folder"), fields: []),
        SyncEntity(
          SyncName("Note"),
          fields: [Field(SyncName("name")), Self.reference("folder", "Folder", .cascade), Field(SyncName("text"))],
          uniqueness: [["name", "folder"]]),
      ]))
    let (one, two, note, other) = (row(1, 1), row(1, 1, 2), row(2, 1), row(2, 2))
    try push(
      1, edit(one, by: 1), edit(two, by: 1), edit(note, by: 1, [1: .text("x"), 2: .row(one), 3: .text("mine")]))
    let base = seen
    try push(2, edit(other, by: 2, base: base, [1: .text("x"), 2: .row(two)]))
    try push(
      1, edit(note, .update, by: 1, base: base, [2: .row(two)], ancestors: [2: .row(one)]),
      edit(one, .delete, by: 1, base: base))
    #expect(record(note)?.deletion?.mergedInto == other && record(other)?.fields[3]?.value == .text("mine"))
  }

  @Test(arguments: [false, true])
  mutating func `a row whose name is taken where it was moved to is where it was, or in nothing that is gone`(
    isRequired: Bool
  ) throws {
    begin(
      SyncSchema(entities: [
        SyncEntity(SyncName("Folder"), fields: []),
        SyncEntity(
          SyncName("Note"),
          fields: [Field(SyncName("name")), Self.reference("folder", "Folder", isRequired: isRequired)],
          uniqueness: [["name", "folder"]]),
      ]))
    let (one, two, note, other) = (row(1, 1), row(1, 1, 2), row(2, 1), row(2, 2))
    try push(1, edit(one, by: 1), edit(two, by: 1), edit(note, by: 1, [1: .text("x"), 2: .row(one)]))
    let base = seen
    try push(2, edit(other, by: 2, base: base, [1: .text("x"), 2: .row(two)]))
    try push(
      1, edit(note, .update, by: 1, base: base, [2: .row(two)], ancestors: [2: .row(one)]),
      edit(one, .delete, by: 1, base: base))
    #expect(isThere(note) && isThere(other) && isThere(one) == isRequired)
    #expect(record(note)?.fields[2]?.value == (isRequired ? .row(one) : .null))
  }

  @Test mutating func `a row that others keep has its name again, and the one that took it has its own`() throws {
    begin(
      SyncSchema(entities: [
        SyncEntity(SyncName("Category"), fields: [Field(SyncName("name"))], uniqueness: [["name"]]),
        SyncEntity(SyncName("Item"), fields: [Self.reference("category", "Category", isRequired: true)]),
      ]))
    let (work, job, item) = (row(1, 1), row(1, 1, 2), row(2, 2))
    try push(1, edit(work, by: 1, [1: .text("work")]), edit(job, by: 1, [1: .text("job")]))
    let base = seen
    try push(2, edit(item, by: 2, base: base, [1: .row(work)]))
    try push(
      1, edit(work, .delete, by: 1, base: base), edit(job, .update, by: 1, base: base, [1: .text("work")]))
    #expect(isThere(work) && isThere(job))
    #expect(record(work)?.fields[1]?.value == .text("work") && record(job)?.fields[1]?.value == .text("job"))
  }

  @Test(arguments: [false, true], [false, true])
  mutating func `a row that comes back does not bring what went with another one`(
    isTurned: Bool, areFieldsTurned: Bool
  ) throws {
    let fields = [Self.reference("student", "Student", .cascade), Self.reference("course", "Course", .cascade)]
    begin(
      SyncSchema(entities: [
        SyncEntity(SyncName("Student"), fields: []), SyncEntity(SyncName("Course"), fields: []),
        SyncEntity(SyncName("Enrollment"), fields: areFieldsTurned ? fields.reversed() : fields),
        SyncEntity(SyncName("Exam"), fields: [Self.reference("course", "Course", isRequired: true)]),
      ]))
    let (ann, maths, enrolled, exam) = (row(1, 1), row(2, 1), row(3, 2), row(4, 2))
    try push(1, edit(ann, by: 1), edit(maths, by: 1))
    let base = seen
    let values: SyncFields<SyncValue> =
      areFieldsTurned ? [1: .row(maths), 2: .row(ann)] : [1: .row(ann), 2: .row(maths)]
    try push(2, edit(enrolled, by: 2, base: base, values), edit(exam, by: 2, base: base, [1: .row(maths)]))
    let deletions = [edit(ann, .delete, by: 1, base: base), edit(maths, .delete, by: 1, base: base)]
    try push(1, deletions[isTurned ? 1 : 0], deletions[isTurned ? 0 : 1])
    #expect(!isThere(ann) && !isThere(enrolled) && isThere(maths) && isThere(exam))
  }

  @Test(arguments: [false, true])
  mutating func `nothing is kept for a row that goes itself, with one that goes later`(isTurned: Bool) throws {
    begin(
      SyncSchema(entities: [
        SyncEntity(SyncName("Box"), fields: []), SyncEntity(SyncName("Tag"), fields: []),
        SyncEntity(SyncName("Section"), fields: [Self.reference("box", "Box", .cascade)]),
        SyncEntity(
          SyncName("Note"),
          fields: [Self.reference("section", "Section", .cascade), Self.reference("tag", "Tag", isRequired: true)]),
      ]))
    let (box, tag, section, note) = (row(1, 1), row(2, 1), row(3, 2), row(4, 2))
    try push(1, edit(box, by: 1), edit(tag, by: 1))
    let base = seen
    try push(
      2, edit(section, by: 2, base: base, [1: .row(box)]),
      edit(note, by: 2, base: base, [1: .row(section), 2: .row(tag)]))
    let (first, second) = (edit(tag, .delete, by: 1, base: base), edit(box, .delete, by: 1, base: base, isSame: true))
    if isTurned { try push(1, second, first) } else { try push(1, first, second) }
    #expect(![box, tag, section, note].contains(where: isThere))
  }

  @Test(arguments: [false, true])
  mutating func `a row that goes with one of its owners keeps none of the others`(isTurned: Bool) throws {
    let fields = [Self.reference("course", "Course", .cascade), Self.reference("student", "Student", .cascade)]
    begin(
      SyncSchema(entities: [
        SyncEntity(SyncName("Course"), deletion: .editWins, fields: []), SyncEntity(SyncName("Student"), fields: []),
        SyncEntity(SyncName("Enrollment"), fields: isTurned ? fields.reversed() : fields),
      ]))
    let (maths, ann, enrolled) = (row(1, 1), row(2, 1), row(3, 2))
    try push(1, edit(maths, by: 1), edit(ann, by: 1))
    let base = seen
    let owners: [Int: SyncRowID] = isTurned ? [1: ann, 2: maths] : [1: maths, 2: ann]
    try push(2, edit(enrolled, by: 2, base: base, [1: .row(owners[1] ?? ann), 2: .row(owners[2] ?? ann)]))
    try push(1, edit(maths, .delete, by: 1, base: base), edit(ann, .delete, by: 1, base: base, isSame: true))
    #expect(![maths, ann, enrolled].contains(where: isThere))
  }

  @Test mutating func `a reference to a row that others keep stays as it was, with its time`() throws {
    begin(
      SyncSchema(entities: [
        SyncEntity(SyncName("Tag"), fields: []), SyncEntity(SyncName("Note"), fields: [Self.reference("tag", "Tag")]),
        SyncEntity(SyncName("Item"), fields: [Self.reference("tag", "Tag", isRequired: true)]),
      ]))
    let (tag, other, note, item) = (row(1, 1), row(1, 1, 2), row(2, 1), row(3, 2))
    try push(1, edit(tag, by: 1), edit(other, by: 1))
    let base = seen
    // Written before, and sent after all else.
    let late = edit(note, .update, by: 2, base: base, [1: .row(other)])
    try push(1, edit(note, by: 1, base: base, [1: .row(tag)]))
    let written = record(note)?.fields[1]
    try push(2, edit(item, by: 2, base: base, [1: .row(tag)]))
    try push(1, edit(tag, .delete, by: 1, base: base))
    #expect(isThere(tag) && record(note)?.fields[1] == written)
    try push(2, late)
    #expect(record(note)?.fields[1]?.value == .row(tag))
  }

  @Test mutating func `a row that has no partner in the end has the one that must have it`() throws {
    begin(
      SyncSchema(entities: [
        SyncEntity(
          SyncName("Desk"), deletion: .editWins,
          fields: [Field(SyncName("clerk"), reference: SyncReference(to: "Clerk", inverse: "desk"))]),
        SyncEntity(
          SyncName("Clerk"), deletion: .editWins,
          fields: [Field(SyncName("desk"), reference: SyncReference(to: "Desk", isRequired: true, inverse: "clerk"))],
          uniqueness: [["desk"]], partners: ["desk"]),
      ]))
    let (one, two, ann, ben) = (row(1, 1), row(1, 1, 2), row(2, 1), row(2, 1, 2))
    try push(1, edit(one, by: 1, [1: .row(ann)]), edit(two, by: 1), edit(ann, by: 1, [1: .row(one)]))
    let base = seen
    // Ann moves to the other desk, and Ben has hers.
    let late = [
      edit(ben, by: 1, base: base, [1: .row(one)]), edit(ann, .update, by: 1, base: base, [1: .row(two)]),
      edit(two, .update, by: 1, base: base, [1: .row(ann)]), edit(one, .update, by: 1, base: base, [1: .row(ben)]),
    ]
    try push(2, edit(one, .update, by: 2, base: base, [1: .null]), edit(ann, .delete, by: 2, base: base))
    try push(1, late[0], late[1], late[2], late[3])
    #expect(record(ann)?.fields[1]?.value == .row(two) && record(two)?.fields[1]?.value == .row(ann))
    #expect(record(ben)?.fields[1]?.value == .row(one) && record(one)?.fields[1]?.value == .row(ben))
  }

  /// Each clerk must have a desk of its own.
  private static let desks = SyncSchema(entities: [
    SyncEntity(
      SyncName("Desk"),
      fields: [
        Field(SyncName("number")), Field(SyncName("clerk"), reference: SyncReference(to: "Clerk", inverse: "desk")),
      ], uniqueness: [["number"]]),
    SyncEntity(
      SyncName("Clerk"),
      fields: [Field(SyncName("desk"), reference: SyncReference(to: "Desk", isRequired: true, inverse: "clerk"))],
      uniqueness: [["desk"]], partners: ["desk"]),
  ])

  @Test mutating func `a row whose new partner turns out to be another's has its former one again`() throws {
    begin(Self.desks)
    let (one, two, three, ann, ben) = (row(1, 1), row(1, 1, 2), row(1, 1, 3), row(2, 1), row(2, 1, 2))
    try push(
      1, edit(one, by: 1, [1: .text("1"), 2: .row(ann)]), edit(two, by: 1, [1: .text("2")]),
      edit(three, by: 1, [1: .text("3"), 2: .row(ben)]), edit(ann, by: 1, [1: .row(one)]),
      edit(ben, by: 1, [1: .row(three)]))
    let base = seen
    try push(1, edit(two, .delete, by: 1, base: base), edit(one, .update, by: 1, base: base, [1: .text("2")]))
    try push(
      2, edit(ben, .update, by: 2, base: base, [1: .row(two)]), edit(two, .update, by: 2, base: base, [2: .row(ben)]),
      edit(three, .delete, by: 2, base: base))
    #expect(record(two)?.deletion?.mergedInto == one)
    #expect(record(ann)?.fields[1]?.value == .row(one) && record(one)?.fields[2]?.value == .row(ann))
    #expect(record(ben)?.fields[1]?.value == .row(three) && record(three)?.fields[2]?.value == .row(ben))
    #expect([one, three, ann, ben].allSatisfy(isThere))
  }

  @Test mutating func `a row that must leave its new partner to a row that others keep has its former one`() throws {
    begin(
      SyncSchema(entities: [
        SyncEntity(
          SyncName("Desk"),
          fields: [Field(SyncName("clerk"), reference: SyncReference(to: "Clerk", inverse: "desk"))]),
        SyncEntity(
          SyncName("Clerk"),
          fields: [Field(SyncName("desk"), reference: SyncReference(to: "Desk", isRequired: true, inverse: "clerk"))],
          uniqueness: [["desk"]], partners: ["desk"]),
        SyncEntity(SyncName("Task"), fields: [Self.reference("clerk", "Clerk", isRequired: true)]),
      ]))
    let (one, two, three, ann, ben) = (row(1, 1), row(1, 1, 2), row(1, 1, 3), row(2, 1), row(2, 1, 2))
    try push(
      1, edit(one, by: 1, [1: .row(ann)]), edit(two, by: 1), edit(three, by: 1, [1: .row(ben)]),
      edit(ann, by: 1, [1: .row(one)]), edit(ben, by: 1, [1: .row(three)]))
    let base = seen
    try push(
      1, edit(ben, .update, by: 1, base: base, [1: .row(two)]), edit(two, .update, by: 1, base: base, [1: .row(ben)]),
      edit(three, .update, by: 1, base: base, [1: .null]), edit(row(3, 1), by: 1, base: base, [1: .row(ann)]))
    try push(
      2, edit(ben, .update, by: 2, base: base, [1: .row(one)]), edit(one, .update, by: 2, base: base, [1: .row(ben)]),
      edit(three, .update, by: 2, base: base, [1: .null]), edit(ann, .delete, by: 2, base: base))
    #expect(isThere(ann) && record(ann)?.fields[1]?.value == .row(one) && record(one)?.fields[1]?.value == .row(ann))
    #expect(record(ben)?.fields[1]?.value == .row(two) && record(two)?.fields[1]?.value == .row(ben))
  }

  @Test mutating func `a row whose partner becomes another's new one keeps it, and that has its former one again`()
    throws
  {
    begin(Self.desks)
    let (one, two, new, ann, ben) = (row(1, 1), row(1, 1, 2), row(1, 2), row(2, 1), row(2, 1, 2))
    try push(
      1, edit(one, by: 1, [1: .text("1")]), edit(two, by: 1, [1: .text("2"), 2: .row(ann)]),
      edit(ann, by: 1, [1: .row(two)]))
    let base = seen
    try push(1, edit(ben, by: 1, base: base, [1: .row(one)]), edit(one, .update, by: 1, base: base, [2: .row(ben)]))
    try push(
      2, edit(new, by: 2, base: base, [1: .text("1"), 2: .row(ann)]),
      edit(ann, .update, by: 2, base: base, [1: .row(new)]), edit(two, .update, by: 2, base: base, [2: .null]),
      edit(one, .delete, by: 2, base: base))
    #expect(record(one)?.deletion?.mergedInto == new)
    #expect(record(ben)?.fields[1]?.value == .row(new) && record(new)?.fields[2]?.value == .row(ben))
    #expect(record(ann)?.fields[1]?.value == .row(two) && record(two)?.fields[2]?.value == .row(ann))
  }

  @Test mutating func `rows become one by a new constraint, whatever else became one by another`() throws {
    func schema(_ version: Int, _ names: [[String]], _ rows: [[String]]) -> SyncSchema {
      SyncSchema(
        version: [version],
        entities: [
          SyncEntity(SyncName("Name"), fields: [Field(SyncName("text"))], uniqueness: names),
          SyncEntity(
            SyncName("Row"),
            fields: [Field(SyncName("text")), Field(SyncName("code")), Self.reference("name", "Name")],
            uniqueness: rows),
        ])
    }
    begin(schema(1, [], [["name"]]))
    func values(_ text: String, _ code: String) -> SyncFields<SyncValue> { [1: .text(text), 2: .text(code)] }
    var last = values("m", "e")
    last[3] = .row(row(1, 1, 2))
    try push(1, edit(row(1, 1), by: 1, [1: .text("x")]), edit(row(1, 1, 2), by: 1, [1: .text("x")]))
    try push(1, edit(row(2, 1), by: 1, values("n", "c")), edit(row(2, 1, 2), by: 1, values("m", "c")))
    try push(1, edit(row(2, 1, 3), by: 1, values("n", "d")), edit(row(2, 1, 4), by: 1, last))
    try begin(schema(2, [["text"]], [["name"], ["text"], ["code"]]), for: 3)
    let rows = (1...4).map { row(2, 1, $0) }.filter(isThere)
    let texts = rows.map { record($0)?.fields[1]?.value }
    #expect(Set(texts).count == texts.count)
  }

  @Test mutating func `rows with one partner become one where it is declared unique, though it was nothing in between`()
    throws
  {
    func schema(_ version: Int, _ uniqueness: [[String]], partners: Set<String> = [], isRequired: Bool = true)
      -> SyncSchema
    {
      let user = SyncReference(to: "User", isRequired: isRequired, inverse: "settings")
      let settings = Field(SyncName("settings"), reference: SyncReference(to: "Settings", inverse: "user"))
      return SyncSchema(
        version: [version],
        entities: [
          SyncEntity(SyncName("User"), fields: [settings]),
          SyncEntity(
            SyncName("Settings"), fields: [Field(SyncName("user"), reference: user)], uniqueness: uniqueness,
            partners: partners),
        ])
    }
    begin(schema(1, []))
    let (user, first, second) = (row(1, 1), row(2, 1), row(2, 2))
    try push(1, edit(user, by: 1, [1: .row(first)]), edit(first, by: 1, [1: .row(user)]))
    try push(2, edit(second, by: 2, [1: .row(user)]))
    try begin(schema(2, [["user"]], partners: ["user"]), for: 3)
    try begin(schema(3, [], isRequired: false), for: 3)
    #expect(isThere(first) && isThere(second))
    try begin(schema(4, [["user"]], isRequired: false), for: 3)
    #expect(isThere(first) != isThere(second))
  }

  @Test mutating func `rows become one whose partners become one, as neither has another to go back to`() throws {
    func schema(_ version: Int, _ uniqueness: [[String]]) -> SyncSchema {
      let user = SyncReference(to: "User", deleteRule: .deny, isRequired: true, inverse: "settings")
      let settings = Field(SyncName("settings"), reference: SyncReference(to: "Settings", inverse: "user"))
      return SyncSchema(
        version: [version],
        entities: [
          SyncEntity(SyncName("User"), fields: [Field(SyncName("name")), settings], uniqueness: uniqueness),
          SyncEntity(
            SyncName("Settings"), fields: [Field(SyncName("user"), reference: user)], uniqueness: [["user"]],
            partners: ["user"]),
        ])
    }
    begin(schema(1, []))
    let (alone, users, all) = (row(1, 3), [row(1, 1), row(1, 2)], [row(2, 1), row(2, 2)])
    try push(3, edit(alone, by: 3, [1: .text("Ann")]))
    for (site, (user, settings)) in zip([1, 2] as [UInt64], zip(users, all)) {
      try push(
        site, edit(user, by: site, [1: .text("Ann"), 2: .row(settings)]),
        edit(settings, by: site, [1: .row(user)]))
    }
    try begin(schema(2, [["name"]]), for: 4)
    #expect(isThere(alone) && !users.contains(where: isThere) && all.count(where: isThere) == 1)
    #expect(all.filter(isThere).allSatisfy { record($0)?.fields[1]?.value == .row(alone) })
  }
}
