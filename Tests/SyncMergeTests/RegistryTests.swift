import Foundation
import SyncMerge
import TestSupport
import Testing

/// The numbers of classes and fields.
@Suite struct RegistryTests {
  private var registry = SyncRegistry()

  private mutating func fields(_ names: SyncName..., version: [Int] = []) -> [String: Int] {
    let entity = SyncEntity(SyncName("Note"), fields: names.map { SyncFieldDefinition($0) })
    return registry.register(SyncSchema(version: version, entities: [entity])).entities["Note"]?.fields ?? [:]
  }

  @Test func `a beginning of a device that tells no numbers is read`() throws {
    let hello = SyncHello(zone: "z", site: 1, numbers: [], schema: SyncSchema(entities: []))
    var object = try #require(JSONSerialization.jsonObject(with: JSONEncoder().encode(hello)) as? [String: Any])
    object["numbers"] = nil
    let read = try JSONDecoder().decode(SyncHello.self, from: JSONSerialization.data(withJSONObject: object))
    #expect(read.numbers == nil)
  }

  @Test func `of numbers those are kept that later ones do not have`() {
    func numbers(_ fields: [String: Int], _ number: Int = 1) -> SyncNumbers {
      SyncNumbers(entities: ["Note": SyncNumbers.Entity(number: number, fields: fields)])
    }
    let later = numbers(["title": 1, "text": 3])
    #expect(numbers(["title": 1]).without(later) == nil)
    #expect(numbers(["title": 1, "text": 2]).without(later) == numbers(["text": 2]))
    #expect(numbers(["title": 1], 2).without(later) == numbers(["title": 1], 2))
  }

  @Test func `a name that another class has by now is no number that the zone lacks`() throws {
    let memo = SyncEntity(
      SyncName("Memo", originalName: "Note"), fields: [SyncFieldDefinition(SyncName("title"))])
    func note(_ field: String) -> SyncEntity {
      SyncEntity(SyncName("Note"), fields: [SyncFieldDefinition(SyncName(field))])
    }
    let programs = [
      SyncSchema(version: [1], entities: [note("title")]), SyncSchema(version: [2], entities: [memo]),
      SyncSchema(version: [3], entities: [memo, note("text")]),
    ]
    var (zone, all): (_, [SyncNumbers]) = (SyncZone(MemoryZone(SyncRegistry())), [])
    for schema in programs + [programs[2]] {
      let welcome = try zone.begin(SyncHello(zone: "z", site: 1, numbers: all, schema: schema), now: 1)
      #expect(welcome.lacksNumbers == nil)
      all.append(welcome.numbers)
    }
    var other = SyncZone(MemoryZone(SyncRegistry()))
    let later = SyncSchema(version: [3], entities: [note("text")])
    let welcome = try other.begin(SyncHello(zone: "z", site: 1, numbers: all, schema: later), now: 1)
    #expect(welcome.lacksNumbers == true)
  }

  @Test mutating func `a field keeps its number when it is renamed, for old programs and for new ones`() {
    #expect(fields(SyncName("title"), SyncName("text")) == ["title": 1, "text": 2])
    #expect(fields(SyncName("heading", originalName: "title"), SyncName("text")) == ["heading": 1, "text": 2])
    #expect(fields(SyncName("title"), SyncName("text")) == ["title": 1, "text": 2])
    #expect(fields(SyncName("heading")) == ["heading": 1])
  }

  @Test mutating func `a new field with the name that a renamed one had is another one`() {
    _ = fields(SyncName("title"))
    let renamed = fields(SyncName("title"), SyncName("heading", originalName: "title"))
    #expect(renamed == ["title": 2, "heading": 1])
    #expect(fields(SyncName("title")) == ["title": 1])
    #expect(fields(SyncName("title"), SyncName("heading", originalName: "title")) == renamed)
  }

  @Test
  mutating func `a field that gets the name of one which is gone keeps its number, and so does each in each program`() {
    let renamed = SyncName("date", originalName: "parsed")
    for _ in 0..<2 {
      #expect(fields(SyncName("date"), SyncName("parsed")) == ["date": 1, "parsed": 2])
      #expect(fields(renamed) == ["date": 2])
      #expect(fields(SyncName("date")) == ["date": 1])
    }
  }

  @Test mutating func `what a field was called is of no account where another program has had it by its name alone`() {
    #expect(fields(SyncName("title")) == ["title": 1])
    #expect(fields(SyncName("heading")) == ["heading": 2])
    #expect(fields(SyncName("heading", originalName: "title")) == ["heading": 2])
    #expect(fields(SyncName("title")) == ["title": 1])
  }

  @Test mutating func `fields may exchange their names, or pass them on`() {
    let exchanged = [SyncName("title", originalName: "text"), SyncName("text", originalName: "title")]
    let passedOn = [SyncName("text", originalName: "title"), SyncName("notes", originalName: "text")]
    for _ in 0..<2 {
      #expect(fields(SyncName("title"), SyncName("text")) == ["title": 1, "text": 2])
      #expect(fields(exchanged[0], exchanged[1]) == ["title": 2, "text": 1])
      #expect(fields(passedOn[0], passedOn[1]) == ["text": 1, "notes": 2])
    }
  }

