import Foundation
import Roost
import Testing

/// Key paths that pass through several things, with the class's own and those of its superclass.
@Suite struct KeyPathStepTests {
  @Model final class Bank {
    var name: String
    var seat: Seat
    var owner: Holder?

    init(_ name: String, _ city: String) { (self.name, seat) = (name, Seat(city: city, geo: Place(lat: 1))) }
  }

  @Model final class BankCard {
    var number: Int
    var bank: Bank

    init(_ number: Int, _ bank: Bank) { (self.number, self.bank) = (number, bank) }
  }

  @Model class Holder {
    var name: String
    var home: Seat?
    var work: Seat

    init(_ name: String, _ city: String) {
      (self.name, home, work) = (name, Seat(city: city, geo: nil), Seat(city: "x", geo: Place(lat: 2)))
    }
  }

  @Model final class Customer: Holder {
    var card: BankCard?
    var second: Seat?

    init(_ name: String, _ city: String, _ card: BankCard?) {
      self.card = card
      super.init(name, city)
    }
  }

  struct Seat: Codable, Hashable {
    var city: String
    var geo: Place?
  }

  struct Place: Codable, Hashable {
    var lat: Double
  }

  let context: ModelContext

  init() throws {
    let container = try ModelContainer(
      for: Customer.self, Holder.self, Bank.self, BankCard.self, configurations: .init(isStoredInMemoryOnly: true))
    context = ModelContext(container)
    for (place, name) in ["b", "c", "a"].enumerated() {
      let bank = Bank(name, "z\(name)")
      let customer = Customer("\(place)", "h\(name)", BankCard(place, bank))
      customer.second = Seat(city: "s\(name)", geo: Place(lat: Double(place)))
      bank.owner = customer
      context.insert(customer)
    }
    try context.save()
  }

  func names(_ sort: SortDescriptor<Customer>) throws -> [String] {
    try context.fetch(FetchDescriptor(sortBy: [sort])).map { $0.card?.bank.name ?? "" }
  }

  @Test func `an optional relationship is followed by one that is not`() throws {
    #expect(try names(SortDescriptor(\.card?.bank.name)) == ["a", "b", "c"])
    #expect(try names(SortDescriptor(\.card?.bank.name, order: .reverse)) == ["c", "b", "a"])
    let cards = FetchDescriptor<BankCard>(sortBy: [SortDescriptor(\.bank.owner?.name)])
    #expect(try context.fetch(cards).map(\.number) == [0, 1, 2])
    #expect(
      try context.fetch(FetchDescriptor<BankCard>(sortBy: [SortDescriptor(\.bank.name)])).map(\.number) == [2, 0, 1])
  }

  @Test func `fields are found behind relationships, optional or not`() throws {
    #expect(try names(SortDescriptor(\.card?.bank.seat.city)) == ["a", "b", "c"])
    #expect(try names(SortDescriptor(\.second?.geo?.lat, order: .reverse)) == ["a", "c", "b"])
    let cards = FetchDescriptor<BankCard>(sortBy: [SortDescriptor(\.bank.owner?.home?.city, order: .reverse)])
    #expect(try context.fetch(cards).map(\.number) == [1, 0, 2])
  }

  @Test func `a subclass sorts by the fields that it inherits`() throws {
    #expect(try names(SortDescriptor(\.home?.city)) == ["a", "b", "c"])
    #expect(try names(SortDescriptor(\Customer.work.city)).count == 3)
    let holders = FetchDescriptor<Holder>(sortBy: [SortDescriptor(\.home?.city, order: .reverse)])
    #expect(try context.fetch(holders).map(\.name) == ["1", "0", "2"])
    #expect(try context.fetch(FetchDescriptor<Customer>(predicate: #Predicate { $0.home?.city == "hb" })).count == 1)
  }

  @Test func `what is related to a related model is prefetched`() throws {
    var descriptor = FetchDescriptor<Customer>()
    descriptor.relationshipKeyPathsForPrefetching = [\.card, \.card?.bank, \.card?.bank.owner]
    #expect(try ModelContext(context.container).fetch(descriptor).count == 3)
    descriptor.relationshipKeyPathsForPrefetching = [\.card?.bank.name]
    let error = #expect(throws: SwiftDataError.self) { try context.fetch(descriptor) }
    #expect(error == .unsupportedKeyPath)
  }

  @Test func `what a key path takes out by an exclamation mark is refused`() throws {
    #expect(throws: SwiftDataError.unsupportedKeyPath) { try names(SortDescriptor(\.card!.number)) }
    #expect(throws: SwiftDataError.unsupportedKeyPath) { try names(SortDescriptor(\.second!.city)) }
  }
}
