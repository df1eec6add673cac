import Foundation
import Testing

@testable import RoostPreferences

struct RefusalTests {
  @Test func `a value of more than 100 KB is refused, and the former one stays`() throws {
    let preferences = Preferences.inMemory()
    try preferences.set("short", for: .name)
    let error = #expect(throws: PreferencesError.valueTooLarge) {
      try preferences.set(String(repeating: "a", count: 100_000), for: .name)
    }
    #expect(error?.key == "name")
    #expect(preferences[.name] == "short")
    #expect(preferences.problems.isEmpty)
    try preferences.set(String(repeating: "a", count: 99_998), for: .name)
  }

  @Test func `a property that is set to what is refused keeps its value and notes the problem`() {
    let preferences = Preferences.inMemory()
    preferences[.name] = "short"
    for _ in 0..<2 { preferences[.name] = String(repeating: "a", count: 200_000) }
    #expect(preferences[.name] == "short")
    #expect(preferences.problems == [.valueTooLarge])
  }

  @Test func `more than 500 KB in all are refused, and what is replaced does not count`() throws {
    let preferences = Preferences.inMemory()
    let large = String(repeating: "a", count: 99_000)
    for number in 0..<5 { try preferences.set(large, for: Preferences.Key("\(number)", default: "")) }
    #expect(throws: PreferencesError.totalTooLarge) { try preferences.set(large, for: .name) }
    try preferences.set(large + "b", for: Preferences.Key("0", default: ""))
    preferences.reset(Preferences.Key("0", default: ""))
    try preferences.set(large, for: .name)
  }

  @Test func `a number that JSON lacks is refused`() {
    let preferences = Preferences.inMemory()
    let key = Preferences.Key("size", default: 1.0)
    #expect(throws: PreferencesError.notEncodable) { try preferences.set(.nan, for: key) }
    #expect(preferences[key] == 1)
  }

  @Test(arguments: [
    "password", "userPassword", "user_password", "api-token", "apiKey", "API_KEY", "APIKey", "accessToken",
    "privateKey",
    "clientSecret",
  ]) func `a name of a secret is one`(_ name: String) {
    #expect(namesSecret(name))
  }

  @Test(arguments: ["sort", "keyboard", "tokenizer", "secretary", "lastKey", "", "passwordless", "privateNotes"])
  func `a name of no secret is none`(_ name: String) {
    #expect(!namesSecret(name))
  }

  #if DEBUG
    @Test func `a text that is called like a secret is noted once a key, and kept`() throws {
      let preferences = Preferences.inMemory()
      for text in ["a", "b"] { try preferences.set(text, for: Preferences.Key("apiToken", default: "")) }
      try preferences.set("c", for: Preferences.Key("password", default: ""))
      try preferences.set(true, for: Preferences.Key("showsPassword", default: false))
      #expect(preferences.problems == [.looksLikeSecret, .looksLikeSecret])
      #expect(preferences.problems.map(\.key) == ["apiToken", "password"])
      #expect(preferences[Preferences.Key("apiToken", default: "")] == "b")
    }
  #endif

  @Test func `an error says what happened, where, and what to do`() throws {
    let url = URL(filePath: "/a/b.json")
    let error = PreferencesError(.damagedFile, "It happened.", remedy: "Do that.", url: url)
    #expect("\(error)" == "PreferencesError.damagedFile: It happened. File: /a/b.json. Do that.")
    #expect(error.localizedDescription == "\(error)")
    #expect(error == .damagedFile)
    #expect(error != .unreadableFile)
  }
}
