import RoostCore
import Testing

/// The changes of a transaction, in bytes.
@Suite struct HistoryPackTests {
  /// Three new rows of the model with the number 0, from the key 1 on, and then what is none of a pack.
  private let bytes: [UInt8] = [1, 0, 2, 3, 0xff]

  @Test(arguments: [1, 2, 3]) func `a pack is read as far as somebody wants it`(count: Int) {
    var keys: [Int64] = []
    let isSound = HistoryPack.read(bytes) { change in
      keys.append(change.key)
      return keys.count < count
    }
    #expect(isSound && keys == Array(1...Int64(count)))
  }

  @Test func `whoever wants all of a pack hears that it is none, after what is`() {
    var keys: [Int64] = []
    let isSound = HistoryPack.read(bytes) { change in
      keys.append(change.key)
      return true
    }
    #expect(!isSound && keys == [1, 2, 3])
  }
}