  @Test mutating func `a program that renames may begin before those that know the former name`() {
    #expect(fields(SyncName("heading", originalName: "title")) == ["heading": 1])
    #expect(fields(SyncName("title"), SyncName("text")) == ["title": 1, "text": 2])
  }

  @Test mutating func `a name that was used again is told from the former one, also if nobody says what was renamed`() {
    let renamed = fields(SyncName("heading", originalName: "title"), SyncName("title"))
    #expect(fields(SyncName("title"), SyncName("heading")) == renamed)
  }

  @Test mutating func `a renamed field keeps its number where a later program uses its former name anew`() {
    #expect(fields(SyncName("title")) == ["title": 1])
    #expect(fields(SyncName("heading", originalName: "title")) == ["heading": 1])
    // In a device's file the new property has nothing of the former one's.
    for _ in 0..<2 {
      #expect(fields(SyncName("title"), SyncName("heading")) == ["heading": 1, "title": 2])
      #expect(fields(SyncName("title")) == ["title": 1])
    }
  }

  @Test mutating func `a field that was renamed twice is found by its first name where nobody had the second one`() {
    var last = SyncName("caption", originalName: "heading")
    last.earlierNames = ["title"]
    for _ in 0..<2 {
      #expect(fields(SyncName("title")) == ["title": 1])
      // A later program may use either name anew.
      #expect(fields(last, SyncName("heading"), SyncName("title")) == ["caption": 1, "heading": 2, "title": 3])
    }
    let between = fields(SyncName("heading", originalName: "title"), SyncName("title"))
    #expect(between == ["heading": 1, "title": 3])
  }

  @Test mutating func `a name is the new field's to a later program that has dropped the renamed one`() {
    let renamed = SyncName("heading", originalName: "title")
    #expect(fields(SyncName("title"), version: [1]) == ["title": 1])
    #expect(fields(renamed, SyncName("title"), version: [2]) == ["heading": 1, "title": 2])
    for _ in 0..<2 {
      #expect(fields(SyncName("title"), version: [3]) == ["title": 2])
      #expect(fields(SyncName("title"), version: [1]) == ["title": 1])
    }
  }

  @Test mutating func `what says its last former name is that before what only had it earlier`() {
    var line = SyncName("line", originalName: "sub")
    line.earlierNames = ["title"]
    #expect(fields(SyncName("title"), version: [1]) == ["title": 1])
    #expect(fields(line, SyncName("heading", originalName: "title"), version: [4]) == ["line": 2, "heading": 1])
  }

  @Test func `a program has the same numbers each time that it begins, whoever else has begun`() {
    let seed = SeededRandom.seed
    var random = SeededRandom(seed: seed)
    let letters = ["a", "b", "c", "d"]
    for _ in 0..<500 {
      var registry = SyncRegistry()
      let programs = (0..<6).map { number in
        let names = letters.shuffled(using: &random).prefix(1 + random.below(3)).map { name in
          var name = SyncName(name, originalName: random.once(in: 2) ? random.pick(letters.filter { $0 != name }) : nil)
          if random.once(in: 3) { name.earlierNames = [random.pick(letters)].filter { $0 != name.name } }
          return name
        }
        return SyncSchema(
          version: [1 + random.below(3)],
          entities: [SyncEntity(SyncName("Note"), fields: names.map { SyncFieldDefinition($0) })])
      }
      var given: [Int: SyncNumbers] = [:]
      for _ in 0..<20 {
        let index = random.below(programs.count)
        let numbers = registry.register(programs[index])
        let all = numbers.entities["Note"].map { Array($0.fields.values) } ?? []
        #expect(Set(all).count == all.count && given[index].map { $0 == numbers } ?? true, "seed \(seed)")
        given[index] = numbers
      }
    }
  }

  @Test
  mutating func `numbers stay once a program tells of earlier names, or another one has the name for something else`() {
    #expect(fields(SyncName("title"), version: [1]) == ["title": 1])
    #expect(fields(SyncName("title"), version: [3]) == ["title": 1])
    _ = fields(SyncName("heading", originalName: "title"), SyncName("title"), version: [2])
    #expect(fields(SyncName("title"), version: [3]) == ["title": 1])
    var title = SyncName("title")
    title.earlierNames = ["subject"]
    #expect(fields(title, version: [3]) == ["title": 1])
  }

  @Test mutating func `the rules are those of the newest program`() {
    func schema(_ version: [Int], _ policy: SyncMergePolicy, _ rule: SyncReference.DeleteRule) -> SyncSchema {
      let fields = [
        SyncFieldDefinition(SyncName("stars"), policy: policy),
        SyncFieldDefinition(SyncName("parent"), reference: SyncReference(to: "Note", deleteRule: rule)),
      ]
      return SyncSchema(version: version, entities: [SyncEntity(SyncName("Note"), fields: fields)])
    }
    _ = registry.register(schema([1, 1, 0], .counter, .cascade))
    _ = registry.register(schema([1, 0, 9], .max, .deny))
    #expect(registry.rules(of: 1).policy(of: 1) == .counter)
    #expect(registry.references(of: 1)[2]?.deleteRule == .cascade)
    _ = registry.register(schema([2, 0, 0], .max, .deny))
    #expect(registry.rules(of: 1).policy(of: 1) == .max)
    #expect(registry.references(of: 1)[2]?.deleteRule == .deny)
  }
}
