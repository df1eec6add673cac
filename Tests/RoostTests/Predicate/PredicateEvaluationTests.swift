import Foundation
import Roost
import Testing

/// A predicate accepts in memory what the closure it is written as accepts.
struct PredicateEvaluationTests {
  typealias Flight = Routes.Flight
  typealias City = Routes.City
  typealias Mayor = Routes.Mayor
  typealias Status = Routes.Status

  let berlin: City
  let flights: [Flight]
  let epoch = Date(timeIntervalSinceReferenceDate: 0)
  let limit = 200.0
  let limitInt = 5
  let part = "400"
  let character: Character = "4"
  let optionalNumber: String? = "LH400"
  let numbers = ["LH400", "X", ""]
  let numberSet: Set = ["LH400", "BA1"]
  let optionalNumbers: [String?] = ["LH400", nil]
  let dictionary = ["LH400": 1, "X": 0]
  let ids = [UUID(uuid: (1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))]
  let expensive = #Predicate<Flight> { $0.price > 100 }
  let stopCount = #Expression<Flight, Int> { $0.stops.count }

  init() {
    let berlin = City("Berlin", 3_700_000)
    berlin.mayor = Mayor("Ada")
    let rome = City("Rome", 2_800_000)
    let village = City("LH400", 50)
    self.berlin = berlin
    let full = Flight("LH400", price: 199.99, seats: 3, gate: "A1", city: berlin)
    full.stops = [berlin, rome]
    full.scores = [1, 7, 3]
    full.arrival = full.departure + 3_600
    full.code = ids[0]
    let late = Flight("BA1", price: 100, seats: 2, gate: nil, city: rome)
    late.isDelayed = true
    late.status = .closed
    late.stops = [village]
    let odd = Flight("X", price: 0.5, seats: 0, gate: "", city: village)
    odd.status = .archived
    odd.stops = [village, berlin]
    odd.departure = epoch - 10
    let own = Flight("LH400", price: -1, seats: 12, gate: "LH400", city: berlin)
    own.stops = [village]
    own.scores = [1]
    let blank = Flight("", price: 150, seats: 4, gate: "B2", city: berlin)
    blank.isDelayed = true
    blank.scores = [9, 1]
    blank.arrival = epoch - 5
    flights = [full, late, odd, own, blank]
  }

