import Foundation
import Roost

typealias Node<Output> = any StandardPredicateExpression<Output>
typealias Property<Value> = any KeyPath<Subject, Value> & Sendable

/// A type of which `Subject` has properties, required and optional.
protocol Asked: Sample {
  static var properties: [Property<Self>] { get }
  static var maybeProperties: [Property<Self?>] { get }
  /// The same of `Packed` and its `Inner`.
  static var fields: [any KeyPath<Packed, Self> & Sendable] { get }
  static var maybeFields: [any KeyPath<Packed, Self?> & Sendable] { get }
  static var innerFields: [any KeyPath<Packed.Inner, Self> & Sendable] { get }
}

/// All of them, and those that have an order.
let askedTypes: [any Asked.Type] = [
  Bool.self, Int.self, Int8.self, Int16.self, Int32.self, Int64.self, UInt.self, UInt8.self, UInt16.self, UInt32.self,
  UInt64.self, Float.self, Double.self, String.self, String.self, String.self, Date.self, Data.self, UUID.self,
  URL.self, Decimal.self, Level.self, Standing.self, Kind.self, Place.self,
]
let orderedTypes = askedTypes.compactMap { $0 as? any (Asked & Comparable).Type }

extension Asked {
  static var maybeProperties: [Property<Self?>] { [] }
  static var fields: [any KeyPath<Packed, Self> & Sendable] { [] }
  static var maybeFields: [any KeyPath<Packed, Self?> & Sendable] { [] }
  static var innerFields: [any KeyPath<Packed.Inner, Self> & Sendable] { [] }
}

extension Bool: Asked {
  static var properties: [Property<Bool>] { [\.flag, Required<Subject>.flag] }
  static var maybeProperties: [Property<Bool?>] { [\.maybeFlag, Required<Subject>.maybeFlag] }
  static var fields: [any KeyPath<Packed, Bool> & Sendable] { [\.flag] }
  static var maybeFields: [any KeyPath<Packed, Bool?> & Sendable] { [\.maybeFlag] }
}

extension Int: Asked {
  static var properties: [Property<Int>] { [\.number, \.small, Required<Subject>.number] }
  static var maybeProperties: [Property<Int?>] { [\.maybeNumber, Required<Subject>.maybeNumber] }
  static var fields: [any KeyPath<Packed, Int> & Sendable] { [\.number] }
  static var maybeFields: [any KeyPath<Packed, Int?> & Sendable] { [\.maybeNumber] }
}

extension Int8: Asked {
  static var properties: [Property<Int8>] { [\.int8] }
  static var fields: [any KeyPath<Packed, Int8> & Sendable] { [\.int8] }
}

extension Int16: Asked { static var properties: [Property<Int16>] { [\.int16] } }
extension Int32: Asked { static var properties: [Property<Int32>] { [\.int32] } }
extension Int64: Asked { static var properties: [Property<Int64>] { [\.int64] } }
extension UInt: Asked { static var properties: [Property<UInt>] { [\.uint] } }
extension UInt8: Asked { static var properties: [Property<UInt8>] { [\.uint8] } }
extension UInt16: Asked {
  static var properties: [Property<UInt16>] { [\.uint16] }
  static var fields: [any KeyPath<Packed, UInt16> & Sendable] { [\.uint16] }
}

extension UInt32: Asked { static var properties: [Property<UInt32>] { [\.uint32] } }

extension UInt64: Asked {
  static var properties: [Property<UInt64>] { [\.uint64] }
  static var maybeProperties: [Property<UInt64?>] { [\.maybeUInt64] }
  static var fields: [any KeyPath<Packed, UInt64> & Sendable] { [\.uint64] }
  static var maybeFields: [any KeyPath<Packed, UInt64?> & Sendable] { [\.maybeUInt64] }
}

extension Float: Asked {
  static var properties: [Property<Float>] { [\.float] }
  static var maybeProperties: [Property<Float?>] { [\.maybeFloat] }
  static var fields: [any KeyPath<Packed, Float> & Sendable] { [\.float] }
}

