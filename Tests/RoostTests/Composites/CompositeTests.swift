import Foundation
import Roost
import RoostCore
import RoostEngine
import RoostMigration
import RoostQuery
import RoostSQL
import Testing

/// `Codable` structs that SQL looks into.
@Suite struct CompositeTests {
  private let folder: TemporaryFolder
  private let context: ModelContext

  init() throws {
    folder = try TemporaryFolder()
    context = ModelContext(try ModelContainer(for: Resident.self, configurations: .init(url: folder.store)))
  }

  private func plan(_ predicate: Predicate<Resident>) throws -> String {
    let schema = try SchemaInfo([Resident.self])
    let connection = try Connection(ConnectionOptions(location: .file(path: folder.store.path)))
    registerRoostFunctions(on: connection)
    var query = QueryBuilder(root: try #require(schema.entity(for: Resident.self))) { schema.entity(for: $0) }
    try query.filter(predicate)
    let text = SQLitePrinter.print(query.select([primaryKeyColumn]))
    let statement = try connection.statement("EXPLAIN QUERY PLAN " + text.sql)
    statement.bind(text.arguments)
    var plan = ""
    while try statement.step() { plan += statement.string(3) + "\n" }
    return plan + text.sql
  }

  private var indexed: [Predicate<Resident>] {
    let key = UUID(uuidString: "00000000-0000-0000-0000-0000000000FF") ?? UUID()
    let date = Date(timeIntervalSinceReferenceDate: 0.1)
    let price = Decimal(string: "0.1") ?? 0
    let cities = ["a", "K"]
    let texts: [Predicate<Resident>] = [
      #Predicate { $0.address.city == "ab" }, #Predicate { cities.contains($0.address.city) },
      #Predicate { $0.address.key == key }, #Predicate { $0.address.key > key },
      #Predicate { $0.home?.street == "a" },
    ]
    let numbers: [Predicate<Resident>] = [
      #Predicate { $0.address.position.lat == 0.1 }, #Predicate { $0.address.position.lat < 0.3 },
      #Predicate { $0.address.position.lat >= 0.3 }, #Predicate { $0.address.serial == 1 },
      #Predicate { $0.address.serial > 9_223_372_036_854_775_807 }, #Predicate { $0.address.price == price },
      #Predicate { $0.address.price < price }, #Predicate { $0.home?.position.since == date },
      #Predicate { $0.address.code == 1 }, #Predicate { $0.address.code == 1 && $0.name == "b" },
      #Predicate { $0.address.floor == 1 },
    ]
    return texts + numbers
  }

  @Test func `the planner uses an index on a field`() throws {
    for predicate in indexed {
      let plan = try plan(predicate)
      #expect(plan.contains("USING INDEX") || plan.contains("USING COVERING INDEX"), "\(plan)")
      #expect(!plan.contains("SCAN"), "\(plan)")
    }
  }

  @Test func `rows found by an index are those that evaluate to true`() throws {
    let seed = SeededRandom.seed
    print("ROOST_SEED=\(seed)")
    var random = SeededRandom(seed: seed)
    for number in 0..<200 {
      let home = random.once(in: 3) ? nil : Dwelling(random: &random, floor: 0)
      context.insert(
        Resident(name: .sample(&random), address: Dwelling(random: &random, floor: number), home: home))
    }
    try context.save()
    let people = try context.fetch(FetchDescriptor<Resident>())
    var matches = 0
    for predicate in indexed {
      for predicate in [predicate, #Predicate { !predicate.evaluate($0) }] {
        let expected = Set(try people.filter { try predicate.evaluate($0) }.map(\.persistentModelID))
        let found = try context.fetch(FetchDescriptor(predicate: predicate)).map(\.persistentModelID)
        #expect(Set(found) == expected && found.count == expected.count, "seed \(seed): \(predicate)")
        matches += expected.count
      }
    }
    #expect(matches > 200)
  }

  @Test func `the schema has nothing that another program lacks`() throws {
    let connection = try Connection(ConnectionOptions(location: .file(path: folder.store.path)))
    let statement = try connection.statement("SELECT group_concat(sql, ';') FROM sqlite_schema WHERE type = 'index'")
    #expect(try statement.step())
    let sql = statement.string(0)
    statement.reset()
    #expect(sql.contains(#"json_extract("address", '$."the city"')"#))
    #expect(!sql.contains("roost_") && !sql.contains("?"))
    // Foreign programs have none of our functions.
    try connection.execute(
      #"INSERT INTO Resident (name, address) VALUES ('b', '{"the city":"Rome","floor":7,"code":2,"isOpen":true}')"#)
  }

  @Test func `a unique field takes a second value as an update of the first`() throws {
    context.insert(Resident(name: "a", address: Dwelling(city: "Oslo", floor: 1)))
    context.insert(Resident(name: "b", address: Dwelling(city: "Rome", floor: 2)))
    try context.save()
    context.insert(Resident(name: "c", address: Dwelling(city: "Bonn", floor: 1)))
    try context.save()
    let people = try context.fetch(FetchDescriptor<Resident>(sortBy: [SortDescriptor(\.address.city)]))
    #expect(people.map(\.name) == ["c", "b"])
    #expect(people.map(\.address.city) == ["Bonn", "Rome"])
  }

  @Test func `a unique field cannot be changed to that of another row`() throws {
    let one = Resident(name: "a", address: Dwelling(floor: 1))
    context.insert(one)
    context.insert(Resident(name: "b", address: Dwelling(floor: 2)))
    try context.save()
    one.address.floor = 2
    let error = #expect(throws: SwiftDataError.self) { try context.save() }
    #expect(error == .modelValidationFailure && error?.message.contains("address.code") == true)
  }

  @Test func `rows of others without a field match as nil or not at all`() throws {
    let connection = try Connection(ConnectionOptions(location: .file(path: folder.store.path)))
    for home in ["'{}'", #"'{"street":null,"the city":null}'"#, "NULL"] {
      try connection.execute(
        #"INSERT INTO Resident (name, address, home) VALUES ('b', '{"isOpen":true}', \#(home))"#)
    }
    func count(_ predicate: Predicate<Resident>) throws -> Int {
      try context.fetchCount(FetchDescriptor(predicate: predicate))
    }
    #expect(try count(#Predicate { $0.home?.street == nil }) == 3)
    #expect(try count(#Predicate { $0.home?.city == "a" }) == 0)
    #expect(try count(#Predicate { $0.home?.city != "a" }) == 1)
    #expect(try count(#Predicate { $0.address.city != "a" }) == 0)
    #expect(try count(#Predicate { $0.address.isOpen }) == 3)
  }

  @Test func `what is computed is refused with a reason`() throws {
    let error = #expect(throws: SwiftDataError.self) {
      try context.fetch(FetchDescriptor<Resident>(predicate: #Predicate { $0.address.shout == "A" }))
    }
    #expect(error == .unsupportedPredicate && error?.message.contains("$0.address.") == true)
    #expect(throws: SwiftDataError.unsupportedKeyPath) {
      try context.fetch(FetchDescriptor<Resident>(sortBy: [SortDescriptor(\.address.shout)]))
    }
  }

  @Test func `the schema describes the fields by their keys`() throws {
    let entity = try #require(Schema([Resident.self]).entitiesByName["Resident"])
    let address = try #require(entity.attributesByName["address"] as? Schema.CompositeAttribute)
    #expect(address.properties.map(\.name).contains("the city"))
    #expect(address.properties.first { $0.name == "street" }?.isOptional == true)
    let position = try #require(address.properties.first { $0.name == "p" } as? Schema.CompositeAttribute)
    #expect(position.properties.map(\.name) == ["lat", "since"])
    #expect(entity.indices.contains(["address.floor", "name"]))
  }
}