  func agree(
    _ predicate: Predicate<Flight>, sourceLocation: SourceLocation = #_sourceLocation,
    _ closure: (Flight) throws -> Bool
  ) {
    for flight in flights {
      #expect(throws: Never.self, sourceLocation: sourceLocation) {
        let expected = try closure(flight)
        let found = try predicate.evaluate(flight)
        #expect(found == expected, "\(flight.number)", sourceLocation: sourceLocation)
      }
    }
  }

  @Test func agreement1() {
    agree(#Predicate<Flight> { $0.isDelayed }) { $0.isDelayed }
    agree(#Predicate<Flight> { !$0.isDelayed }) { !$0.isDelayed }
    agree(#Predicate<Flight> { $0.number == "LH400" }) { $0.number == "LH400" }
    agree(#Predicate<Flight> { "LH400" == $0.number }) { "LH400" == $0.number }
    agree(#Predicate<Flight> { $0.number != "LH400" }) { $0.number != "LH400" }
    agree(#Predicate<Flight> { $0.number < "M" }) { $0.number < "M" }
    agree(#Predicate<Flight> { $0.price > 99.5 }) { $0.price > 99.5 }
    agree(#Predicate<Flight> { 100 <= $0.price }) { 100 <= $0.price }
    agree(#Predicate<Flight> { $0.seats >= 3 && $0.price < 200 }) { $0.seats >= 3 && $0.price < 200 }
    agree(#Predicate<Flight> { $0.seats >= 3 || $0.isDelayed }) { $0.seats >= 3 || $0.isDelayed }
    agree(
      #Predicate<Flight> {
        !($0.seats >= 3 && $0.isDelayed) || $0.number == "X"
      }
    ) {
      !($0.seats >= 3 && $0.isDelayed) || $0.number == "X"
    }
    agree(#Predicate<Flight> { $0.seats + 1 == 4 }) { $0.seats + 1 == 4 }
  }

  @Test func agreement2() {
    agree(#Predicate<Flight> { $0.seats - 1 > 2 * 1 }) { $0.seats - 1 > 2 * 1 }
    agree(#Predicate<Flight> { 10 - $0.seats > 5 }) { 10 - $0.seats > 5 }
    agree(#Predicate<Flight> { $0.seats * $0.seats == 9 }) { $0.seats * $0.seats == 9 }
    agree(#Predicate<Flight> { $0.seats % 2 == 0 }) { $0.seats % 2 == 0 }
    agree(#Predicate<Flight> { $0.seats / 2 == 1 }) { $0.seats / 2 == 1 }
    agree(#Predicate<Flight> { $0.price / 2 > 50 }) { $0.price / 2 > 50 }
    agree(#Predicate<Flight> { -$0.seats < -2 }) { -$0.seats < -2 }
    agree(#Predicate<Flight> { $0.price * 2 < limit + 1 }) { $0.price * 2 < limit + 1 }
    agree(#Predicate<Flight> { $0.gate == nil }) { $0.gate == nil }
    agree(#Predicate<Flight> { nil != $0.gate }) { nil != $0.gate }
    agree(#Predicate<Flight> { $0.gate == "A1" }) { $0.gate == "A1" }
    agree(#Predicate<Flight> { $0.gate != "A1" }) { $0.gate != "A1" }
  }

  @Test func agreement3() {
    agree(#Predicate<Flight> { $0.number == optionalNumber }) { $0.number == optionalNumber }
    agree(#Predicate<Flight> { optionalNumber == $0.gate }) { optionalNumber == $0.gate }
    agree(#Predicate<Flight> { $0.gate == $0.number }) { $0.gate == $0.number }
    agree(#Predicate<Flight> { ($0.gate ?? "none") == "none" }) { ($0.gate ?? "none") == "none" }
    agree(#Predicate<Flight> { ($0.gate ?? $0.number) == "LH400" }) { ($0.gate ?? $0.number) == "LH400" }
    agree(#Predicate<Flight> { ($0.gate ?? optionalNumber) == "LH400" }) { ($0.gate ?? optionalNumber) == "LH400" }
    agree(
      #Predicate<Flight> {
        ($0.gate ?? $0.city?.name ?? "?") == "Berlin"
      }
    ) {
      ($0.gate ?? $0.city?.name ?? "?") == "Berlin"
    }
    agree(#Predicate<Flight> { $0.gate?.isEmpty == true }) { $0.gate?.isEmpty == true }
    agree(#Predicate<Flight> { $0.gate?.isEmpty ?? true }) { $0.gate?.isEmpty ?? true }
    agree(#Predicate<Flight> { $0.city?.name == "Berlin" }) { $0.city?.name == "Berlin" }
    agree(#Predicate<Flight> { $0.city?.mayor?.name == "Ada" }) { $0.city?.mayor?.name == "Ada" }
    agree(#Predicate<Flight> { $0.city?.mayor?.name.count == 3 }) { $0.city?.mayor?.name.count == 3 }
  }

  @Test func agreement4() {
    agree(
      #Predicate<Flight> {
        $0.city!.name == "Berlin" || $0.seats == 0
      }
    ) {
      $0.city!.name == "Berlin" || $0.seats == 0
    }
    agree(#Predicate<Flight> { $0.city == nil }) { $0.city == nil }
    agree(#Predicate<Flight> { $0.city == berlin }) { $0.city == berlin }
    agree(#Predicate<Flight> { $0.city != berlin }) { $0.city != berlin }
    agree(#Predicate<Flight> { berlin == $0.city }) { berlin == $0.city }
    agree(#Predicate<Flight> { $0.status == .open }) { $0.status == .open }
    agree(#Predicate<Flight> { $0.status != Status.closed }) { $0.status != Status.closed }
    agree(#Predicate<Flight> { [.open, .archived].contains($0.status) }) { [.open, .archived].contains($0.status) }
    agree(#Predicate<Flight> { $0.status.rawValue == 1 }) { $0.status.rawValue == 1 }
    agree(#Predicate<Flight> { ["LH400", "X"].contains($0.number) }) { ["LH400", "X"].contains($0.number) }
    agree(#Predicate<Flight> { numbers.contains($0.number) }) { numbers.contains($0.number) }
    agree(#Predicate<Flight> { numberSet.contains($0.number) }) { numberSet.contains($0.number) }
  }

  @Test func agreement5() {
    agree(#Predicate<Flight> { optionalNumbers.contains($0.number) }) { optionalNumbers.contains($0.number) }
    agree(#Predicate<Flight> { ["A1"].contains($0.gate) }) { ["A1"].contains($0.gate) }
    agree(#Predicate<Flight> { dictionary.keys.contains($0.number) }) { dictionary.keys.contains($0.number) }
    agree(#Predicate<Flight> { dictionary[$0.number] == 1 }) { dictionary[$0.number] == 1 }
    agree(#Predicate<Flight> { dictionary[$0.number, default: 0] > 0 }) { dictionary[$0.number, default: 0] > 0 }
    agree(#Predicate<Flight> { (1...3).contains($0.seats) }) { (1...3).contains($0.seats) }
    agree(#Predicate<Flight> { (1..<3) ~= $0.seats }) { (1..<3) ~= $0.seats }
    agree(#Predicate<Flight> { (1.5...).contains($0.price) }) { (1.5...).contains($0.price) }
    agree(#Predicate<Flight> { ($0.seats...20).contains(4) }) { ($0.seats...20).contains(4) }
    agree(#Predicate<Flight> { (0..<$0.seats).contains(2) }) { (0..<$0.seats).contains(2) }
    agree(#Predicate<Flight> { $0.number.contains("H4") }) { $0.number.contains("H4") }
    agree(#Predicate<Flight> { $0.number.contains(part) }) { $0.number.contains(part) }
  }

  @Test func agreement6() {
    agree(#Predicate<Flight> { $0.number.contains(character) }) { $0.number.contains(character) }
    agree(
      #Predicate<Flight> {
        "LH400 BA1".contains($0.number) || $0.number.isEmpty
      }
    ) {
      "LH400 BA1".contains($0.number) || $0.number.isEmpty
    }
    agree(#Predicate<Flight> { $0.number.starts(with: "LH") }) { $0.number.starts(with: "LH") }
    agree(
      #Predicate<Flight> {
        $0.number.hasPrefix("LH") && $0.number.hasSuffix("00")
      }
    ) {
      $0.number.hasPrefix("LH") && $0.number.hasSuffix("00")
    }
    agree(#Predicate<Flight> { $0.number.hasSuffix(part) }) { $0.number.hasSuffix(part) }
    agree(#Predicate<Flight> { $0.number.isEmpty }) { $0.number.isEmpty }
    agree(#Predicate<Flight> { $0.number.count > 3 }) { $0.number.count > 3 }
    agree(
      #Predicate<Flight> {
        $0.number.localizedStandardContains("lh")
      }
    ) {
      $0.number.localizedStandardContains("lh")
    }
    agree(
      #Predicate<Flight> {
        $0.number.caseInsensitiveCompare("lh400") == .orderedSame
      }
    ) {
      $0.number.caseInsensitiveCompare("lh400") == .orderedSame
    }
    agree(
      #Predicate<Flight> {
        $0.number.localizedCompare("LH400") == .orderedAscending
      }
    ) {
      $0.number.localizedCompare("LH400") == .orderedAscending
    }
    agree(#Predicate<Flight> { $0.number + "!" == "LH400!" }) { $0.number + "!" == "LH400!" }
    agree(#Predicate<Flight> { "<" + $0.number + ">" == "<X>" }) { "<" + $0.number + ">" == "<X>" }
  }

  @Test func agreement7() {
    agree(#Predicate<Flight> { $0.stops.isEmpty }) { $0.stops.isEmpty }
    agree(#Predicate<Flight> { $0.stops.count == 2 }) { $0.stops.count == 2 }
    agree(#Predicate<Flight> { $0.stops.contains(berlin) }) { $0.stops.contains(berlin) }
    agree(
      #Predicate<Flight> {
        $0.stops.contains { $0.name == "Berlin" }
      }
    ) {
      $0.stops.contains { $0.name == "Berlin" }
    }
    agree(
      #Predicate<Flight> {
        $0.stops.contains(where: { stop in stop.population > 1_000_000 })
      }
    ) {
      $0.stops.contains(where: { stop in stop.population > 1_000_000 })
    }
    agree(
      #Predicate<Flight> {
        $0.stops.allSatisfy { $0.population > 100 }
      }
    ) {
      $0.stops.allSatisfy { $0.population > 100 }
    }
    agree(
      #Predicate<Flight> {
        $0.stops.filter { $0.population > 100 }.count > 1
      }
    ) {
      $0.stops.filter { $0.population > 100 }.count > 1
    }
    agree(
      #Predicate<Flight> {
        $0.stops.contains { $0.mayor?.name == "Ada" && !$0.name.isEmpty }
      }
    ) {
      $0.stops.contains { $0.mayor?.name == "Ada" && !$0.name.isEmpty }
    }
    agree(#Predicate<Flight> { $0.scores.contains(7) }) { $0.scores.contains(7) }
    agree(#Predicate<Flight> { ($0.scores.max() ?? 0) > 6 }) { ($0.scores.max() ?? 0) > 6 }
    agree(#Predicate<Flight> { $0.scores.min() == 1 }) { $0.scores.min() == 1 }
    agree(#Predicate<Flight> { $0.scores.contains { $0 > limitInt } }) { $0.scores.contains { $0 > limitInt } }
  }

  @Test func agreement8() {
    agree(
      #Predicate<Flight> {
        $0.isDelayed ? $0.seats > 1 : $0.price > 100
      }
    ) {
      $0.isDelayed ? $0.seats > 1 : $0.price > 100
    }
    agree(
      #Predicate<Flight> {
        ($0.isDelayed ? "late" : $0.number) == "late"
      }
    ) {
      ($0.isDelayed ? "late" : $0.number) == "late"
    }
    agree(
      #Predicate<Flight> {
        $0.departure > epoch && $0.departure < Date.distantFuture
      }
    ) {
      $0.departure > epoch && $0.departure < Date.distantFuture
    }
    agree(
      #Predicate<Flight> {
        $0.arrival != nil && $0.arrival! > $0.departure
      }
    ) {
      $0.arrival != nil && $0.arrival! > $0.departure
    }
    agree(#Predicate<Flight> { $0.arrival.map { $0 > epoch } ?? false }) { $0.arrival.map { $0 > epoch } ?? false }
    agree(
      #Predicate<Flight> {
        $0.arrival.flatMap { $0 > epoch ? 1 : nil } == 1
      }
    ) {
      $0.arrival.flatMap { $0 > epoch ? 1 : nil } == 1
    }
    agree(#Predicate<Flight> { ($0.gate as String?) == "A1" }) { ($0.gate as String?) == "A1" }
    agree(#Predicate<Flight> { ids.contains($0.code) }) { ids.contains($0.code) }
    agree(#Predicate<Flight> { $0.code == ids[0] }) { $0.code == ids[0] }
    agree(
      #Predicate<Flight> {
        numbers.filter { $0.count > 1 }.contains($0.number)
      }
    ) {
      numbers.filter { $0.count > 1 }.contains($0.number)
    }
    agree(
      #Predicate<Flight> {
        if let gate = $0.gate { gate == "A1" } else { false }
      }
    ) {
      if let gate = $0.gate { gate == "A1" } else { false }
    }
    agree(
      #Predicate<Flight> {
        if let gate = $0.gate, gate.count > 1, let city = $0.city {
          city.name == gate || $0.seats > 2
        } else {
          $0.isDelayed
        }
      }
    ) {
      if let gate = $0.gate, gate.count > 1, let city = $0.city {
        city.name == gate || $0.seats > 2
      } else {
        $0.isDelayed
      }
    }
  }

  @Test func agreement9() {
    agree(
      #Predicate<Flight> {
        if $0.isDelayed { $0.seats > 1 } else if $0.price > 100 { true } else { $0.number == "X" }
      }
    ) {
      if $0.isDelayed { $0.seats > 1 } else if $0.price > 100 { true } else { $0.number == "X" }
    }
    agree(
      #Predicate<Flight> {
        expensive.evaluate($0) && $0.seats > 1
      }
    ) {
      (try expensive.evaluate($0)) && $0.seats > 1
    }
    agree(#Predicate<Flight> { stopCount.evaluate($0) > 1 }) { (try stopCount.evaluate($0)) > 1 }
    agree(#Predicate<Flight> { _ in true }) { _ in true }
    agree(#Predicate<Flight> { _ in limitInt > 9 }) { _ in limitInt > 9 }
    agree(
      #Predicate<Flight> { flight in
        flight.stops.contains { $0.name == flight.number } || flight.stops.contains { $0.name == "Rome" }
      }
    ) { flight in flight.stops.contains { $0.name == flight.number } || flight.stops.contains { $0.name == "Rome" } }
    agree(#Predicate<Flight> { (flight: Flight) in flight.seats > 2 /* enough */ }) { (flight: Flight) in
      flight.seats > 2 /* enough */
    }
    agree(
      #Predicate<Flight> { flight in
        let gate = flight.gate
        let least = limitInt - 4
        guard let gate, flight.seats > least else { return flight.isDelayed }
        if gate == "B2" { return true }
        return gate.hasPrefix("A")  // the good ones
      }
    ) { flight in
      let gate = flight.gate
      let least = limitInt - 4
      guard let gate, flight.seats > least else { return flight.isDelayed }
      if gate == "B2" { return true }
      return gate.hasPrefix("A")  // the good ones
    }
  }

  @Test func noneAndManyPredicates() throws {
    let flight = flights[0]
    #expect(try Predicate<Flight>(all: []).evaluate(flight))
    #expect(try !Predicate<Flight>(any: []).evaluate(flight))
    let yes = #Predicate<Flight> { $0.seats == 3 }
    let no = #Predicate<Flight> { $0.seats == 4 }
    #expect(try Predicate(all: [yes, yes]).evaluate(flight))
    #expect(try !Predicate(all: [yes, no]).evaluate(flight))
    #expect(try Predicate(any: [no, yes]).evaluate(flight))
    #expect(try Predicate(all: Array(repeating: yes, count: 2_000)).evaluate(flight))
    #expect(try !Predicate(any: Array(repeating: no, count: 2_000)).evaluate(flight))
    // One by one, each wrapping the one before.
    var grown = yes
    for _ in 0..<2_000 { grown = Predicate(all: [grown, yes]) }
    #expect(try grown.evaluate(flight))
  }

  @Test func predicatesOfNoModelStayFoundations() throws {
    let positive = #Predicate<Int> { $0 > 0 }
    #expect(try positive.evaluate(1))
  }
}
