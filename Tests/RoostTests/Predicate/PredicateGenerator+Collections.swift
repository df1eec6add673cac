import Foundation
import Roost

/// Nodes about relationships, arrays and what is captured.
extension PredicateGenerator {
  func relationship(_ subject: Node<Subject>, _ depth: Int) -> Node<Bool> {
    let owner: Node<Owner?> = property(subject, \Subject.owner)
    let labels: Node<[Label]> = property(subject, \Subject.labels)
    let extras: Node<[Label]?> = property(subject, \Subject.extras)
    switch random.below(11) {
    case 8:
      return coalesce(
        flatMap(extras) { extras in
          self.promotion(self.safely { self.contains(extras) { self.about($0, subject, depth - 1) } })
        }, boolean())
    case 9:
      let count = flatMap(extras) { self.promotion(self.property($0, \.count)) }
      return equal(count, PredicateExpressions.Value(random.once(in: 4) ? nil : random.below(3)))
    case 10:
      // The subjects beside this one.
      return coalesce(
        flatMap(owner) { owner in
          self.promotion(
            self.safely {
              self.contains(self.property(owner, \Owner.subjects)) {
                self.compare(self.property($0, \Subject.small), self.property(subject, \Subject.small))
              }
            })
        }, boolean())
    case 0: return equal(owner, _ModelConstant(random.once(in: 4) ? nil : random.pick(rows.owners)))
    case 1:
      return coalesce(flatMap(owner) { owner in self.promotion(self.about(owner, depth - 1)) }, boolean())
    case 2: return property(labels, \.isEmpty)
    case 3: return compare(property(labels, \.count), PredicateExpressions.Value(random.below(4)))
    case 4: return safely { contains(labels) { self.about($0, subject, depth - 1) } }
    case 5:
      return safely {
        compare(
          property(filter(labels) { self.about($0, subject, depth - 1) }, \.count),
          PredicateExpressions.Value(random.below(3)))
      }
    case 6: return evaluated(subject, depth)
    default:
      // Through the owner to its other subjects.
      return coalesce(
        flatMap(owner) { owner in
          self.promotion(
            self.safely {
              self.contains(self.property(owner, \Owner.subjects)) { self.condition($0, min(depth - 1, 1)) }
            })
        }, boolean())
    }
  }

  func collection(_ subject: Node<Subject>, _ depth: Int) -> Node<Bool> {
    let words: Node<[String]> = property(subject, \Subject.words)
    let digits: Node<[Int]> = property(subject, \Subject.digits)
    switch random.below(14) {
    case 9: return random.once(in: 2) ? startsWith(words, sampleWords(2)) : startsWith(digits, sampleDigits(2))
    case 10: return random.once(in: 2) ? hasPart(words, sampleWords(2)) : hasPart(digits, sampleDigits(2))
    case 11 where mayFail: return sliced(words) { self.equal($0, self.scalar(String.self, subject, 0)) }
    case 12: return equal(greatest(words), optional(String.self, subject, 0))
    case 13: return isAmong(Set((0..<3).map { _ in String.sample(&random) }), scalar(String.self, subject, depth - 1))
    case 7, 8: return packedCollection(subject)
    case 0: return holds(words, scalar(String.self, subject, depth - 1))
    case 1: return holds(digits, PredicateExpressions.Value(Int.sample(&random)))
    case 2: return property(words, \.isEmpty)
    case 3:
      return safely { contains(words) { self.equal($0, self.scalar(String.self, subject, 0)) } }
    case 4: return safely { contains(digits) { self.compare($0, self.scalar(Int.self, subject, 0)) } }
    case 5:
      // What is captured is unrolled.
      let captured = PredicateExpressions.Value((0..<random.below(3)).map { _ in String.sample(&random) })
      return safely { contains(captured) { self.strings(subject, 0, with: $0) } }
    default: return equal(greatest(digits), optional(Int.self, subject, 0))
    }
  }

