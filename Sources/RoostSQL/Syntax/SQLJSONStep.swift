/// One step into a JSON text.
package enum SQLJSONStep: Hashable, Sendable {
  case key(String)
  case index(Int)
  /// The last element.
  case last

  /// Whether SQLite finds the value: keys are compared as they are written, so those that JSON escapes are not found.
  package var isFindable: Bool {
    guard case .key(let key) = self else { return true }
    return key.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0 != "\"" && $0 != "\\" }
  }
}

extension SQLJSONStep {
  /// The steps as SQLite's functions take them: `$.address."post code"[0]`.
  package static func text(_ steps: [SQLJSONStep]) -> String {
    steps.reduce(into: "$") { text, step in
      switch step {
      case .index(let index): text += "[\(index)]"
      case .last: text += "[#-1]"
      case .key(let key): text += isWord(key) ? ".\(key)" : ".\"\(key)\""
      }
    }
  }

  private static func isWord(_ key: String) -> Bool {
    guard let first = key.utf8.first, !(0x30...0x39).contains(first) else { return false }
    return key.utf8.allSatisfy {
      (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0) || $0 == 0x5F
    }
  }
}
