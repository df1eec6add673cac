import Foundation

/// What time history says that it is.
package enum StoreClock {
  /// Seconds since 2001 for the task, as a test wants; the system's time where nil.
  @TaskLocal package static var simulated: Double?

  /// Seconds since 2001.
  package static var now: Double { simulated ?? Date().timeIntervalSinceReferenceDate }
}
