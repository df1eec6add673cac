import Foundation
import OtherLibrary
import SwiftData
import Testing

@Model final class Pane {
  var column: Column
  var others: [Column] = []
  var width: Double

  init(column: Column, width: Double) {
    self.column = column
    self.width = width
  }
}

private struct Picker {
  @Selection var index = 1
}

/// `Scripts/check-names` tries all names that SwiftData does not have.
@Suite struct OtherLibraryTests {
  @Test func `Names that SwiftData does not have are those of the library that has them`() throws {
    #expect(Aggregate(total: 3).total == 3)
    let sql: SQL = "SELECT 1"
    #expect(sql.text == "SELECT 1")
    #expect(Picker().index == 1)
    _ = (MigrationStep(), SearchHit())
  }

  @Test func `A model's property is of such a type`() throws {
    let container = try ModelContainer(for: Pane.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    let context = ModelContext(container)
    context.insert(Pane(column: .right, width: 2.5))
    try context.save()
    #expect(try ModelContext(container).fetch(FetchDescriptor<Pane>()).map(\.column) == [Column.right])
  }

  @Test func `Models are equal when they are the same, and errors are caught by their kind`() throws {
    let container = try ModelContainer(for: Pane.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    let context = ModelContext(container)
    let (one, other) = (Pane(column: .left, width: 1), Pane(column: .left, width: 1))
    context.insert(one)
    #expect(one == one)
    #expect(one != other)
    #expect([one].contains(one) && ![one].contains(other))
    #expect(Set([one, one, other]).count == 2)

    do {
      try ModelConfiguration("a/b").validateForTests(container)
      Issue.record("Nothing was thrown.")
    } catch SwiftDataError.configurationFileNameContainsInvalidCharacters {
    } catch {
      Issue.record(error)
    }
  }
}

extension ModelConfiguration {
  fileprivate func validateForTests(_ container: ModelContainer) throws {
    _ = try ModelContainer(for: container.schema, configurations: self)
  }
}
