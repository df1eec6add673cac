import Observation
import Synchronization

/// Tells whether the code that reads a property is being tracked by `withObservationTracking`.
///
/// A registrar for every model that is read costs more than the read. Observation does not say whether anyone tracks,
/// but while someone does, it hashes the key path of every access, and a key path hashes its subscript's argument. So
/// an access to a key path with an argument of ours is seen exactly then.
@usableFromInline
enum ObservationProbe {
  /// Whether reads of this thread are tracked. May be true by chance while another thread's are.
  @usableFromInline
  static var isTracking: Bool {
    // SAFETY: `makeSubject` alone sets it, to an object that it retained and nobody releases.
    (subject.load(ordering: .acquiring) ?? makeSubject())._withUnsafeGuaranteedRef { $0.isTracking }
  }

  /// nil until the first read of any property. Not a `static let` of its own: each use of one asks whether it was
  /// made yet, and every read of a property comes by here.
  private static let subject = Atomic<Unmanaged<ProbeSubject>?>(nil)

  @inline(never)
  private static func makeSubject() -> Unmanaged<ProbeSubject> {
    let made = Unmanaged.passRetained(ProbeSubject())
    let (_, earlier) = subject.compareExchange(expected: nil, desired: made, ordering: .acquiringAndReleasing)
    guard let earlier else { return made }
    made.release()
    return earlier
  }
}

/// How often a tracked access has hashed a key path's argument.
private let hashCount = Atomic<Int>(0)

private final class ProbeSubject: Observable, Sendable {
  private let registrar = ObservationRegistrar()
  private let keyPath: any KeyPath<ProbeSubject, Int> & Sendable = \ProbeSubject[Argument()]

  private subscript(argument: Argument) -> Int { 0 }

  private struct Argument: Hashable, Sendable {
    func hash(into hasher: inout Hasher) { hashCount.add(1, ordering: .relaxed) }
  }

  var isTracking: Bool {
    let before = hashCount.load(ordering: .relaxed)
    registrar.access(self, keyPath: keyPath)
    return hashCount.load(ordering: .relaxed) != before
  }
}
