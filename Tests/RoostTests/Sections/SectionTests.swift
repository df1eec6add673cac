import Foundation
import Roost
import RoostTesting
import Testing

@Model private final class Airline {
  var name: String
  init(name: String) { self.name = name }
}

private enum Cabin: Int, Codable { case first = 2, economy = 1 }

@Model private final class Flight {
  var carrier: String
  var nickname: String?
  var number: Int
  var departure: Date
  var arrival: Date?
  var cabin = Cabin.economy
  var airline: Airline?

  init(_ carrier: String, _ number: Int, departure: Date = .distantPast) {
    self.carrier = carrier
    self.number = number
    self.departure = departure
  }
}

@Suite struct SectionTests {
  private let recorder = StatementRecorder()
  private let context: ModelContext

  init() throws {
    let configuration = ModelConfiguration(isStoredInMemoryOnly: true).recording(to: recorder)
    context = ModelContext(try ModelContainer(for: Flight.self, configurations: configuration))
  }

  @discardableResult
  private func insert(_ flights: Flight...) throws -> [Flight] {
    for flight in flights { context.insert(flight) }
    try context.save()
    return flights
  }

  /// Titles and numbers, as in `["LH": [1, 2]]`, in order.
  private func lines<Title>(_ sections: SectionedResults<Flight, Title>) -> [String] {
    sections.map { "\($0.title) \($0.map(\.number))" }
  }

  @Test func `sections are contiguous for any sort, and sorted by their key first`() throws {
    try insert(Flight("LX", 1), Flight("BA", 2), Flight("LX", 3), Flight("AF", 4), Flight("BA", 5))
    let byNumber = FetchDescriptor<Flight>(sortBy: [SortDescriptor(\.number, order: .reverse)])
    #expect(lines(try context.fetch(byNumber, sectionBy: \.carrier)) == ["AF [4]", "BA [5, 2]", "LX [3, 1]"])
    #expect(lines(try context.fetch(FetchDescriptor(), sectionBy: \.carrier)) == ["AF [4]", "BA [2, 5]", "LX [1, 3]"])
  }

  @Test func `a descriptor that begins with the sections' key says how they are ordered`() throws {
    try insert(Flight("LX", 1), Flight("BA", 2), Flight("LX", 3), Flight("ba", 4))
    let reverse = FetchDescriptor<Flight>(sortBy: [
      SortDescriptor(\.carrier, comparator: .lexical, order: .reverse), SortDescriptor(\.number),
    ])
    #expect(lines(try context.fetch(reverse, sectionBy: \.carrier)) == ["ba [4]", "LX [1, 3]", "BA [2]"])
    let localized = FetchDescriptor<Flight>(sortBy: [SortDescriptor(\.carrier, comparator: .localizedStandard)])
    let sections = try context.fetch(localized, sectionBy: \.carrier)
    #expect(sections.sectionTitles.map { $0.lowercased() } == ["ba", "ba", "lx"])
  }

  @Test func `models without a string are in the section with the empty title`() throws {
    let flights = try insert(Flight("A", 1), Flight("A", 2), Flight("A", 3), Flight("A", 4))
    flights[1].nickname = "x"
    flights[3].nickname = ""
    for order in [SortOrder.forward, .reverse] {
      let descriptor = FetchDescriptor<Flight>(sortBy: [
        SortDescriptor(\.nickname, order: order), SortDescriptor(\.number),
      ])
      let sections = try context.fetch(descriptor, sectionBy: \.nickname)
      #expect(sections.sectionTitles == (order == .forward ? ["", "x"] : ["x", ""]))
      #expect(Set(try #require(sections[sectionTitle: ""]).map(\.number)) == [1, 3, 4])
    }
  }

  @Test func `values of any type make sections`() throws {
    let flights = try insert(Flight("A", 3), Flight("B", 1), Flight("A", 3), Flight("B", 2))
    let airlines = ["P", "Q"].map { Airline(name: $0) }
    flights[0].airline = airlines[0]
    flights[2].airline = airlines[1]
    flights[3].airline = airlines[0]
    flights[1].cabin = .first
    #expect(lines(try context.fetch(FetchDescriptor(), sectionBy: \.number)) == ["1 [1]", "2 [2]", "3 [3, 3]"])
    let cabins = try context.fetch(FetchDescriptor<Flight>(), sectionBy: \.cabin)
    #expect(cabins.map(\.count).sorted() == [1, 3])
    #expect(cabins[sectionTitle: .first]?.map(\.number) == [1])
    let byAirline: SectionedResults<Flight, Airline?> = try context.fetch(FetchDescriptor(), sectionBy: \.airline)
    #expect(byAirline.count == 3)
    #expect(byAirline[sectionTitle: airlines[0]]?.map(\.number) == [3, 2])
    #expect(byAirline[sectionTitle: nil]?.map(\.number) == [1])
    let byName = try context.fetch(FetchDescriptor<Flight>(), sectionBy: \.airline?.name)
    #expect(byName.sectionTitles == ["", "P", "Q"])
    try context.save()
    #expect(try context.fetch(FetchDescriptor<Flight>(), sectionBy: \.airline).map(\.count) == [1, 2, 1])
  }

