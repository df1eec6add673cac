import Foundation

extension Subject {
  convenience init(random: inout SeededRandom) {
    self.init()
    flag = .sample(&random)
    maybeFlag = .sample(&random)
    number = .sample(&random)
    maybeNumber = .sample(&random)
    small = random.below(21) - 10
    int8 = .sample(&random)
    int16 = .sample(&random)
    int32 = .sample(&random)
    int64 = .sample(&random)
    uint8 = .sample(&random)
    uint16 = .sample(&random)
    uint32 = .sample(&random)
    uint = .sample(&random)
    uint64 = .sample(&random)
    maybeUInt64 = .sample(&random)
    float = .sample(&random)
    maybeFloat = .sample(&random)
    // SQLite keeps no sign of zero.
    double = .sample(&random) + 0
    maybeDouble = Double?.sample(&random).map { $0 + 0 }
    text = .sample(&random)
    otherText = .sample(&random)
    maybeText = .sample(&random)
    date = .sample(&random)
    maybeDate = .sample(&random)
    data = .sample(&random)
    maybeData = .sample(&random)
    uuid = .sample(&random)
    maybeUUID = .sample(&random)
    url = .sample(&random)
    maybeURL = .sample(&random)
    decimal = .sample(&random)
    maybeDecimal = .sample(&random)
    level = .sample(&random)
    maybeLevel = .sample(&random)
    kind = .sample(&random)
    maybeKind = .sample(&random)
    grade = .sample(&random)
    place = .sample(&random)
    maybePlace = .sample(&random)
    packed = .sample(&random)
    maybePacked = .sample(&random)
    reals = (0..<random.below(4)).map { _ in Double.sample(&random) }
    places = (0..<random.below(3)).map { _ in Place.sample(&random) }
    scores = Dictionary((0..<random.below(4)).map { _ in (.sample(&random), .sample(&random)) }) { $1 }
    tags = Set((0..<random.below(4)).map { _ in String.sample(&random) })
    words = (0..<random.below(4)).reduce(into: []) { words, _ in
      let word = String.sample(&random)
      if words.allSatisfy({ $0.isOrdered(with: word) }) { words.append(word) }
    }
    digits = (0..<random.below(4)).map { _ in Int.sample(&random) }
  }
}

extension String {
  /// Whether `<` says what the database's order says.
  ///
  /// Swift 6.3 has Ki before the KELVIN SIGN, which equals K, so that the greatest of such
  /// words is whichever comes last.
  fileprivate func isOrdered(with other: String) -> Bool {
    (self < other) == (self + "\0" < other + "\0") && (other < self) == (other + "\0" < self + "\0")
  }
}

extension Owner {
  convenience init(random: inout SeededRandom) {
    self.init()
    name = .sample(&random)
    nickname = .sample(&random)
    rank = random.below(5) - 2
  }
}

extension Label {
  convenience init(random: inout SeededRandom) {
    self.init()
    name = .sample(&random)
    weight = .sample(&random)
  }
}
