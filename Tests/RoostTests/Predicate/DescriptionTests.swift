import Foundation
import Roost
import RoostQuery
import Testing

/// What a program sees of a predicate when it prints it.
@Suite struct DescriptionTests {
  @Test func `a predicate is printed about as it was written, with what it captured`() {
    let word = "long"
    let limit = 3
    #expect(
      "\(#Predicate<Subject> { $0.number < limit && $0.flag })" == "Predicate<Subject> { ($0.number < 3) && $0.flag }")
    #expect("\(#Predicate<Subject> { $0.maybeText == word })" == #"Predicate<Subject> { $0.maybeText == "long" }"#)
    #expect(
      "\(#Predicate<Subject> { $0.maybeText?.count == limit })"
        == "Predicate<Subject> { $0.maybeText?.count == 3 }")
    #expect(
      "\(#Predicate<Subject> { $0.text.hasPrefix(word) })" == #"Predicate<Subject> { $0.text.hasPrefix("long") }"#)
    let two = Foundation.Predicate<Subject, Int> { subject, number in
      let path = PredicateExpressions.build_KeyPath(root: subject, keyPath: \.number)
      return PredicateExpressions.build_Equal(lhs: path, rhs: number)
    }
    #expect("\(two)" == "Predicate<Subject, Int> { $0.number == $1 }")
    #expect(
      String(
        describing: Predicate<Subject>(any: [.comparing(\.number, .lessThan, 1), .comparing(\.flag, .equal, true)]))
        == "Predicate<Subject> { ($0.number < 1) || ($0.flag == true) }")
    #expect(
      "\(#Predicate<Subject> { !($0.flag && $0.text.hasPrefix(word)) })"
        == #"Predicate<Subject> { !($0.flag && $0.text.hasPrefix("long")) }"#)
    #expect("\(#Expression<Subject, Int> { $0.number + 1 })" == "Expression<Subject, Int> { $0.number + 1 }")
  }

  @Test func `a predicate with an optional chain is printed inside other values`() {
    let predicate = #Predicate<Subject> { $0.maybeText?.hasPrefix("a") == true }
    let descriptor = FetchDescriptor(predicate: predicate)
    var text = ""
    print(descriptor, [predicate], ["a": predicate], Optional(predicate) as Any, to: &text)
    debugPrint(descriptor, predicate, to: &text)
    dump(descriptor, to: &text)
    #expect(text.contains("Subject"))
  }

  @Test func `a chain of many conditions is printed whole`() {
    var predicate = #Predicate<Subject> { $0.number != 0 }
    for number in 1..<100 {
      let former = predicate
      predicate = #Predicate { former.evaluate($0) && $0.number != number }
    }
    let text = "\(predicate)"
    #expect(text.contains("99") && !text.contains("PredicateExpressions"))
  }

  @Test func `any predicate is printed without a type of a node`() throws {
    let seed = SeededRandom.seed
    let rows = try SubjectRows()
    let generator = PredicateGenerator(SeededRandom(seed: seed), rows)
    try rows.refill(&generator.random, count: 10)
    for _ in 0..<2_000 {
      let predicate = generator.predicate(depth: generator.random.below(5))
      let text = "\(predicate)"
      #expect(text.hasPrefix("Predicate<Subject> {") && !text.contains("PredicateExpressions"), "seed \(seed): \(text)")
    }
  }
}
