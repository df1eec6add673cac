import Roost

// A kind of relationship and delete rule each.

@Model final class GraphPerson {
  var number: Int
  var name = ""
  @Relationship(deleteRule: .cascade, inverse: \GraphPass.holder) var pass: GraphPass?
  var boss: GraphPerson?
  @Relationship(inverse: \GraphPerson.boss) var team: [GraphPerson] = []
  @Relationship(deleteRule: .cascade, inverse: \GraphItem.owner) var items: [GraphItem] = []
  @Relationship(deleteRule: .deny, inverse: \GraphLoan.borrower) var loans: [GraphLoan] = []
  @Relationship(deleteRule: .cascade, inverse: \GraphNote.author) var notes: [GraphNote] = []
  @Relationship(inverse: \GraphLabel.people) var labels: [GraphLabel] = []
  @Relationship(inverse: nil) var favorites: [GraphLabel] = []

  init(number: Int) { self.number = number }
}

@Model final class GraphPass {
  var number: Int
  var name = ""
  var holder: GraphPerson?

  init(number: Int) { self.number = number }
}

@Model final class GraphItem {
  var number: Int
  var name = ""
  var owner: GraphPerson?

  init(number: Int) { self.number = number }
}

@Model final class GraphLoan {
  var number: Int
  var name = ""
  var borrower: GraphPerson?

  init(number: Int) { self.number = number }
}

@Model final class GraphNote {
  var number: Int
  var name = ""
  var author: GraphPerson

  init(number: Int, author: GraphPerson) {
    self.number = number
    self.author = author
  }
}

@Model final class GraphLabel {
  var number: Int
  var name = ""
  var people: [GraphPerson] = []

  init(number: Int) { self.number = number }
}
