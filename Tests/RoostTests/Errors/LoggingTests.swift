import Foundation
import Roost
import Testing

@Suite struct LoggingTests {
  @Test func `a program that sets up its logging after it has opened a store gets what is said from then on`() async {
    await #expect(processExitsWith: .success) {
      let container = try makeLibrary().container
      let context = ModelContext(container)
      context.autosaveEnabled = true
      context.insert(Author(name: "Lack"))
      try context.save()
      let lines = CapturedLog.lines { context.insert(Author(name: "Gould")) }
      #expect(lines.contains { $0.contains("autosaveEnabled") })
    }
  }
}
