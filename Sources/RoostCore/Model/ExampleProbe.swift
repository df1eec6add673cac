internal import Foundation
internal import RoostSQL

/// Chooses the examples that a type is decoded from, and notes what it asks for.
final class ExampleProbe {
  /// What the decoded type asked for at one place.
  struct Request {
    let path: [String]
    let type: any Any.Type
    /// Whether nil was asked about first.
    let isOptional: Bool
  }

  /// The longest coding path with anything but the empty example: types may contain themselves.
  private static let deepest = 12

  /// The most that a type asks for below one of its own keys with anything but the empty example: a type that contains
  /// itself in several places is asked for more often with each level.
  private static let most = 500

  /// How many examples a type is offered.
  static let exampleCount = 3

  private(set) var requests: [Request] = []
  /// How many requests there were when the type asked for the last of its own keys.
  private var start = 0
  /// Places where a type looked which keys there are: dictionaries, and enums with payloads.
  private(set) var openPlaces: Set<[String]> = []
  private var optionalPlaces: Set<[String]> = []
  private let choose: ([String]) -> Int
  /// Whether numbers, texts and the like are those of the first example in all of them, and only enums' cases differ.
  var variesCasesOnly = false

  /// - Parameter choose: the number of the example for a place: 0 for the empty one.
  init(_ choose: @escaping ([String]) -> Int) { self.choose = choose }

  func example(at path: [any CodingKey]) -> Int {
    let isTooMuch = path.count > 1 && requests.count - start > Self.most
    return path.count > Self.deepest || isTooMuch ? 0 : choose(Self.names(path))
  }

  func noteNil(at path: [any CodingKey]) { optionalPlaces.insert(Self.names(path)) }

  func noteKeys(at path: [any CodingKey]) { openPlaces.insert(Self.names(path)) }

  func note(_ type: any Any.Type, at path: [any CodingKey]) {
    let path = Self.names(path)
    if path.count == 1 { start = requests.count }
    requests.append(Request(path: path, type: type, isOptional: optionalPlaces.contains(path)))
  }

  private static func names(_ path: [any CodingKey]) -> [String] { path.map(\.stringValue) }
}

extension _NativeValue {
  /// One of three values, which differ in nearly all types: an empty one, one, and another.
  static func example(_ number: Int) -> Self {
    if number == 0 { return _placeholder }
    // Nothing negative: a type's own decoding may take that for a mistake of the program's.
    let isFirst = number == 1
    let candidates: [SQLValue] =
      switch _columnType {
      case .integer: [.integer(isFirst ? 1 : 100)]
      case .real: [.real(isFirst ? 1 : 2.5)]
      case .text where isFirst: [.text("1")]
      case .text: Self.self == String.self ? [.text(" aB e\u{301}\u{1}")] : [.text("2.5")]
      case .blob: [.blob(Data(repeating: UInt8(truncatingIfNeeded: number), count: 16))]
      }
    return candidates.lazy.compactMap { _decode($0) }.first ?? _placeholder
  }
}

extension Placeholder {
  /// The case of that number, or the last; nil of a type whose list of cases is empty, as it may be of a struct's.
  static func example<Cases: CaseIterable>(_ type: Cases.Type, _ number: Int) -> Any? {
    Array(type.allCases.prefix(number + 1)).last
  }

  /// The case of that number, or the last, of an enum whose cases have no payloads; nil for most other types.
  static func enumCase<Value>(_ type: Value.Type, _ number: Int) -> Value? {
    enumCases(type).map { $0[min(number, $0.count - 1)] }
  }

  /// All cases of an enum of several whose cases have no payloads; nil for most other types.
  package static func enumCases<Value>(_ type: Value.Type) -> [Value]? {
    guard _isPOD(type), MemoryLayout<Value>.size == 1, MemoryLayout<Value?>.size == 1 else { return nil }
    func byte<None>(_ none: None) -> UInt8 { withUnsafeBytes(of: none) { $0[0] } }
    let count = byte(Value?.none)
    // Where several cases have payloads, some of the bits tell which case it is, and nil is a number from the top.
    guard count > 1, count == .max || byte(Value??.none) == count + 1 else { return nil }
    // SAFETY: a type of one byte without references, whose optional has one byte too, numbers its values from 0, and
    // nil is the first number that no value has, and the nil around nil the second. So each number below is a value.
    return (0..<count).map { number in withUnsafeBytes(of: number) { $0.load(as: Value.self) } }
  }
}
