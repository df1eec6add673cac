import Foundation
import Observation
import Synchronization
import Testing

@testable import RoostPreferences

struct PropertyTests {
  fileprivate enum Theme: String, Codable { case light, dark }

  private struct Toolbar {
    @Preference var showsLabels: Bool
    @Preference var count: Int

    init(_ preferences: Preferences) {
      _showsLabels = Preference(wrappedValue: true, "showsLabels", in: preferences)
      _count = Preference(.a, in: preferences)
    }
  }

  private actor Counter {
    @Preference var count: Int

    init(_ preferences: Preferences) { _count = Preference(.a, in: preferences) }

    func add() { count += 1 }
  }

  @Observable fileprivate final class Settings {
    @ObservationIgnored @Preference("theme", in: shared) var theme = Theme.light
    @ObservationIgnored @Preference(.name, in: shared) var name
    var other = 0

    static let shared = Preferences.inMemory()
  }

  /// Notes in preferences which one is gone.
  private final class Guest: Codable, Sendable {
    static let preferences = Preferences.inMemory()
    let number: Int

    init(_ number: Int) { self.number = number }

    deinit { Self.preferences[.a] = number }
  }

  @Test func `an object that is a preference may use the preferences as it goes`() throws {
    let preferences = Guest.preferences
    let key = Preferences.Key<Guest?>("guest", default: nil)
    for number in 1...2 { try preferences.set(Guest(number), for: key) }
    #expect(preferences[.a] == 1)
    // Who reads it as another type has that kept in the object's place.
    let numbers = Preferences.Key<[String: Int]>("guest", default: [:])
    #expect(preferences[numbers] == ["number": 2])
    #expect(preferences[.a] == 2)
  }

  @Test func `a property of a structure that is constant can be set`() {
    let preferences = Preferences.inMemory()
    let toolbar = Toolbar(preferences)
    #expect(toolbar.showsLabels)
    toolbar.showsLabels = false
    toolbar.count += 2
    #expect(!toolbar.showsLabels)
    #expect(preferences[.a] == 2)
    toolbar.$showsLabels.reset()
    #expect(toolbar.showsLabels)
  }

  @Test func `a property's preference throws what the property cannot`() throws {
    let toolbar = Toolbar(.inMemory())
    try toolbar.$count.set(3)
    #expect(toolbar.count == 3)
    #expect(toolbar.$count.key.name == "a")
    let settings = Settings()
    #expect(throws: PreferencesError.valueTooLarge) { try settings.$name.set(String(repeating: "a", count: 200_000)) }
  }

  @Test func `a property of an actor is its own`() async {
    let preferences = Preferences.inMemory()
    let counter = Counter(preferences)
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<100 { group.addTask { await counter.add() } }
    }
    #expect(preferences[.a] == 100)
  }

  @Test func `a property of an observable class is observed`() {
    let settings = Settings()
    let isTold = Mutex(false)
    withObservationTracking {
      _ = settings.theme
    } onChange: {
      isTold.withLock { $0 = true }
    }
    settings.other = 1
    #expect(!isTold.withLock { $0 })
    Settings.shared[Preferences.Key("theme", default: Theme.light)] = .dark
    #expect(isTold.withLock { $0 })
    #expect(settings.theme == .dark)
  }
}
