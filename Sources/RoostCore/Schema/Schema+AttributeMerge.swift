extension Schema {
  /// What becomes of an attribute that two devices changed, neither knowing of the other.
  public enum AttributeMerge: String, Codable, Hashable, Sendable, CaseIterable {
    /// The later change. What an attribute does that says nothing.
    case lastWriter
    /// Both: what each added to a number, or took from it.
    case counter
    /// The larger value.
    case max
    /// The smaller value.
    case min
    /// Both, for an array or a set: what each added, and what each took away.
    case set
    /// Both, for an array: what each inserted stays where it was put, and what each took away is gone.
    case orderedList
    /// The later change; the other value is kept beside it until somebody who has seen both writes again.
    case keepBoth
    /// What the program's own function says.
    case custom
  }
}
