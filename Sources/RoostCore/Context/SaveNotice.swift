/// What `ModelContext.didSave` says.
///
/// To put a value into a dictionary by a key of any type takes as long as a row. So a dictionary with the keys is made
/// once, and its copies get their values by their places.
enum SaveNotice {
  private typealias Key = ModelContext.NotificationKey

  private struct Form {
    let dictionary: [AnyHashable: Any]
    let places: [Dictionary<AnyHashable, Any>.Index]

    init(_ keys: [Key]) {
      let dictionary = [AnyHashable: Any](uniqueKeysWithValues: keys.map { (AnyHashable($0.rawValue), ()) })
      places = keys.compactMap { dictionary.index(forKey: AnyHashable($0.rawValue)) }
      self.dictionary = dictionary
    }
  }

  // SAFETY: immutable, with strings and empty tuples.
  nonisolated(unsafe) private static let plain = Form([.insertedIdentifiers, .updatedIdentifiers, .deletedIdentifiers])
  nonisolated(unsafe) private static let recorded = Form([
    .insertedIdentifiers, .updatedIdentifiers, .deletedIdentifiers, .historyTokens,
  ])

  static func userInfo(
    inserted: [PersistentIdentifier], updated: [PersistentIdentifier], deleted: [PersistentIdentifier],
    tokens: [String: DefaultHistoryToken]?
  ) -> [AnyHashable: Any] {
    let form = tokens == nil ? plain : recorded
    var userInfo = form.dictionary
    userInfo.values[form.places[0]] = inserted
    userInfo.values[form.places[1]] = updated
    userInfo.values[form.places[2]] = deleted
    if let tokens { userInfo.values[form.places[3]] = tokens }
    return userInfo
  }
}
