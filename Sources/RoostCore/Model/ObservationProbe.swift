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
    let subject = ProbeSubject.shared
    let before = subject.hashCount.load(ordering: .relaxed)
    subject.registrar.access(subject, keyPath: subject.keyPath)
    return subject.hashCount.load(ordering: .relaxed) != before
  }
}

private final class ProbeSubject: Observable, Sendable {
  static let shared = ProbeSubject()

  let registrar = ObservationRegistrar()
  let keyPath: any KeyPath<ProbeSubject, Int> & Sendable = \ProbeSubject[Argument()]
  let hashCount = Atomic<Int>(0)

  private subscript(argument: Argument) -> Int { 0 }

  private struct Argument: Hashable, Sendable {
    func hash(into hasher: inout Hasher) { shared.hashCount.add(1, ordering: .relaxed) }
  }
}
