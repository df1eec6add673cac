import Testing

@testable import RoostCommand

@Suite struct ServeCommandTests {
  @Test func `a command that was built without the server says how to build one with it`() {
    let run = Run(["serve", "--data", "sync", "--development"])
    #expect(run.code == 2 && run.output.isEmpty && run.complaint.contains("swift build --traits Server"))
  }
}
