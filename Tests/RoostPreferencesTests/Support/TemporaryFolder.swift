import Foundation
@_exported public import TestSupport

@testable import RoostPreferences

extension TemporaryFolder {
  var file: URL { url.appending(path: "preferences.json") }

  var text: String? { try? String(contentsOf: file, encoding: .utf8) }

  func write(_ text: String) throws { try Data(text.utf8).write(to: file) }

  /// Preferences that write when they are told to, and not before.
  func preferences() -> Preferences { Preferences(Preferences.storage(at: file), delay: .seconds(3_600)) }
}

extension Preferences.Key<Int> {
  static let a = Preferences.Key("a", default: 0)
  static let b = Preferences.Key("b", default: 0)
}

extension Preferences.Key<String> {
  static let name = Preferences.Key("name", default: "Ada")
}