extension Double: Asked {
  static var properties: [Property<Double>] { [\.double] }
  static var maybeProperties: [Property<Double?>] { [\.maybeDouble] }
  static var fields: [any KeyPath<Packed, Double> & Sendable] { [\.double] }
  static var maybeFields: [any KeyPath<Packed, Double?> & Sendable] { [\.maybeDouble] }
  static var innerFields: [any KeyPath<Packed.Inner, Double> & Sendable] { [\.double] }
}

extension String: Asked {
  static var properties: [Property<String>] { [\.text, \.otherText, Required<Subject>.text] }
  static var maybeProperties: [Property<String?>] { [\.maybeText, Required<Subject>.maybeText] }
  static var fields: [any KeyPath<Packed, String> & Sendable] { [\.text, \.otherText] }
  static var maybeFields: [any KeyPath<Packed, String?> & Sendable] { [\.maybeText] }
  static var innerFields: [any KeyPath<Packed.Inner, String> & Sendable] { [\.text] }
}

extension Date: Asked {
  static var properties: [Property<Date>] { [\.date, Required<Subject>.date] }
  static var maybeProperties: [Property<Date?>] { [\.maybeDate] }
  static var fields: [any KeyPath<Packed, Date> & Sendable] { [\.date] }
  static var maybeFields: [any KeyPath<Packed, Date?> & Sendable] { [\.maybeDate] }
}

extension Data: Asked {
  static var properties: [Property<Data>] { [\.data] }
  static var maybeProperties: [Property<Data?>] { [\.maybeData] }
  static var fields: [any KeyPath<Packed, Data> & Sendable] { [\.data] }
}

extension UUID: Asked {
  static var properties: [Property<UUID>] { [\.uuid, Required<Subject>.uuid] }
  static var maybeProperties: [Property<UUID?>] { [\.maybeUUID] }
  static var fields: [any KeyPath<Packed, UUID> & Sendable] { [\.uuid] }
  static var maybeFields: [any KeyPath<Packed, UUID?> & Sendable] { [\.maybeUUID] }
}

extension URL: Asked {
  static var properties: [Property<URL>] { [\.url] }
  static var maybeProperties: [Property<URL?>] { [\.maybeURL] }
  static var fields: [any KeyPath<Packed, URL> & Sendable] { [\.url] }
  static var maybeFields: [any KeyPath<Packed, URL?> & Sendable] { [\.maybeURL] }
}

extension Decimal: Asked {
  static var properties: [Property<Decimal>] { [\.decimal] }
  static var maybeProperties: [Property<Decimal?>] { [\.maybeDecimal] }
  static var fields: [any KeyPath<Packed, Decimal> & Sendable] { [\.decimal] }
  static var maybeFields: [any KeyPath<Packed, Decimal?> & Sendable] { [\.maybeDecimal] }
}

extension Level: Asked {
  static var properties: [Property<Level>] { [\.level, Required<Subject>.level] }
  static var maybeProperties: [Property<Level?>] { [\.maybeLevel] }
  static var fields: [any KeyPath<Packed, Level> & Sendable] { [\.level] }
  static var maybeFields: [any KeyPath<Packed, Level?> & Sendable] { [\.maybeLevel] }
}

extension Standing: Asked { static var properties: [Property<Standing>] { [\.grade] } }

extension Kind: Asked {
  static var properties: [Property<Kind>] { [\.kind, Required<Subject>.kind] }
  static var maybeProperties: [Property<Kind?>] { [\.maybeKind] }
  static var fields: [any KeyPath<Packed, Kind> & Sendable] { [\.kind, \.otherKind] }
  static var maybeFields: [any KeyPath<Packed, Kind?> & Sendable] { [\.maybeKind] }
}

extension Place: Asked {
  static var properties: [Property<Place>] { [\.place, Required<Subject>.place] }
  static var maybeProperties: [Property<Place?>] { [\.maybePlace] }
  static var fields: [any KeyPath<Packed, Place> & Sendable] { [\.place] }
  static var maybeFields: [any KeyPath<Packed, Place?> & Sendable] { [\.maybePlace] }
}
