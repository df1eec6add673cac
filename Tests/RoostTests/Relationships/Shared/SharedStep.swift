/// One step of a random program: what is done, by which context, with which models.
struct SharedStep: CustomStringConvertible {
  /// Each is a public call that changes something; see `Scripts/check-generators`.
  enum Kind: String, CaseIterable {
    // New models.
    case insertFolder, insertUnder, insertMany, insertFile, insertBadge, insertTag, insertLock, insertPage, insertAgain
    case insertSnapshot, insertBacking
    // Values.
    case rename, setValue, setTransformableValue, setBackingData, adoptBackingData, mutate, enumerate, applySnapshot
    case renameByIdentifier
    // Relationships.
    case setParent, setCover, setBadge, setHolder, setFolder, setLock, setPage, setFolderValue, setFilesValue
    case setPageValue, setLockByIdentifier
    case appendChild, removeChild, assignChildren, assignFiles, assignTags, assignFolders, assignLocks, appendPage
    case assignAttached, removeAttached, assignPins
    // Deletions.
    case delete, deleteWhere, deleteByIdentifier
    // Contexts.
    case save, saveFresh, transaction, rollback, fetch, drop, observeAndSave, observeAndRollBack
    case undo, redo, group, ownGroup, undoNested, withoutUndo, forgetUndo, limitUndo, replaceUndo
    case draftSave, parentEdit, parentSave
    // The store.
    case update, executeSQL, withDatabase, rowsReturning, erase
    case elsewhereMove, elsewhereInsert, elsewhereDelete, elsewhereSave, forgetHistory
  }

  let kind: Kind
  /// Which context, and which models.
  let context: Int
  let a: Int
  let b: Int

  init(_ random: inout SeededRandom) {
    // Saves are what the rest is about.
    let kind: Kind =
      switch random.below(12) {
      case 0: .save
      case 1: random.once(in: 2) ? .saveFresh : .fetch
      default: random.pick(Kind.allCases)
      }
    self.init(kind, &random)
  }

  init(_ kind: Kind, _ random: inout SeededRandom) {
    self.kind = kind
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
