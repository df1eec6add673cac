import Foundation
import Roost

/// What users wrote with one release of a program, and with those before it.
///
/// In words of no version: each version's models are made of it, as they should be if they had been
/// migrated. Rows refer to rows of the same release only, so that a store of an older release has the same
/// rows, without those of later ones.
struct LogRows {
  struct Note {
    let since: Int
    let title: String
    let body: String
    var alias: String? = "ål 👩‍👩‍👧‍👦 e\u{301}"
    var summary: String? = "s"
    var stars: Int = 3
    var byte: UInt8 = 0
    var ratio: Float = 0.1
    var steps: Int32 = 0
    var level = 0
    var mood = "calm"
    var lat: Double = 0
    var lon: Double = 0
    /// By their places among the tags of the release.
    var tags: [Int] = []
  }

  struct Person {
    let since: Int
    var first: String
    var last: String
    var street: String?
    var city: String?
    let born: Date
    let fee: Decimal
    let rating: Double
    let big: Int
    /// The places of the person's notes, in their order.
    let notes: [Int]
  }

  struct Tag {
    let since: Int
    let name: String
    var parent: Int?
  }

  struct Photo {
    let since: Int
    let bytes: Data
    let scan: Data
    var note: Int?
  }

  let since: Int
  var notes: [Note] = []
  var people: [Person] = []
  var tags: [Tag] = []
  var photos: [Photo] = []
  var drafts: [String] = []

  /// The rows of all releases until one.
  static func through(_ version: Int) -> [LogRows] { (1...version).map { $0 == 1 ? first : later($0) } }

  static let first: LogRows = {
    var rows = LogRows(since: 1)
    rows.notes = [
      Note(
        since: 1, title: "🐦 first 👩‍👩‍👧‍👦", body: String(repeating: "Swifts, 1 of 10 000; ", count: 490),
        stars: 5, byte: .max, ratio: .greatestFiniteMagnitude, steps: .max, level: 9, mood: "🌊 wild", lat: 78.25,
        lon: -179.999_999, tags: [2, 1]),
      Note(since: 1, title: "", body: "", alias: "", summary: nil, ratio: -0.0, lat: -0.0, tags: [0, 2]),
      Note(
        since: 1, title: #"O'Brien's "note"; DROP TABLE Note --"#, body: "nul \u{0} in the middle\u{0}", summary: "",
        stars: Int(Int32.max), byte: 1, ratio: -.infinity, steps: .min, level: -1, lat: .infinity,
        lon: -.leastNonzeroMagnitude),
      Note(
        since: 1, title: "line\r\nbreak\u{2028}", body: "e\u{301}\u{302} \u{1F1F3}\u{1F1F4}\t%_\\",
        stars: Int(Int32.min),
        tags: [3]),
    ]
    rows.people = [
      Person(
        since: 1, first: "Åsa 🧑🏽‍🚀", last: "O'Brien", street: "Main \"1\"", city: "Oslo",
        born: Date(timeIntervalSince1970: -2_208_988_800.25),
        fee: Decimal(string: "12345678901234567890.12345678901234567") ?? 0, rating: -0.0, big: .max, notes: [2, 0]),
      Person(
        since: 1, first: "", last: "", born: Date(timeIntervalSince1970: -62_135_596_800), fee: -1,
        rating: -.infinity, big: .min, notes: []),
      Person(
        since: 1, first: "Bob", last: "", city: "", born: Date(timeIntervalSince1970: 0.5), fee: 0,
        rating: .leastNonzeroMagnitude, big: 0, notes: [1]),
    ]
    rows.tags = [
      Tag(since: 1, name: "birds"), Tag(since: 1, name: "sea 🌊", parent: 0), Tag(since: 1, name: "birds"),
      Tag(since: 1, name: "", parent: 2),
    ]
    rows.photos = [
      Photo(since: 1, bytes: Data(), scan: bytes(1_500, seed: 1), note: 0),
      Photo(since: 1, bytes: bytes(300), scan: Data()),
    ]
    rows.drafts = ["draft", ""]
    return rows
  }()

  /// A few rows with what is new in a release.
  private static func later(_ version: Int) -> LogRows {
    var rows = LogRows(since: version)
    let name = "of \(version) 🪺"
    rows.notes = [
      Note(
        since: version, title: name, body: "", alias: nil, stars: .max, steps: 7, level: 9, lat: 1.5, lon: 2.5,
        tags: [1, 0]),
      Note(since: version, title: version == 2 ? "" : name, body: "a b", alias: "a\u{0}b", stars: .min),
    ]
    rows.people = [
      Person(
        since: version, first: name, last: "'", street: "", born: Date(timeIntervalSince1970: -0.5),
        fee: Decimal(version) / 8, rating: .infinity, big: version, notes: [1, 0])
    ]
    rows.tags = [
      Tag(since: version, name: name), Tag(since: version, name: version == 2 ? name : "\(name)!", parent: 0),
    ]
    rows.photos = [
      Photo(since: version, bytes: bytes(version < 4 ? 20 : 1_100, seed: version), scan: bytes(10), note: 0)
    ]
    rows.drafts = [name]
    return rows
  }

  static func bytes(_ count: Int, seed: Int = 0) -> Data {
    Data((0..<count).map { UInt8(truncatingIfNeeded: ($0 / 16) &* 31 &+ seed) })
  }

  // MARK: - What became of them

  /// A tag's place without the duplicates, the first of which stays.
  func kept(_ tag: Int) -> Int { tags.firstIndex { $0.name == tags[tag].name } ?? tag }

  /// A tag, or in the place of a duplicate one that never was.
  func tag(_ index: Int) -> Tag {
    kept(index) == index ? tags[index] : Tag(since: since, name: "gone \(since).\(index)")
  }

  func keptTags(_ note: Note) -> [Int] {
    note.tags.map(kept).reduce(into: []) { found, tag in if !found.contains(tag) { found.append(tag) } }
  }
}

/// Tags with the keys that they have where a stage removed duplicates.
enum LogTags {
  static func insert<Tag: PersistentModel>(
    _ rows: LogRows, _ context: ModelContext, _ make: (LogRows, Int) -> Tag
  ) throws -> [Tag] {
    let tags = rows.tags.indices.map { make(rows, $0) }
    tags.forEach(context.insert)
    try context.save()
    for index in tags.indices where rows.kept(index) != index { context.delete(tags[index]) }
    return tags
  }
}