  @Test func `dates make sections by parts of a calendar`() throws {
    func date(_ text: String) throws -> Date { try Date(text, strategy: .iso8601) }
    let flights = try insert(
      Flight("A", 1, departure: try date("2024-01-31T23:30:00Z")),
      Flight("A", 2, departure: try date("2024-02-01T00:30:00Z")),
      Flight("A", 3, departure: try date("2024-02-29T12:00:00Z")),
      Flight("A", 4, departure: try date("2023-12-31T12:00:00Z")))
    flights[0].arrival = flights[1].departure
    flights[1].arrival = flights[2].departure
    func numbers<Title>(_ sections: SectionedResults<Flight, Title>) -> [[Int]] { sections.map { $0.map(\.number) } }
    let months = try context.fetch(FetchDescriptor<Flight>(), sectionBy: .month(\.departure))
    #expect(numbers(months) == [[4], [1], [2, 3]])
    #expect(months.sectionTitles.last == (try date("2024-02-01T00:00:00Z")))
    #expect(numbers(try context.fetch(FetchDescriptor(), sectionBy: .year(\.departure))) == [[4], [1, 2, 3]])
    #expect(numbers(try context.fetch(FetchDescriptor(), sectionBy: .day(\.departure))) == [[4], [1], [2], [3]])
    #expect(numbers(try context.fetch(FetchDescriptor(), sectionBy: .hour(\.departure))) == [[4], [1], [2], [3]])
    // 31 December 2023 is a Sunday.
    #expect(numbers(try context.fetch(FetchDescriptor(), sectionBy: .week(\.departure))) == [[4], [1, 2], [3]])
    var berlin = Calendar(identifier: .gregorian)
    berlin.timeZone = try #require(TimeZone(identifier: "Europe/Berlin"))
    let local = try context.fetch(FetchDescriptor<Flight>(), sectionBy: .month(\.departure, in: berlin))
    #expect(numbers(local) == [[4], [1, 2, 3]])
    #expect(numbers(try context.fetch(FetchDescriptor(), sectionBy: .month(\.arrival))) == [[3, 4], [1, 2]])
  }

  @Test func `strings that are equal in two spellings are one section`() throws {
    try insert(Flight("\u{E9}", 1), Flight("e\u{301}", 2), Flight("ez", 3), Flight("\u{E9}", 4))
    let sections = try context.fetch(FetchDescriptor<Flight>(), sectionBy: \.carrier)
    #expect(sections.count == 2)
    #expect(sections[sectionTitle: "\u{E9}"].map { Set($0.map(\.number)) } == [1, 2, 4])
    #expect(sections.flatMap { $0.map(\.number) }.count == 4)
  }

  @Test func `sections are found by title, and titles nobody has are not`() throws {
    try insert(Flight("LX", 1), Flight("BA", 2), Flight("LX", 3))
    let sections = try context.fetch(FetchDescriptor<Flight>(), sectionBy: \.carrier)
    #expect(sections.sectionTitles == ["BA", "LX"])
    #expect(sections.index(ofSectionTitled: "LX") == 1)
    #expect(sections.index(ofSectionTitled: "AF") == nil)
    #expect(sections[sectionTitle: "AF"] == nil)
    #expect(sections.contains(sectionTitle: "BA") && !sections.contains(sectionTitle: "AF"))
    let section = try #require(sections[sectionTitle: "LX"])
    #expect(section.id == section.title)
    #expect(section.last?.number == 3 && section[0].number == 1)
    #expect(section == sections[1] && section != sections[0])
    #expect(section.dropFirst().map(\.number) == [3])
    #expect(sections == (try context.fetch(FetchDescriptor<Flight>(), sectionBy: \.carrier)))
    #expect(
      try context.fetch(FetchDescriptor<Flight>(predicate: #Predicate { $0.number > 9 }), sectionBy: \.carrier).isEmpty)
  }

  @Test func `results that were made without a fetch have no section`() {
    let none = SectionedResults<Flight, String>()
    #expect(none.isEmpty && none.sectionTitles.isEmpty && none[sectionTitle: ""] == nil)
  }

  @Test func `a limit counts from the first section`() throws {
    try insert(Flight("LX", 1), Flight("BA", 2), Flight("AF", 3))
    var descriptor = FetchDescriptor<Flight>(sortBy: [SortDescriptor(\.number)])
    descriptor.fetchLimit = 2
    #expect(lines(try context.fetch(descriptor, sectionBy: \.carrier)) == ["AF [3]", "BA [2]"])
  }

  @Test func `one statement reads all sections`() throws {
    try insert(Flight("LX", 1), Flight("BA", 2), Flight("LX", 3))
    let other = ModelContext(context.container)
    let statements = try recorder.statements {
      for section in try other.fetch(FetchDescriptor<Flight>(), sectionBy: \.carrier) { _ = section.map(\.number) }
    }
    #expect(statements.count == 1, "\(statements)")
  }

  @Test func `sections show unsaved changes, and drafts show their own`() throws {
    try insert(Flight("LX", 1), Flight("BA", 2))
    context.insert(Flight("AF", 3))
    #expect(lines(try context.fetch(FetchDescriptor(), sectionBy: \.carrier)) == ["AF [3]", "BA [2]", "LX [1]"])
    let draft = ModelContext(draftOf: context)
    try draft.fetch(FetchDescriptor<Flight>(predicate: #Predicate { $0.number == 1 })).first?.carrier = "BA"
    let sections = try draft.fetch(FetchDescriptor<Flight>(), sectionBy: \.carrier)
    #expect(sections.map { $0.count } == [1, 2])
    #expect(try context.fetch(FetchDescriptor<Flight>(), sectionBy: \.carrier).count == 3)
  }

  @Test func `a key that SQL does not know is refused before any statement`() throws {
    let statements = recorder.statements {
      #expect(throws: SwiftDataError.unsupportedKeyPath) {
        try context.fetch(FetchDescriptor<Flight>(), sectionBy: \.carrier.count)
      }
      #expect(throws: SwiftDataError.self) { try context.fetch(FetchDescriptor<Flight>(), sectionBy: \.hasChanges) }
    }
    #expect(statements.isEmpty)
  }
}
