/// What becomes of an attribute that two devices changed, neither knowing of the other.
package enum SyncMergePolicy: String, Hashable, Sendable, Codable {
  /// The later edit.
  case lastWriter
  /// Both: what each added to a number, or took from it.
  case counter
  /// The larger value. No value is the smallest.
  case max
  /// The smaller value. No value counts only where both have none.
  case min
  /// Both: what each added to a set, and took from it.
  case set
  /// Both, in order: what each inserted into a list, and removed from it.
  case orderedList
  /// The later edit; the other value is kept beside it until somebody who has seen both writes again.
  case keepBoth
  /// What the program says: the edit waits for that.
  case custom
}

extension SyncMergePolicy {
  /// Whether what became of an ancestor is merged, so that one which is the value itself adds nothing.
  var hasAncestor: Bool { self == .counter || self == .set || self == .orderedList }

  /// Whether a value may have several edits in it.
  package var combines: Bool {
    switch self {
    case .counter, .max, .min, .set, .orderedList: true
    case .lastWriter, .keepBoth, .custom: false
    }
  }
}

/// What becomes of a row that one device deletes, and another edits.
package enum SyncDeletionPolicy: String, Hashable, Sendable, Codable {
  /// It is deleted. Its values are kept, edits included, and can be brought back.
  case deletionWins
  /// It stays.
  case editWins
}

/// How a class merges.
package struct SyncRules: Hashable, Sendable, Codable {
  /// By the number of the field; ``SyncMergePolicy/lastWriter`` for those that are not there.
  package var policies: [Int: SyncMergePolicy]
  package var deletion: SyncDeletionPolicy

  package init(policies: [Int: SyncMergePolicy] = [:], deletion: SyncDeletionPolicy = .deletionWins) {
    (self.policies, self.deletion) = (policies, deletion)
  }

  package func policy(of field: Int) -> SyncMergePolicy { policies[field] ?? .lastWriter }
}
