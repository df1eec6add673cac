import Observation
import Synchronization

/// Tells whether the code that reads a property is being tracked by `withObservationTracking`.
///
/// A registrar for every model that is read costs more than the read. Observation does not say whether anyone tracks,
/// but while someone does, it hashes the key path of every access, and a key path hashes its subscript's argument. So
/// an access to a key path with an argument of ours is seen exactly then.
enum ObservationProbe {
  private static let registrar = ObservationRegistrar()
  private static let subject = Subject()
  private static let keyPath = \Subject[Argument()]
  private static let seen = Atomic<Int>(0)

  /// Whether reads of this thread are tracked. May be true by chance while another thread's are.
  static var isTracking: Bool {
    let before = seen.load(ordering: .relaxed)
    registrar.access(subject, keyPath: keyPath)
    return seen.load(ordering: .relaxed) != before
  }

  private final class Subject: Observable, Sendable {
    subscript(argument: Argument) -> Int { 0 }
  }

  private struct Argument: Hashable, Sendable {
    func hash(into hasher: inout Hasher) { ObservationProbe.seen.add(1, ordering: .relaxed) }
  }
}
