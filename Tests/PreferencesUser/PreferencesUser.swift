import Foundation
import RoostPreferences

/// A program with preferences, beside others that have the same: `PreferencesUser FILE NAME COUNT`.
///
/// It sets `NAME-0` and so on, each to its number, and ends without a flush.
@main enum PreferencesUser {
  static func main() throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 4, let count = Int(arguments[3]) else {
      return print("usage: PreferencesUser FILE NAME COUNT")
    }
    let preferences = Preferences(at: URL(filePath: arguments[1]))
    for number in 0..<count {
      preferences[Preferences.Key("\(arguments[2])-\(number)", default: -1)] = number
      // So that programs meet.
      if number.isMultiple(of: 5) { try preferences.flush() }
    }
    preferences[Preferences.Key("\(arguments[2])-last", default: "")] = "set before the end"
  }
}
