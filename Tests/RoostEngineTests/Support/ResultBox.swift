/// A place for what another thread came to.
final class ResultBox<T: Sendable>: Sendable {
  private let result = Shared<Result<T, any Error>>()

  struct Missing: Error {}

  func set(_ value: Result<T, any Error>) {
    result.value = value
  }

  func get() throws -> T {
    guard let value = result.value else { throw Missing() }
    return try value.get()
  }
}
