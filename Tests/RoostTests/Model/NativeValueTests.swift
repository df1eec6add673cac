import Foundation
import RoostCore
import RoostSQL
import Testing

/// What is written into a column is what is read back.
@Suite struct NativeValueTests {
  private func roundTrips<Value: _NativeValue>(_ values: Value...) throws -> Bool {
    try values.allSatisfy { try Value._decode($0._encode()) == $0 }
  }

  @Test func extremesComeBack() throws {
    #expect(try roundTrips(true, false))
    #expect(try roundTrips(Int.min, -1, 0, .max))
    #expect(try roundTrips(Int8.min, .max) && roundTrips(Int16.min, .max) && roundTrips(Int32.min, .max))
    #expect(try roundTrips(UInt8.max, 0) && roundTrips(UInt16.max, 0) && roundTrips(UInt32.max, 0))
    #expect(try roundTrips(UInt64.max, 1 << 63, 0) && roundTrips(UInt.max, 0))
    #expect(try roundTrips(Double.infinity, -.infinity, .leastNonzeroMagnitude, 0.1))
    #expect(try roundTrips(Float.infinity, .leastNonzeroMagnitude, 0.1))
    #expect(try roundTrips("", "a\0b", "e\u{301}"))
    #expect(try roundTrips(Date.distantPast, .distantFuture, Date(timeIntervalSinceReferenceDate: 0.1.nextUp)))
    #expect(try roundTrips(Data(), Data([0, 255])))
    #expect(try roundTrips(UUID()))
    #expect(try roundTrips(URL(string: "https://a.org/b?c#d")!))
    #expect(try roundTrips(Decimal(string: "-0.00000000000000000000000000000000000001")!, Decimal(string: "1e100")!))
  }

  @Test func `an empty URL comes back`() throws {
    let urls = [URLComponents().url, URL(string: "./")?.standardized].compactMap { $0 }
    #expect(urls.map(\.absoluteString) == ["", ""])
    for url in urls { #expect(try roundTrips(url)) }
  }

  @Test func stringsKeepTheirSpelling() throws {
    #expect(try "e\u{301}"._encode() == .text("e\u{301}"))
    guard case .text(let text) = try "e\u{301}"._encode() else { return }
    #expect(text.unicodeScalars.count == 2)
  }

  @Test func notANumberIsRefused() {
    #expect(throws: UnstorableValue.self) { try Double.nan._encode() }
    #expect(throws: UnstorableValue.self) { try Float.nan._encode() }
    #expect(throws: UnstorableValue.self) { try Decimal.nan._encode() }
    #expect(throws: UnstorableValue.self) { try Date(timeIntervalSinceReferenceDate: .nan)._encode() }
  }

  @Test func whatIsNoValueIsNil() {
    #expect(Bool._decode(.integer(2)) == nil)
    #expect(Int8._decode(.integer(128)) == nil)
    #expect(UInt32._decode(.integer(-1)) == nil)
    #expect(Int._decode(.text("1")) == nil)
    #expect(UUID._decode(.blob(Data(count: 15))) == nil)
    #expect(Decimal._decode(.text("1.5 apples")) == nil)
    #expect(Decimal._decode(.text("")) == nil)
    #expect(Decimal._decode(.text("1e9999999999")) == nil)
    #expect(URL._decode(.integer(1)) == nil)
  }

  @Test func decimalsThatOthersWrote() {
    #expect(Decimal._decode(.text("1.50")) == Decimal(string: "1.5"))
    #expect(Decimal._decode(.text("+1e2")) == 100)
    #expect(Decimal._decode(.text("-.5")) == Decimal(string: "-0.5"))
    #expect(Decimal._decode(.integer(7)) == 7)
  }
}
