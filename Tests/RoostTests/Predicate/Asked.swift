import Foundation
import Roost

typealias Node<Output> = any StandardPredicateExpression<Output>
typealias Property<Value> = any KeyPath<Subject, Value> & Sendable

/// A type of which `Subject` has properties, required and optional.
protocol Asked: Sample {
  static var properties: [Property<Self>] { get }
  static var maybeProperties: [Property<Self?>] { get }
}

/// All of them, and those that have an order.
let askedTypes: [any Asked.Type] = [
  Bool.self, Int.self, Int8.self, Int16.self, Int32.self, Int64.self, UInt.self, UInt8.self, UInt16.self, UInt32.self,
  UInt64.self, Float.self, Double.self, String.self, String.self, String.self, Date.self, Data.self, UUID.self,
  URL.self, Decimal.self, Level.self, Kind.self, Place.self,
]
let orderedTypes = askedTypes.compactMap { $0 as? any (Asked & Comparable).Type }

extension Asked {
  static var maybeProperties: [Property<Self?>] { [] }
}

extension Bool: Asked {
  static var properties: [Property<Bool>] { [\.flag] }
  static var maybeProperties: [Property<Bool?>] { [\.maybeFlag] }
}

extension Int: Asked {
  static var properties: [Property<Int>] { [\.number, \.small] }
  static var maybeProperties: [Property<Int?>] { [\.maybeNumber] }
}

extension Int8: Asked { static var properties: [Property<Int8>] { [\.int8] } }
extension Int16: Asked { static var properties: [Property<Int16>] { [\.int16] } }
extension Int32: Asked { static var properties: [Property<Int32>] { [\.int32] } }
extension Int64: Asked { static var properties: [Property<Int64>] { [\.int64] } }
extension UInt: Asked { static var properties: [Property<UInt>] { [\.uint] } }
extension UInt8: Asked { static var properties: [Property<UInt8>] { [\.uint8] } }
extension UInt16: Asked { static var properties: [Property<UInt16>] { [\.uint16] } }
extension UInt32: Asked { static var properties: [Property<UInt32>] { [\.uint32] } }

extension UInt64: Asked {
  static var properties: [Property<UInt64>] { [\.uint64] }
  static var maybeProperties: [Property<UInt64?>] { [\.maybeUInt64] }
}

extension Float: Asked {
  static var properties: [Property<Float>] { [\.float] }
  static var maybeProperties: [Property<Float?>] { [\.maybeFloat] }
}

extension Double: Asked {
  static var properties: [Property<Double>] { [\.double] }
  static var maybeProperties: [Property<Double?>] { [\.maybeDouble] }
}

extension String: Asked {
  static var properties: [Property<String>] { [\.text, \.otherText] }
  static var maybeProperties: [Property<String?>] { [\.maybeText] }
}

extension Date: Asked {
  static var properties: [Property<Date>] { [\.date] }
  static var maybeProperties: [Property<Date?>] { [\.maybeDate] }
}

extension Data: Asked {
  static var properties: [Property<Data>] { [\.data] }
  static var maybeProperties: [Property<Data?>] { [\.maybeData] }
}

extension UUID: Asked {
  static var properties: [Property<UUID>] { [\.uuid] }
  static var maybeProperties: [Property<UUID?>] { [\.maybeUUID] }
}

extension URL: Asked {
  static var properties: [Property<URL>] { [\.url] }
  static var maybeProperties: [Property<URL?>] { [\.maybeURL] }
}

extension Decimal: Asked {
  static var properties: [Property<Decimal>] { [\.decimal] }
  static var maybeProperties: [Property<Decimal?>] { [\.maybeDecimal] }
}

extension Level: Asked {
  static var properties: [Property<Level>] { [\.level] }
  static var maybeProperties: [Property<Level?>] { [\.maybeLevel] }
}

extension Kind: Asked {
  static var properties: [Property<Kind>] { [\.kind] }
  static var maybeProperties: [Property<Kind?>] { [\.maybeKind] }
}

extension Place: Asked {
  static var properties: [Property<Place>] { [\.place] }
  static var maybeProperties: [Property<Place?>] { [\.maybePlace] }
}
