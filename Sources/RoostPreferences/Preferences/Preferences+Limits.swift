import Synchronization

extension Preferences {
  private static let largestValue = 100_000
  private static let largestTotal = 500_000

  /// Throws where a value does not belong into preferences.
  func check(_ stored: StoredPreference, _ name: String) throws(PreferencesError) {
    guard stored.size <= Self.largestValue else {
      throw PreferencesError(
        .valueTooLarge, "The preference '\(name)' has \(stored.size) bytes; 100 KB is the most.",
        remedy: "Keep it in a file or a store, and its name here.", key: name)
    }
    let total = state.withLock { state in
      state.values.reduce(stored.size + name.utf8.count) { total, other in
        other.key == name ? total : total + other.value.size + other.key.utf8.count
      }
    }
    guard total <= Self.largestTotal else {
      throw PreferencesError(
        .totalTooLarge, "With '\(name)' the preferences would have \(total) bytes; 500 KB is the most.",
        remedy: "Keep what is large or grows in a store, and reset what is not used any more.", key: name)
    }
    #if DEBUG
      if stored.json.hasText, namesSecret(name) {
        report(
          PreferencesError(
            .looksLikeSecret, "The preference '\(name)' is called like a secret, and its file is not encrypted.",
            remedy: "Keep secrets by RoostVault's SecretStore; call it otherwise if it is none.", key: name))
      }
    #endif
  }
}

/// Whether a name has a word that secrets are called by.
func namesSecret(_ name: String) -> Bool {
  var words = [""]
  for (former, character) in zip([" "] + Array(name), name) {
    if !character.isLetter {
      words.append("")
    } else if character.isUppercase && !former.isUppercase {
      words.append(character.lowercased())
    } else {
      words[words.count - 1] += character.lowercased()
    }
  }
  words.removeAll(where: \.isEmpty)
  let secret: Set = [
    "password", "passwords", "passphrase", "passwd", "secret", "secrets", "token", "tokens", "credential",
    "credentials",
    "apikey",
  ]
  if words.contains(where: secret.contains) { return true }
  let kinds: Set = ["api", "private", "access", "encryption"]
  return zip(words, words.dropFirst()).contains { kinds.contains($0) && $1 == "key" }
}