  /// Arrays, sets and dictionaries of what SQLite does not read from JSON as it is.
  private func packedCollection(_ subject: Node<Subject>) -> Node<Bool> {
    let reals: Node<[Double]> = property(subject, \Subject.reals)
    let places: Node<[Place]> = property(subject, \Subject.places)
    let scores: Node<[String: Int]> = property(subject, \Subject.scores)
    let tags: Node<Set<String>> = property(subject, \Subject.tags)
    switch random.below(14) {
    case 0: return holds(reals, PredicateExpressions.Value(Double.sample(&random)))
    case 1: return safely { contains(reals) { self.compare($0, self.scalar(Double.self, subject, 0)) } }
    case 2: return holds(places, PredicateExpressions.Value(Place.sample(&random)))
    case 3:
      return safely {
        contains(places) { self.equal(self.property($0, \Place.city), self.scalar(String.self, subject, 0)) }
      }
    case 4:
      return safely {
        contains(places) { self.compare(self.property($0, \Place.code), self.scalar(Double.self, subject, 0)) }
      }
    case 5:
      let end: Node<Double?> = property(reals, random.once(in: 2) ? \[Double].first : \[Double].last)
      return equal(end, optional(Double.self, subject, 0))
    case 6:
      if mayFail { return equal(element(reals), scalar(Double.self, subject, 0)) }
      return property(reals, \[Double].isEmpty)
    case 7, 12, 13:
      if random.once(in: 2) {
        let score: Node<Int> = entry(scores, default: 1)
        return compare(score, scalar(Int.self, subject, 0))
      }
      let score: Node<Int?> = entry(scores)
      return equal(score, optional(Int.self, subject, 0))
    case 8:
      let count: Node<Int> = property(scores, \[String: Int].count)
      return compare(count, PredicateExpressions.Value(random.below(4)))
    case 9: return property(scores, \[String: Int].isEmpty)
    case 10:
      let count: Node<Int> = property(tags, \Set<String>.count)
      return compare(count, PredicateExpressions.Value(random.below(4)))
    default: return holdsTag(tags, PredicateExpressions.Value(String.sample(&random)))
    }
  }

  private func element<Reals: StandardPredicateExpression<[Double]>>(_ reals: Reals) -> Node<Double> {
    PredicateExpressions.CollectionIndexSubscript<Reals, PredicateExpressions.Value<Int>>(
      wrapped: reals, index: .init(random.below(4)))
  }

  private func entry<Scores: StandardPredicateExpression<[String: Int]>>(_ scores: Scores) -> Node<Int?> {
    PredicateExpressions.DictionaryKeySubscript<Scores, PredicateExpressions.Value<String>, Int>(
      wrapped: scores, key: .init(dictionaryKey))
  }

  private func entry<Scores: StandardPredicateExpression<[String: Int]>>(
    _ scores: Scores, default value: Int
  ) -> Node<Int> {
    typealias Constant = PredicateExpressions.Value
    return PredicateExpressions.DictionaryKeyDefaultValueSubscript<Scores, Constant<String>, Constant<Int>>(
      wrapped: scores, key: .init(dictionaryKey), default: .init(value))
  }

  /// One that SQLite finds in JSON.
  private var dictionaryKey: String {
    random.pick(String.pool.filter { $0 != "\"" && $0.unicodeScalars.allSatisfy { $0.value >= 0x20 } })
  }

  private func holdsTag(
    _ tags: some StandardPredicateExpression<Set<String>>, _ tag: PredicateExpressions.Value<String>
  ) -> Node<Bool> { PredicateExpressions.SequenceContains(sequence: tags, element: tag) }

  private func boolean() -> PredicateExpressions.Value<Bool> { .init(random.once(in: 2)) }

  /// A condition in whose evaluation nothing throws.
  func safely<Output>(_ body: () -> Node<Output>) -> Node<Output> {
    let outer = mayFail
    mayFail = false
    defer { mayFail = outer }
    return body()
  }

  private func about(_ owner: Node<Owner>, _ depth: Int) -> Node<Bool> {
    switch random.below(3) {
    case 0: equal(property(owner, \Owner.nickname), PredicateExpressions.Value(String?.sample(&random)))
    case 1: compare(property(owner, \Owner.rank), PredicateExpressions.Value(random.below(3) - 1))
    default: property(property(owner, \Owner.subjects), \.isEmpty)
    }
  }

  private func about(_ label: Node<Label>, _ subject: Node<Subject>, _ depth: Int) -> Node<Bool> {
    switch random.below(4) {
    case 0: equal(property(label, \Label.name), scalar(String.self, subject, 0))
    case 1: equal(property(label, \Label.weight), optional(Double.self, subject, 0))
    case 2: contains(property(label, \Label.subjects)) { self.condition($0, min(depth - 1, 1)) }
    default: compare(property(label, \Label.name), scalar(String.self, subject, 0))
    }
  }

  private func strings(_ subject: Node<Subject>, _ depth: Int, with text: Node<String>) -> Node<Bool> {
    random.once(in: 2)
      ? equal(text, scalar(String.self, subject, depth)) : compare(scalar(String.self, subject, depth), text)
  }

  private func holds<Element: Equatable>(
    _ elements: some StandardPredicateExpression<[Element]>, _ element: some StandardPredicateExpression<Element>
  ) -> Node<Bool> { PredicateExpressions.SequenceContains(sequence: elements, element: element) }

  func greatest<Value: Comparable>(_ elements: some StandardPredicateExpression<[Value]>) -> Node<Value?> {
    random.once(in: 2)
      ? PredicateExpressions.SequenceMaximum(elements: elements)
      : PredicateExpressions.SequenceMinimum(elements: elements)
  }

  private func evaluated(_ subject: some StandardPredicateExpression<Subject>, _ depth: Int) -> Node<Bool> {
    let inner = predicate(depth: min(depth - 1, 2))
    return _PredicateBuilder.evaluate(value: inner, subject)
  }
}
