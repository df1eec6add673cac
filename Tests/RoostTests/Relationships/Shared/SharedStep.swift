/// One step of a random program: what is done, by which context, with which models.
struct SharedStep: CustomStringConvertible {
  /// Each is a public call that changes something; see `Scripts/check-generators`.
  enum Kind: String, CaseIterable {
    // Models.
    case insertFolder, insertUnder, insertMany, insertFile, insertBadge, insertTag, insertLock, insertAgain
    case rename, setParent, setCover, setBadge, setHolder, setFolder, setLock
    case appendChild, removeChild, assignChildren, assignFiles, assignTags, assignFolders, assignLocks
    case setValue, applySnapshot, insertSnapshot
    case delete, deleteWhere
    // Contexts.
    case save, saveFresh, transaction, rollback, fetch, drop, observeAndSave, observeAndRollBack
    case undo, redo, group, draftSave
    // The store.
    case update, executeSQL, withDatabase, elsewhereMove, elsewhereInsert, elsewhereDelete, elsewhereSave
  }

  let kind: Kind
  /// Which context, and which models.
  let context: Int
  let a: Int
  let b: Int

  init(_ random: inout SeededRandom) {
    // Saves are what the rest is about.
    kind =
      switch random.below(12) {
      case 0: .save
      case 1: random.once(in: 2) ? .saveFresh : .fetch
      default: random.pick(Kind.allCases)
      }
    (context, a, b) = (random.below(1_000), random.below(1_000), random.below(1_000))
  }

  /// From its description.
  init?(_ text: some StringProtocol) {
    let parts = text.split(whereSeparator: \.isWhitespace)
    guard parts.count == 4, let kind = Kind(rawValue: String(parts[0])), let context = Int(parts[1]),
      let a = Int(parts[2]), let b = Int(parts[3])
    else { return nil }
    (self.kind, self.context, self.a, self.b) = (kind, context, a, b)
  }

  var description: String { "\(kind.rawValue) \(context) \(a) \(b)" }
}
