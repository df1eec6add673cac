/// How much one user may ask of a server, with all devices together.
///
/// What goes beyond is answered with status 429 and `Retry-After`, and the device comes again then. It keeps a user
/// whose devices do not behave from taking the time of all others.
///
/// ```swift
/// let limit = RequestLimit(perSecond: 200, burst: 2_000, underWay: 50)
/// let server = try RoostServer(data: folder, authenticator: Tokens(users: users), requestLimit: limit)
/// ```
public struct RequestLimit: Hashable, Sendable {
  /// The most requests a second, for long.
  public var perSecond: Double
  /// How many may come at once after a pause, as from a device that was offline.
  public var burst: Int
  /// How many may be under way at a time, until their answers are read; what tells of changes does not count.
  public var underWay: Int

  /// Makes a limit.
  ///
  /// - Parameters:
  ///   - perSecond: the most requests a second, for long; more than 0.
  ///   - burst: how many may come at once after a pause; at least 1.
  ///   - underWay: how many may be under way at a time; at least 1.
  public init(perSecond: Double, burst: Int, underWay: Int) {
    self.perSecond = perSecond > 0 ? perSecond : .leastNormalMagnitude
    (self.burst, self.underWay) = (max(1, burst), max(1, underWay))
  }
}
