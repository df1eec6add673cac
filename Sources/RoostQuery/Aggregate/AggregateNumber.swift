public import Foundation
public import RoostCore
public import RoostSQL

/// A number that the database can sum.
///
/// Sums of integers are exact, those of `Decimal` too; of `Double` and `Float` as exact as SQLite's `total()`. An
/// integer sum too large for its type is an error; SQLite refuses one that is too large on the way, too.
public protocol AggregateNumber: Sendable {
  /// What a sum is: wide enough for many of the small ones.
  associatedtype Sum: Comparable, Sendable
  /// What an average is.
  associatedtype Average: Comparable, Sendable

  @_documentation(visibility: private)
  static func _sum(_ value: SQLValue) -> Sum?
  @_documentation(visibility: private)
  static func _average(_ value: SQLValue) -> Average?
  @_documentation(visibility: private)
  static func _sum(of values: [Self]) -> Sum
  @_documentation(visibility: private)
  static func _average(of values: [Self]) -> Average?
}

extension AggregateNumber where Self: BinaryInteger, Sum: FixedWidthInteger {
  /// A sum that its type cannot hold is an error of the database; in memory it is the nearest one.
  @_documentation(visibility: private)
  public static func _sum(of values: [Self]) -> Sum {
    var (sum, carry) = (Sum.zero, 0)
    for value in values {
      let (result, overflows) = sum.addingReportingOverflow(Sum(value))
      sum = result
      if overflows { carry += value < 0 ? -1 : 1 }
    }
    return carry == 0 ? sum : carry < 0 ? .min : .max
  }

  @_documentation(visibility: private)
  public static func _average(of values: [Self]) -> Double? { mean(of: values.map { Double($0) }) }
}

/// nil when there is none.
private func mean(of values: [Double]) -> Double? {
  values.isEmpty ? nil : values.reduce(0, +) / Double(values.count)
}

extension AggregateNumber where Average == Double {
  @_documentation(visibility: private)
  public static func _average(_ value: SQLValue) -> Double? { Double._decode(value) }
}

extension AggregateNumber where Sum: _NativeValue {
  @_documentation(visibility: private)
  public static func _sum(_ value: SQLValue) -> Sum? { value == .null ? Sum._placeholder : Sum._decode(value) }
}

extension Int: AggregateNumber { public typealias Sum = Int }
extension Int8: AggregateNumber { public typealias Sum = Int }
extension Int16: AggregateNumber { public typealias Sum = Int }
extension Int32: AggregateNumber { public typealias Sum = Int }
extension Int64: AggregateNumber { public typealias Sum = Int64 }
extension UInt8: AggregateNumber { public typealias Sum = Int }
extension UInt16: AggregateNumber { public typealias Sum = Int }
extension UInt32: AggregateNumber { public typealias Sum = Int }
extension UInt: AggregateNumber { public typealias Sum = UInt }
extension UInt64: AggregateNumber { public typealias Sum = UInt64 }

extension Double: AggregateNumber {
  /// Infinities of both signs make what is no number, which the database has not.
  @_documentation(visibility: private)
  public static func _sum(_ value: SQLValue) -> Double? { value == .null ? .nan : Double._decode(value) }
  @_documentation(visibility: private)
  public static func _sum(of values: [Double]) -> Double { values.reduce(0, +) }
  @_documentation(visibility: private)
  public static func _average(of values: [Double]) -> Double? { mean(of: values) }
}

extension Float: AggregateNumber {
  @_documentation(visibility: private)
  public static func _sum(_ value: SQLValue) -> Double? { Double._sum(value) }
  @_documentation(visibility: private)
  public static func _sum(of values: [Float]) -> Double { values.reduce(0) { $0 + Double($1) } }
  @_documentation(visibility: private)
  public static func _average(of values: [Float]) -> Double? { mean(of: values.map { Double($0) }) }
}

extension Decimal: AggregateNumber {
  public typealias Sum = Decimal

  @_documentation(visibility: private)
  public static func _average(_ value: SQLValue) -> Decimal? { Decimal._decode(value) }
  @_documentation(visibility: private)
  public static func _sum(of values: [Decimal]) -> Decimal { values.reduce(0, +) }
  @_documentation(visibility: private)
  public static func _average(of values: [Decimal]) -> Decimal? {
    values.isEmpty ? nil : _sum(of: values) / Decimal(values.count)
  }
}
