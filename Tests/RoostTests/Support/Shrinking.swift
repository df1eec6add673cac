/// What is left of a program when each step is gone without which it fails as well.
func smallest<Step: Sendable>(
  _ program: [Step], isolation: isolated (any Actor)? = #isolation, fails: ([Step]) async throws -> Bool
) async rethrows -> [Step] {
  var program = program
  for place in program.indices.reversed() {
    var shorter = program
    shorter.remove(at: place)
    if try await fails(shorter) { program = shorter }
  }
  return program
}
