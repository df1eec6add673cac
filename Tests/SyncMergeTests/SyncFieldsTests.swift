import SyncMerge
import TestSupport
import Testing

@Suite struct SyncFieldsTests {
  @Test func `fields are those of a dictionary, in order`() {
    var random = SeededRandom(seed: SeededRandom.seed)
    for _ in 0..<200 {
      var (fields, dictionary): (SyncFields<Int>, [Int: Int]) = ([:], [:])
      for _ in 0..<random.below(40) {
        let (key, value) = (random.below(20) - 10, random.below(100))
        switch random.below(3) {
        case 0: (fields[key], dictionary[key]) = (nil, nil)
        case 1:
          fields[key, default: 1] += value
          dictionary[key, default: 1] += value
        default: (fields[key], dictionary[key]) = (value, value)
        }
        #expect(fields[key] == dictionary[key])
      }
      let expected = dictionary.sorted { $0.key < $1.key }
      #expect(fields.keys == expected.map(\.key) && fields.values == expected.map(\.value))
      #expect(fields.map(\.key) == fields.keys && fields.count == dictionary.count)
      #expect(fields.isEmpty == dictionary.isEmpty)
      #expect(fields.mapValues { $0 * 2 }.values == expected.map { $0.value * 2 })
      #expect(fields.filter { $0.key > 0 }.keys == expected.map(\.key).filter { $0 > 0 })
    }
  }

  @Test func `fields that another program wrote in another order are the same`() throws {
    // The version, how many there are, and of each the number and a value: none, or an integer.
    let inOrder = try SyncFields<SyncValue>(encoded: [1, 2, 2, 0, 4, 1, 6])
    #expect(try SyncFields<SyncValue>(encoded: [1, 2, 4, 1, 6, 2, 0]) == inOrder)
    #expect(inOrder.keys == [1, 2] && inOrder[1] == .null && inOrder[2] == .integer(3))
  }
}
