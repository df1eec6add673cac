import Foundation
import Roost
import RoostEngine
import Testing

@Model private final class Errand {
  #Index<Errand>([\.list, \.position])

  var list: ErrandList?
  var position: Int

  init(position: Int) { self.position = position }
}

@Model private final class ErrandList {
  var errands: [Errand] = []
  init() {}
}

/// Indexes are named by what they are of, and several may be of what has the same name.
@Suite struct IndexNameTests {
  @Test func `an index of a list and a position is made beside that of the places in the list`() throws {
    let folder = try TemporaryFolder()
    for round in 1...2 {
      let configuration = ModelConfiguration(url: folder.store)
      let context = ModelContext(try ModelContainer(for: ErrandList.self, configurations: configuration))
      let list = ErrandList()
      context.insert(list)
      list.errands = (0..<3).map { Errand(position: $0) }
      try context.save()
      #expect(try context.fetchCount(FetchDescriptor<Errand>(predicate: #Predicate { $0.position == 1 })) == round)
    }
    let connection = try Connection(ConnectionOptions(location: .file(path: folder.store.path)))
    let names = try connection.strings(
      "SELECT name FROM sqlite_schema WHERE type = 'index' AND tbl_name = 'Errand' ORDER BY name")
    #expect(names == ["Errand_list_index", "Errand_list_position__index", "Errand_list_position_index"])
  }
}
