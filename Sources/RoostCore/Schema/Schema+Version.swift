extension Schema {
  /// The number of a schema version, ordered as numbers are: 1.10.0 comes after 1.9.9.
  public struct Version: Codable, Comparable, CustomStringConvertible, Hashable, Sendable {
    /// The number that changes with a break.
    public let major: Int
    /// The number that changes with an addition.
    public let minor: Int
    /// The number that changes with a correction.
    public let patch: Int

    /// Makes a version number.
    public init(_ major: Int, _ minor: Int, _ patch: Int) {
      self.major = major
      self.minor = minor
      self.patch = patch
    }

    /// Compares the major numbers, then the minor ones, then the patches.
    public static func < (lhs: Version, rhs: Version) -> Bool {
      (lhs.major, lhs.minor, lhs.patch) < (rhs.major, rhs.minor, rhs.patch)
    }

    /// The three numbers with dots between them.
    public var description: String { "\(major).\(minor).\(patch)" }
  }
}
