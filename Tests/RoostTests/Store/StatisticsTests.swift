import Foundation
import Roost
import RoostEngine
import RoostTesting
import Testing

@Model private final class Parcel {
  #Index<Parcel>([\.isOpen], [\.code], [\.isPaid])
  var isOpen = true
  var code: Int
  var isPaid = true

  init(code: Int) { self.code = code }
}

/// What SQLite knows of how many rows an index has for one value.
@Suite struct StatisticsTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func container() throws -> ModelContainer {
    try ModelContainer(for: Parcel.self, configurations: ModelConfiguration(url: folder.store))
  }

  /// How the code is looked for beside what is the same in all rows: one of its two indexes
  /// comes before that of the code.
  private func plans(_ context: ModelContext) throws -> [String] {
    let code = 7
    return try [#Predicate<Parcel> { $0.isOpen && $0.code == code }, #Predicate { $0.isPaid && $0.code == code }].map {
      #expect(try context.fetch(FetchDescriptor(predicate: $0)).count == 2)
      return "\(try context.explain(FetchDescriptor(predicate: $0)))"
    }
  }

  @Test func `after a program has closed its store the next one's queries use the better of two indexes`() throws {
    let first = try container()
    let context = ModelContext(first)
    for number in 0..<2_000 { context.insert(Parcel(code: number % 1_000)) }
    try context.save()
    let before = try plans(context)
    #expect(!before.allSatisfy { $0.contains("(code=?") }, "\(before)")
    try first.close()
    let second = try container()
    let after = try plans(ModelContext(second))
    #expect(after.allSatisfy { $0.contains("(code=?") }, "\(after)")
    try second.close()
  }

  @Test(.enabled(if: !analyzesAll, "From 3.46 on SQLite also looks at tables that nobody asked for."))
  func `a store that nobody asked is closed as it is`() throws {
    let first = try container()
    let context = ModelContext(first)
    for number in 0..<2_000 { context.insert(Parcel(code: number)) }
    try context.save()
    try first.close()
    let tables = try ModelContext(try container()).rows(sql: "SELECT name FROM sqlite_schema", as: String.self)
    #expect(!tables.contains("sqlite_stat1"))
  }
}

private let analyzesAll = RoostEngine.Library.version.compare("3.46", options: .numeric) != .orderedAscending
