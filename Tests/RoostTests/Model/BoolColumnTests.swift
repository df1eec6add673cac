import Foundation
import Roost
import RoostEngine
import Testing

@Model private final class Switch {
  var name: String
  var isOn = false
  var wasOn: Bool?
  init(_ name: String, isOn: Bool) {
    self.name = name
    self.isOn = isOn
    wasOn = isOn
  }
}

/// A column of a `Bool` has 0 or 1: another number is no value, in memory as in SQL.
@Suite struct BoolColumnTests {
  private let folder: TemporaryFolder
  private let container: ModelContainer

  init() throws {
    folder = try TemporaryFolder()
    container = try ModelContainer(for: Switch.self, configurations: ModelConfiguration(url: folder.store))
    let context = ModelContext(container)
    context.insert(Switch("a", isOn: true))
    context.insert(Switch("b", isOn: false))
    context.insert(Switch("bad", isOn: true))
    try context.save()
  }

  @Test(arguments: ["isOn", "wasOn"], [7, -1, 2]) func `another number is no value`(column: String, number: Int) throws
  {
    let connection = try Connection(ConnectionOptions(location: .file(path: folder.store.path)))
    try connection.execute("UPDATE Switch SET \(column) = \(number) WHERE name = 'bad'")
    let context = ModelContext(container)
    let error = #expect(throws: SwiftDataError.self) { try context.fetch(FetchDescriptor<Switch>()) }
    #expect(error == .corruptValue && error?.property == column)
    var bad = 0
    let sound = FetchDescriptor<Switch>(sortBy: [SortDescriptor(\.name)])
    #expect(try context.fetch(sound) { _ in bad += 1 }.map(\.name) == ["a", "b"])
    #expect(bad == 1)
    #expect(throws: SwiftDataError.corruptValue) {
      for row in try context.rows(sql: "SELECT \(\Switch.isOn) AS one, \(\Switch.wasOn) AS two FROM \(Switch.self)") {
        _ = (try row["one", as: Bool.self], try row["two", as: Bool?.self])
      }
    }
    // No condition takes it for true, and none reads it.
    #expect(
      try context.fetch(FetchDescriptor<Switch>(predicate: #Predicate { $0.isOn && $0.wasOn == true })).map(\.name) == [
        "a"
      ])
  }

  @Test func `0 and 1 are read`() throws {
    let found = try ModelContext(container).fetch(
      FetchDescriptor<Switch>(sortBy: [SortDescriptor(\.isOn), SortDescriptor(\.name)]))
    #expect(found.map(\.isOn) == [false, true, true])
    #expect(found.map(\.wasOn) == [false, true, true])
  }
}
