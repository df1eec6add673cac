import Foundation
import Roost
import Testing

/// Writes what it does not read again.
private struct Charge: Codable, Equatable {
  struct TooMuch: Error {}

  var percent: Int

  init(_ percent: Int) { self.percent = percent }

  init(from decoder: any Decoder) throws {
    percent = try decoder.singleValueContainer().decode(Int.self)
    if percent > 100 { throw TooMuch() }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(percent)
  }
}

@Model private final class Battery {
  var charge: Charge?

  init(charge: Charge?) { self.charge = charge }
}

/// Values that their type writes and then refuses to read.
@Suite struct RefusedValueTests {
  @Test func `a value that its type refuses says why, and can be set anew`() throws {
    let container = try ModelContainer(
      for: Battery.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    let context = ModelContext(container)
    context.insert(Battery(charge: Charge(300)))
    try context.save()
    let other = ModelContext(container)
    let error = #expect(throws: SwiftDataError.self) { try other.fetch(FetchDescriptor<Battery>()) }
    #expect(error == .corruptValue && error?.property == "charge")
    #expect(error.map { "\($0)" }?.contains("TooMuch") == true)
    let row = try #require(error?.row)
    let battery = try #require(other.model(for: row) as? Battery)
    battery.charge = Charge(100)
    try other.save()
    #expect(try ModelContext(container).fetch(FetchDescriptor<Battery>()).map(\.charge) == [Charge(100)])
  }
}
