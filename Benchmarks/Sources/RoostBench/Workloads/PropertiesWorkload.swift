import Foundation

/// 1,000,000 reads or writes of one property of objects in memory, so that a millisecond is a nanosecond an access.
///
/// There are 100,000 objects, more than fit into a processor's nearer caches, and ten walks over them a round.
enum PropertiesWorkload: String, CaseIterable {
  case integer = "properties-int"
  case string = "properties-string"

  static let objectCount = 100_000
  static let walkCount = 10

  var workload: Workload {
    var variants = [Variant("class-read", classRead), Variant("class-write", classWrite)]
    #if ROOST
      variants.insert(Variant("roost-read", roostRead), at: 0)
      variants.insert(Variant("roost-write", roostWrite), at: 1)
    #endif
    return Workload(name: rawValue, variants: variants)
  }

  private func classRead(in folder: URL) throws -> Round {
    let objects = (1...Self.objectCount).map(PlainCounter.init)
    return reads {
      switch self {
      case .integer: objects.reduce(0) { $0 &+ $1.count }
      case .string: objects.reduce(0) { $0 &+ $1.title.utf8.count }
      }
    }
  }

  private func classWrite(in folder: URL) throws -> Round {
    let objects = (1...Self.objectCount).map(PlainCounter.init)
    return writes { value in
      switch self {
      case .integer: for object in objects { object.count = value }
      case .string:
        let title = UpdateWorkload.title(value)
        for object in objects { object.title = title }
      }
    } check: { value in
      objects.allSatisfy { self == .integer ? $0.count == value : $0.title == UpdateWorkload.title(value) }
    }
  }

  /// Rounds of walks that read. What each returns is a sum over all objects.
  func reads(_ walk: @escaping () -> Int) -> Round {
    let expected = (1...Self.objectCount).reduce(0) { sum, number in
      sum + (self == .integer ? number : UpdateWorkload.title(number).utf8.count)
    }
    return {
      try (0..<Self.walkCount).reduce(.zero) { time, _ in
        let one = try timed(walk) {
          guard $0 == expected else { throw BenchmarkError("\(rawValue): read other values than there are") }
        }
        return time + one
      }
    }
  }

  /// Rounds of walks that write a value, each another one.
  func writes(
    _ walk: @escaping (Int) -> Void, check: @escaping (Int) throws -> Bool
  ) -> Round {
    var value = 0
    return {
      try (0..<Self.walkCount).reduce(.zero) { time, _ in
        value += 1
        let one = try timed {
          walk(value)
        } check: {
          guard try check(value) else { throw BenchmarkError("\(rawValue): wrote other values than asked for") }
        }
        return time + one
      }
    }
  }
}

/// What a program without any library has.
final class PlainCounter {
  var title: String
  var count: Int
  var isOn: Bool

  init(number: Int) {
    title = UpdateWorkload.title(number)
    count = number
    isOn = number % 2 == 1
  }
}
