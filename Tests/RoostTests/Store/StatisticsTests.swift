import Foundation
import Roost
import RoostTesting
import Testing

@Model private final class Parcel {
  #Index<Parcel>([\.isSent], [\.code])
  var isSent: Bool
  var code: Int

  init(isSent: Bool, code: Int) { (self.isSent, self.code) = (isSent, code) }
}

/// What SQLite knows of how many rows an index has for one value.
@Suite struct StatisticsTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func container() throws -> ModelContainer {
    try ModelContainer(for: Parcel.self, configurations: ModelConfiguration(url: folder.url.appending(path: "a.store")))
  }

  private func plan(_ context: ModelContext) throws -> String {
    let code = 7
    let descriptor = FetchDescriptor<Parcel>(predicate: #Predicate { !$0.isSent && $0.code == code })
    #expect(try context.fetch(descriptor).count == 2)
    return "\(try context.explain(descriptor))"
  }

  @Test func `after a program has closed its store the next one's queries use the better of two indexes`() throws {
    let first = try container()
    let context = ModelContext(first)
    for number in 0..<2_000 { context.insert(Parcel(isSent: false, code: number % 1_000)) }
    try context.save()
    let before = try plan(context)
    #expect(before == "")
    try first.close()
    let second = try container()
    let after = try plan(ModelContext(second))
    #expect(after == "")
    try second.close()
  }

  @Test func `a store that nobody asked is closed as it is`() throws {
    let first = try container()
    let context = ModelContext(first)
    for number in 0..<100 { context.insert(Parcel(isSent: false, code: number)) }
    try context.save()
    try first.close()
    let second = try container()
    let tables = try ModelContext(second).rows(sql: "SELECT name FROM sqlite_schema", as: String.self)
    #expect(!tables.contains("sqlite_stat1"))
  }
}
