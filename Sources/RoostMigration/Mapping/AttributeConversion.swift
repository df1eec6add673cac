/// Which types' stored values are values of other types, too: without loss, and whatever they are.
enum AttributeConversion {
  /// What the stored form needs to become the other one.
  enum Step {
    case copy
    /// `CAST(… AS REAL)`.
    case real
  }

  /// nil when some value of the old type is none of the new one, or not the same.
  static func step(from old: String, to new: String) -> Step? {
    if old == new { return .copy }
    // An enum's raw values are values of its raw type; the converse holds for some texts only.
    if old.hasPrefix("raw ") { return step(from: String(old.dropFirst(4)), to: new) }
    if old == "Float" && new == "Double" { return .copy }
    guard let from = Integer(old) else { return nil }
    if let to = Integer(new) {
      // The largest unsigned integers are stored as negative ones.
      if to.isSigned == from.isSigned { return to.width >= from.width ? .copy : nil }
      return to.isSigned && to.width > from.width ? .copy : nil
    }
    let precision = ["Double": 53, "Float": 24][new] ?? 0
    return from.width <= precision ? .real : nil
  }

  private struct Integer {
    let isSigned: Bool
    let width: Int

    init?(_ name: String) {
      isSigned = name.hasPrefix("Int")
      guard isSigned || name.hasPrefix("UInt"), let width = Int(name.dropFirst(isSigned ? 3 : 4)) else { return nil }
      self.width = width
    }
  }
}
