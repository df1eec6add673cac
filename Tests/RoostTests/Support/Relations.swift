import Foundation
import Roost

// One model a kind of relationship.

@Model final class Person {
  var name: String
  @Relationship(inverse: \Passport.holder) var passport: Passport?
  var manager: Person?
  @Relationship(inverse: \Person.manager) var reports: [Person] = []
  @Relationship(deleteRule: .deny, inverse: \Loan.borrower) var loans: [Loan] = []
  @Relationship(deleteRule: .noAction, inverse: \Visit.person) var visits: [Visit] = []

  init(name: String) { self.name = name }
}

@Model final class Passport {
  var number: String
  var holder: Person?

  init(number: String) { self.number = number }
}

@Model final class Loan {
  var amount: Int
  var borrower: Person

  init(amount: Int, borrower: Person) {
    self.amount = amount
    self.borrower = borrower
  }
}

@Model final class Visit {
  var place: String
  var person: Person?

  init(place: String, person: Person?) {
    self.place = place
    self.person = person
  }
}

func makePeople() throws -> ModelContext {
  ModelContext(try ModelContainer(for: Person.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true)))
}

extension TemporaryFolder {
  var store: URL { url.appending(path: "test.store") }
}
