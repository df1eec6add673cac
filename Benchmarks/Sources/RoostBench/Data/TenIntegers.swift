/// A row of ten integers, as GRDB's own performance suite has it. Each value says which row and column it is of.
struct TenIntegers: Equatable {
  var i0, i1, i2, i3, i4, i5, i6, i7, i8, i9: Int

  init(number: Int) {
    let first = number * 10
    (i0, i1, i2, i3, i4) = (first, first + 1, first + 2, first + 3, first + 4)
    (i5, i6, i7, i8, i9) = (first + 5, first + 6, first + 7, first + 8, first + 9)
  }

  static func make(_ count: Int) -> [TenIntegers] {
    (0..<count).map(TenIntegers.init(number:))
  }

  /// The order of the rows does not matter.
  static func check(_ found: some Sequence<TenIntegers>, against expected: [TenIntegers], _ variant: String) throws {
    guard found.sorted(by: { $0.i0 < $1.i0 }) == expected else {
      throw BenchmarkError("\(variant) has other rows of ten integers than expected")
    }
  }
}
