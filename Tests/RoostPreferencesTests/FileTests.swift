import Foundation
import Testing

@testable import RoostPreferences

struct FileTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test(arguments: ["{ \"a\": 1", "[1]", "\u{0}\u{0}\u{0}", "a: 1"])
  func `a damaged file is set aside as it is, and reported`(_ text: String) throws {
    for number in 1...2 {
      try folder.write(text)
      let preferences = folder.preferences()
      #expect(preferences[.a] == 0)
      #expect(preferences.problems == [.damagedFile])
      let aside = folder.url.appending(path: "preferences.damaged-\(number).json")
      // Who only looks leaves it: somebody may be editing it.
      #expect(!FileManager.default.fileExists(atPath: aside.path))
      #expect(folder.text == text)
      preferences[.a] = number
      try preferences.flush()
      #expect(preferences.problems == [.damagedFile])
      #expect("\(preferences.problems)".contains(aside.path))
      #expect(try String(contentsOf: aside, encoding: .utf8) == text)
      #expect(folder.preferences()[.a] == number)
    }
  }

  @Test func `a file that is damaged while the program runs is set aside before the next write, which has all`() throws
  {
    let preferences = folder.preferences()
    preferences[.a] = 1
    try preferences.flush()
    try folder.write("{ \"a\": ")
    preferences[.b] = 2
    try preferences.flush()
    #expect(preferences.problems.contains(.damagedFile))
    let aside = folder.url.appending(path: "preferences.damaged-1.json")
    #expect(try String(contentsOf: aside, encoding: .utf8) == "{ \"a\": ")
    #expect(folder.preferences()[.a] == 1)
    #expect(folder.preferences()[.b] == 2)
  }

  @Test func `a program that starts with a damaged file takes nothing from those that run`() throws {
    let running = folder.preferences()
    running[.a] = 1
    try running.flush()
    try folder.write("{ \"a\": ")
    // Nobody watches the file for it: a look of that kind could be under way and come first.
    let started = Preferences(SpyStorage(folder.file), delay: .seconds(3_600))
    #expect(started[.a] == 0)
    running.reload()
    #expect(running[.a] == 1)
    running[.b] = 2
    try running.flush()
    started.reload()
    #expect(started[.a] == 1)
    #expect(started[.b] == 2)
  }

  @Test func `a damaged file stays where it is when another cannot be written`() throws {
    try folder.write("{ \"a\": ")
    let preferences = folder.preferences()
    preferences[.a] = 1
    // A folder where the new file would be made.
    let new = folder.url.appending(path: ".preferences.json.new")
    try FileManager.default.createDirectory(at: new, withIntermediateDirectories: true)
    #expect(throws: PreferencesError.unwritableFile) { try preferences.flush() }
    #expect(folder.text == "{ \"a\": ")
    let aside = folder.url.appending(path: "preferences.damaged-1.json")
    #expect(!FileManager.default.fileExists(atPath: aside.path))
    try FileManager.default.removeItem(at: new)
    try preferences.flush()
    #expect(folder.preferences()[.a] == 1)
    #expect(try String(contentsOf: aside, encoding: .utf8) == "{ \"a\": ")
  }

  @Test func `who looks while the file is being edited keeps what was read before`() throws {
    let preferences = Preferences(SpyStorage(folder.file), delay: .seconds(3_600))
    preferences[.a] = 1
    try preferences.flush()
    for text in ["", "{ \"a\": "] {
      try folder.write(text)
      preferences.reload()
      #expect(preferences[.a] == 1)
      #expect(folder.text == text)
    }
    try folder.write("{ \"a\": 2 }")
    preferences.reload()
    #expect(preferences[.a] == 2)
  }

  @Test func `an empty file is no damage, and is written with all that is known`() throws {
    try folder.write("")
    let preferences = folder.preferences()
    preferences[.a] = 1
    try preferences.flush()
    try folder.write("")
    preferences[.b] = 2
    try preferences.flush()
    #expect(preferences.problems.isEmpty)
    #expect(folder.preferences()[.a] == 1)
  }

  @Test func `what cannot be written stays in memory and is written when it can be`() throws {
    // A file where the folder should be.
    let place = folder.url.appending(path: "place")
    try Data().write(to: place)
    let file = place.appending(path: "preferences.json")
    let preferences = Preferences(Preferences.storage(at: file), delay: .seconds(3_600))
    preferences[.a] = 1
    let error = #expect(throws: PreferencesError.unwritableFile) { try preferences.flush() }
    #expect(error?.url == file)
    #expect(preferences[.a] == 1)
    try FileManager.default.removeItem(at: place)
    try preferences.flush()
    #expect(Preferences(at: file)[.a] == 1)
  }

  @Test func `a file that cannot be read is not replaced`() throws {
    // A folder where the file should be.
    try FileManager.default.createDirectory(at: folder.file, withIntermediateDirectories: true)
    let preferences = folder.preferences()
    #expect(preferences.problems == [.unreadableFile])
    preferences[.a] = 1
    #expect(throws: PreferencesError.unreadableFile) { try preferences.flush() }
    #expect(preferences[.a] == 1)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.file.path).isEmpty)
  }

  #if !os(Windows)
    @Test func `what is no file is neither waited for nor replaced`() throws {
      try #require(mkfifo(folder.file.path, 0o600) == 0)
      let preferences = folder.preferences()
      #expect(preferences.problems == [.unreadableFile])
      preferences[.a] = 1
      #expect(throws: PreferencesError.unreadableFile) { try preferences.flush() }
      let type = try FileManager.default.attributesOfItem(atPath: folder.file.path)[.type] as? FileAttributeType
      #expect(try #require(type) != .typeRegular)
    }
  #endif

  @Test func `a write that was cut short before is no harm`() throws {
    try Data("{ \"a\"".utf8).write(to: folder.url.appending(path: ".preferences.json.new"))
    let preferences = folder.preferences()
    preferences[.a] = 1
    try preferences.flush()
    #expect(folder.preferences()[.a] == 1)
    #expect(folder.preferences().problems.isEmpty)
  }
}

#if !canImport(Darwin)
  struct PlaceTests {
    private func path(_ environment: [String: String]) -> String? {
      Preferences.standardStorage(environment, program: "notes").url?.path
    }

    @Test func `the file is where the XDG rules have it`() throws {
      let folder = try TemporaryFolder()
      let (home, other) = (folder.url.appending(path: "home").path, folder.url.appending(path: "other").path)
      #expect(path(["HOME": home]) == home + "/.config/notes/preferences.json")
      #expect(path(["HOME": home, "XDG_CONFIG_HOME": ""]) == home + "/.config/notes/preferences.json")
      #expect(path(["HOME": home, "XDG_CONFIG_HOME": "relative"]) == home + "/.config/notes/preferences.json")
      #expect(path(["HOME": home, "XDG_CONFIG_HOME": other]) == other + "/notes/preferences.json")
    }

    @Test func `without a home values are in memory, and a flush says so`() throws {
      let preferences = Preferences(Preferences.standardStorage([:]), delay: .seconds(3_600))
      #expect(preferences.problems == [.noFolder])
      preferences[.a] = 1
      #expect(preferences[.a] == 1)
      #expect(throws: PreferencesError.noFolder) { try preferences.flush() }
      #expect(preferences[.a] == 1)
    }
  }
#endif
