import Foundation
import Roost
import RoostEngine
import RoostTesting
import Testing

/// What a model was before.
@Suite struct ModelVersionTests {
  private let fixture: HistoryFixture
  private var context: ModelContext { fixture.context }

  init() throws { fixture = try HistoryFixture() }

  @Test func `each version has the values that its transaction left`() throws {
    let abba = Band(name: "a")
    context.insert(abba)
    #expect(try context.history(of: abba).isEmpty)
    try context.save()
    context.author = "editor"
    (abba.name, abba.size) = ("b", 2)
    try context.save()
    try context.update(model: Band.self, set: .set(\.size, to: 3))
    let other = try Connection(ConnectionOptions(location: .file(path: fixture.folder.store.path)))
    defer { other.close() }
    try other.execute("UPDATE Band SET name = 'c', founded = 1")
    context.insert(Band(name: "another"))
    try context.save()
    abba.name = "pending"
    let versions = try context.history(of: abba)
    #expect(versions.map { $0[\.name] } == ["a", "b", "b", "c"])
    #expect(versions.map { $0[\.size] } == [1, 2, 3, 3])
    let founded = Date(timeIntervalSinceReferenceDate: 1)
    #expect(versions.map { $0[\.founded] } == [.some(nil), .some(nil), .some(nil), founded])
    #expect(versions.map(\.change) == [.insertion, .update, .update, .update])
    #expect(versions.map(\.author) == [nil, "editor", "editor", nil])
    #expect(versions[1].updatedAttributes.map { $0 as PartialKeyPath<Band> } == [\Band.name, \Band.size])
    #expect(versions.map(\.token) == versions.map(\.token).sorted())
  }

  @Test func `a deleted model has what is kept of it, and all that it was before where that is known`() throws {
    let abba = Band(name: "a")
    context.insert(abba)
    try context.save()
    let identifier = abba.persistentModelID
    abba.name = "b"
    try context.save()
    context.delete(abba)
    try context.save()
    let versions = try context.history(of: identifier, as: Band.self)
    #expect(versions.map(\.change) == [.insertion, .update, .deletion])
    #expect(versions.map { $0[\.name] } == ["a", "b", "b"])
    #expect(versions.map { $0[\.size] } == [nil, nil, nil])
  }

  @Test func `a model of another store or class has no versions here`() throws {
    let (abba, fan) = (Band(name: "a"), Fan(name: "b"))
    for model in [abba, fan] as [any PersistentModel] { context.insert(model) }
    try context.save()
    let other = try HistoryFixture()
    let queen = Band(name: "q")
    other.context.insert(queen)
    try other.context.save()
    #expect(try context.history(of: abba).count == 1)
    #expect(try context.history(of: queen).isEmpty)
    #expect(try context.history(of: fan.persistentModelID, as: Band.self).isEmpty)
  }

  @Test func `nothing is known of a model where no history is recorded`() throws {
    let off = try HistoryFixture(.off)
    let abba = Band(name: "a")
    off.context.insert(abba)
    try off.context.save()
    #expect(throws: SwiftDataError.invalidTransactionFetchRequest) { try off.context.history(of: abba) }
  }
}
