/// What an edit makes of a value.
struct FieldMerge {
  var field: SyncField
  /// nil where the edit's device had seen what was there, or both wrote the same.
  var outcome: SyncConflict.Outcome?
}

extension SyncFieldEdit {
  /// What this makes of a value that others wrote, as the change at a place of the zone's order.
  func merged(into field: SyncField?, _ policy: SyncMergePolicy, at sequence: Int64) -> FieldMerge {
    var written = SyncField(value: value, stamp: stamp, sequence: sequence)
    if let field, isNobodysList { written.setLastEdit(of: field) }
    // What is there is sent again: it was written when it was.
    if var field, !isComputed, isSentAgain, field.value == value {
      field.stamp = max(stamp, field.stamp)
      return FieldMerge(field: field)
    }
    guard let field, field.lastSequence > base else { return FieldMerge(field: written) }
    if isComputed { return FieldMerge(field: field) }
    // As far as is known nobody has edited it here, and somebody has elsewhere.
    if isSentAgain, !field.stamp.isTimeless, policy != .lastWriter, !policy.hasAncestor {
      return FieldMerge(field: field, outcome: field.value == value ? nil : .server)
    }
    // Whatever came between, the device saw what is there.
    if policy.combines, field.value == ancestor { return FieldMerge(field: written) }
    // Both were sent again after the zone was put back: whoever saw more has what the other one has.
    if policy.hasAncestor, ancestor == value, stamp.isLost, field.stamp.isLost {
      return FieldMerge(field: field.stamp < stamp ? written : field)
    }
    if let merged = policy.merged(field.value, value, ancestor: ancestor) {
      return FieldMerge(field: both(merged, field, sequence), outcome: field.value == value ? nil : .merged)
    }
    switch policy {
    case .keepBoth: return keepBoth(field, sequence)
    case _ where hasSeen(field): return FieldMerge(field: written)
    case .custom: return FieldMerge(field: field, outcome: field.value == value ? nil : .open)
    default:
      let isLater = field.stamp < stamp
      let outcome: SyncConflict.Outcome? = field.value == value ? nil : isLater ? .client : .server
      return FieldMerge(field: isLater ? written : field, outcome: outcome)
    }
  }

  /// Whether it is what a device has anyway, and nobody knows whether anybody has edited it.
  var isSentAgain: Bool { stamp.isTimeless && ancestor == value }

  /// Whether a row that is gone stays so, whatever is to become of those that others edited.
  var bringsNothingBack: Bool { stamp.time == 0 || base == 0 && stamp == .unknown(of: stamp.site) }

  /// Whether nobody wrote it: see ``SyncReplica/compute(_:of:_:)``.
  var isComputed: Bool { base == 0 && stamp.time == 0 && ancestor == value }

  /// Whether it is a list that only lost rows which are gone.
  private var isNobodysList: Bool { if case .list = value { stamp.time == 0 } else { false } }

  private func hasSeen(_ field: SyncField) -> Bool { field.isSeen(by: stamp, base: base) }

  /// A value that has this edit in it beside others'.
  private func both(_ merged: SyncValue, _ field: SyncField, _ sequence: Int64) -> SyncField {
    if isNobodysList {
      var rest = SyncField(value: merged, stamp: stamp, sequence: sequence)
      rest.setLastEdit(of: field)
      return rest
    }
    let latest = SyncStamp(time: max(stamp.time, field.stamp.time), site: stamp.site)
    var both = SyncField(value: merged, stamp: latest, sequence: sequence)
    both.otherSequence = field.stamp.site == stamp.site ? field.otherSequence : field.sequence
    return both
  }

  private func keepBoth(_ field: SyncField, _ sequence: Int64) -> FieldMerge {
    // Of those beside each other the edit's device may have seen some.
    var alone = field
    alone.others = []
    var all = ([alone] + field.others).filter { !hasSeen($0) }
    // An edit that has not seen what it replaced has seen its ancestor. See
    // ``SyncReplica/writeUnseen(_:to:former:_:)``.
    if base == 0, ancestor != value { all.removeAll { $0.value == ancestor } }
    let isSame = all.allSatisfy { $0.value == value }
    all.append(SyncField(value: value, stamp: stamp, sequence: sequence))
    all.sort { $1.stamp < $0.stamp }
    var merged = all[0]
    merged.others = isSame ? [] : Array(all.dropFirst())
    return FieldMerge(field: merged, outcome: isSame ? nil : .open)
  }
}

extension SyncMergePolicy {
  /// The value that has both edits; nil where one must give way.
  ///
  /// - Parameters:
  ///   - left: what one made of the ancestor.
  ///   - right: what another made of it.
  ///   - ancestor: what both had before.
  /// - Returns: the value.
  package func merged(_ left: SyncValue, _ right: SyncValue, ancestor: SyncValue) -> SyncValue? {
    switch self {
    case .lastWriter, .keepBoth, .custom: nil
    case .counter: Self.sum(left, right, minus: ancestor)
    case .max: left.isBefore(right) ? right : left
    case .min:
      if left == .null || right == .null {
        left == .null ? right : left
      } else {
        right.isBefore(left) ? right : left
      }
    case .set: Self.union(left, right, ancestor)
    case .orderedList: Self.sequence(left, right, ancestor)
    }
  }

  /// `left + (right - ancestor)`; nil for what is no number, or gives none.
  private static func sum(_ left: SyncValue, _ right: SyncValue, minus ancestor: SyncValue) -> SyncValue? {
    // A counter that has no value yet is none.
    let ancestor = ancestor == .null ? .integer(0) : ancestor
    switch (left, right, ancestor) {
    case (.integer(let left), .integer(let right), .integer(let ancestor)):
      // Beyond the largest number it starts again at the smallest: so the order of edits does not matter.
      return .integer(left &+ right &- ancestor)
    default:
      guard let left = left.asReal, let right = right.asReal, let ancestor = ancestor.asReal else { return nil }
      let sum = left + (right - ancestor)
      return sum.isNaN ? nil : .real(sum)
    }
  }

  private static func union(_ left: SyncValue, _ right: SyncValue, _ ancestor: SyncValue) -> SyncValue? {
    guard let left = left.elements, let right = right.elements, let ancestor = ancestor.elements else { return nil }
    // The order is that of who moved elements; of both the left one's.
    let isMoved = hasMoved(right, ancestor) && !hasMoved(left, ancestor)
    let (first, second) = isMoved ? (right, left) : (left, right)
    let (before, after) = (Set(ancestor), Set(second))
    var known = Set<SyncValue>()
    let kept = first.filter { after.contains($0) || !before.contains($0) }
    let added = second.filter { !before.contains($0) }
    return .list((kept + added).filter { known.insert($0).inserted })
  }

  /// Whether elements that a list has from its ancestor are in another order there.
  private static func hasMoved(_ list: [SyncValue], _ ancestor: [SyncValue]) -> Bool {
    let (before, present) = (Set(ancestor), Set(list))
    return !list.lazy.filter(before.contains).elementsEqual(ancestor.lazy.filter(present.contains))
  }

  /// Does to one list what made another of their ancestor.
  private static func sequence(_ left: SyncValue, _ right: SyncValue, _ ancestor: SyncValue) -> SyncValue? {
    guard let left = left.elements, let right = right.elements, let ancestor = ancestor.elements else { return nil }
    return .list(ListMerge.merged(left, right, ancestor))
  }
}

extension SyncValue {
  fileprivate var asReal: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .real(let value): value
    default: nil
    }
  }
}
