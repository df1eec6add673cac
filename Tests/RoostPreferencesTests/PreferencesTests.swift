import Foundation
import Testing

@testable import RoostPreferences

struct PreferencesTests {
  private enum Sort: String, Codable { case newest, oldest }

  private struct Window: Codable, Equatable {
    var width = 800.5
    var title: String?
  }

  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test func `a value is its default until one is set, and again when it is reset`() {
    let preferences = Preferences.inMemory()
    #expect(preferences[.a] == 0)
    #expect(!preferences.isSet(.a))
    preferences[.a] = 3
    #expect(preferences[.a] == 3)
    #expect(preferences.isSet(.a))
    preferences.reset(.a)
    #expect(preferences[.a] == 0)
    #expect(!preferences.isSet(.a))
    #expect(preferences.problems.isEmpty)
  }

  @Test func `values of all types come back in the next start of the program`() throws {
    try check(true, false)
    try check(-7, 0)
    try check(UInt64.max, 0)
    try check(0.1, 0)
    try check(1e300, 0)
    try check("naïve \"text\"/\n", "")
    try check(Data([0, 255]), Data())
    try check(Date(timeIntervalSinceReferenceDate: 0.123456789), .distantPast)
    try check(URL(filePath: "/a b"), URL(filePath: "/"))
    try check(Sort.oldest, .newest)
    try check(Window(width: 1, title: "A"), Window())
    try check([[1], []], [])
    try check(["b": 1, "a": 2], [:])
    try check(Int?.none, 4)
    try check(Int?.some(3), nil)
  }

  private func check<Value: Codable & Sendable & Equatable>(_ value: Value, _ defaultValue: Value) throws {
    let key = Preferences.Key("\(Value.self)", default: defaultValue)
    let first = folder.preferences()
    try first.set(value, for: key)
    #expect(first[key] == value)
    try first.flush()
    #expect(folder.preferences()[key] == value)
  }

  @Test func `a number keeps all of its digits, also when another preference is written`() throws {
    let digits = "12345678901234567890.123456789"
    let key = Preferences.Key("price", default: Decimal(0))
    let price = try #require(Decimal(string: digits))
    let first = folder.preferences()
    try first.set(price, for: key)
    try first.flush()
    let second = folder.preferences()
    #expect(second[key] == price)
    second[.a] = 1
    try second.flush()
    #expect(folder.text?.contains(digits) ?? false)
    try check(UInt64(1) << 60, 0)
    try check(0.1 + 0.2, 0)
  }

  @Test func `the file is sorted JSON that people can read`() throws {
    let preferences = folder.preferences()
    preferences[.b] = 2
    preferences[.name] = "Ada/Grace"
    preferences[.a] = 1
    try preferences.flush()
    #expect(folder.text == "{\n  \"a\" : 1,\n  \"b\" : 2,\n  \"name\" : \"Ada/Grace\"\n}\n")
  }

  @Test func `values that are set in a row are one write`() throws {
    let spy = SpyStorage(folder.file)
    let preferences = Preferences(spy, delay: .seconds(3_600))
    for number in 1...1_000 { preferences[.a] = number }
    preferences[.b] = 1
    #expect(spy.saveCount == 0)
    try preferences.flush()
    try preferences.flush()
    #expect(spy.saveCount == 1)
    #expect(folder.preferences()[.a] == 1_000)
  }

  @Test(.timeLimit(.minutes(20))) func `a value is written without a flush`() async {
    let other = folder.preferences()
    let changes = other.changes
    let preferences = Preferences(at: folder.file)
    preferences[.a] = 1
    for await names in changes where names.contains("a") { break }
    #expect(other[.a] == 1)
  }

  @Test func `a value that is there already is not written`() throws {
    let preferences = folder.preferences()
    func write() throws -> NSNumber? {
      preferences[.a] = 1
      try preferences.flush()
      return try FileManager.default.attributesOfItem(atPath: folder.file.path)[.systemFileNumber] as? NSNumber
    }
    // Each write makes another file.
    let number = try #require(try write())
    #expect(try write() == number)
  }

  @Test func `a value that is set once more wins over one that another process wrote unseen`() throws {
    let own = Preferences(SpyStorage(folder.file), delay: .seconds(3_600))
    let other = Preferences(SpyStorage(folder.file), delay: .seconds(3_600))
    own[.a] = 1
    try own.flush()
    other[.a] = 2
    try other.flush()
    own[.a] = 1
    try own.flush()
    #expect(folder.preferences()[.a] == 1)
    other[.b] = 2
    try other.flush()
    own.reset(.b)
    try own.flush()
    #expect(!folder.preferences().isSet(.b))
  }

  @Test func `what another version of the program keeps stays as it is`() throws {
    let others =
      "\"later\" : {\n    \"list\" : [\n      1,\n      2.5,\n      null,\n      18446744073709551615\n    ]\n  }"
    try folder.write("{ \"b\": 5, \(others) }")
    let preferences = folder.preferences()
    preferences[.a] = 1
    preferences.reset(.b)
    try preferences.flush()
    #expect(folder.text == "{\n  \"a\" : 1,\n  \(others)\n}\n")
  }

  @Test func `a value of another type is reported, and stays in the file until one is set`() throws {
    try folder.write("{ \"a\": \"seven\", \"b\": 2 }")
    let preferences = folder.preferences()
    #expect(preferences[.a] == 0)
    #expect(preferences.problems == [.otherType])
    #expect(preferences.problems.first?.key == "a")
    #expect(!"\(preferences.problems)".contains("seven"))
    preferences[.b] = 3
    try preferences.flush()
    #expect(folder.text == "{\n  \"a\" : \"seven\",\n  \"b\" : 3\n}\n")
    preferences[.a] = 7
    try preferences.flush()
    #expect(folder.preferences()[.a] == 7)
  }

  @Test func `the file is its owner's, and keeps the mode that its owner gives it`() throws {
    let preferences = folder.preferences()
    for (number, mode) in [0o600, 0o644, 0o640].enumerated() {
      if number > 0 {
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: folder.file.path)
      }
      preferences[.a] = number + 1
      try preferences.flush()
      let attributes = try FileManager.default.attributesOfItem(atPath: folder.file.path)
      #expect(attributes[.posixPermissions] as? Int == mode)
    }
  }

  @Test func `a link to a file stays a link`() throws {
    let real = folder.url.appending(path: "real.json")
    try Data("{}".utf8).write(to: real)
    try FileManager.default.createSymbolicLink(at: folder.file, withDestinationURL: real)
    let preferences = folder.preferences()
    preferences[.a] = 1
    try preferences.flush()
    #expect(Preferences(at: real)[.a] == 1)
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder.file.path) == real.path)
  }
}
