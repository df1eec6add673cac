import Foundation
import Roost
import Testing

/// Predicates are encoded and decoded against a list of what they may ask.
@Suite struct ArchiveTests {
  private let archive = SubjectArchive()

  private func subject(_ change: (Subject) -> Void) -> Subject {
    let subject = Subject()
    change(subject)
    return subject
  }

  private func decode(_ text: String) throws -> Predicate<Subject> {
    try JSONDecoder().decode(
      Predicate<Subject>.self, from: Data(text.utf8), configuration: archive.configuration)
  }

  @Test func `a decoded predicate means what the encoded one did`() throws {
    let limit = 3
    let predicate = #Predicate<Subject> { subject in
      subject.number > limit && subject.text.contains(/a+/)
        && (subject.owner?.name ?? "none") != "some" && subject.labels.allSatisfy { $0.name.count < subject.small }
    }
    let again = try #require(try archive.again(predicate))
    let good = subject {
      $0.number = 4
      $0.text = "baa"
    }
    #expect(try again.evaluate(good))
    #expect(try !again.evaluate(subject { $0.number = 4 }))
    // What was decoded can be encoded again.
    #expect(try #require(try archive.again(again)).evaluate(good))
  }

  @Test func `dates and data survive whatever encodes them`() throws {
    let date = Date(timeIntervalSinceReferenceDate: 0.1)
    let encoder = JSONEncoder()
    encoder.dateEncodingStrategy = .iso8601
    let predicate = #Predicate<Subject> { $0.date == date }
    let data = try encoder.encode(predicate, configuration: archive.configuration)
    let again = try JSONDecoder().decode(Predicate<Subject>.self, from: data, configuration: archive.configuration)
    #expect(try again.evaluate(subject { $0.date = date }))
  }

  @Test func `a type may name its key paths itself, and those of the types that they refer to`() throws {
    var configuration = PredicateCodableConfiguration.standardConfiguration
    configuration.allowKeyPathsForPropertiesProvided(by: ProvidingLeaf.self)
    let short = #Predicate<ProvidingLeaf> { $0.length > 3 }
    let data = try JSONEncoder().encode(short, configuration: configuration)
    #expect(String(decoding: data, as: UTF8.self).contains("Leaf.length"))
    let again = try JSONDecoder().decode(Predicate<ProvidingLeaf>.self, from: data, configuration: configuration)
    let leaf = ProvidingLeaf()
    #expect(try !again.evaluate(leaf))
    leaf.length = 4
    #expect(try again.evaluate(leaf))

    let deep = #Predicate<ProvidingLeaf> { $0.branch?.name == "b" }
    #expect(throws: EncodingError.self) { try JSONEncoder().encode(deep, configuration: configuration) }
    configuration.allowKeyPathsForPropertiesProvided(by: ProvidingLeaf.self, recursive: true)
    _ = try JSONEncoder().encode(deep, configuration: configuration)
    configuration.disallowKeyPathsForPropertiesProvided(by: ProvidingLeaf.self)
    #expect(throws: EncodingError.self) { try JSONEncoder().encode(short, configuration: configuration) }
  }

  @Test func `what is not on the list is neither encoded nor decoded`() throws {
    let predicate = #Predicate<Subject> { $0.number > 3 }
    var narrow = archive.configuration
    narrow.disallowKeyPath(\Subject.number)
    let data = try JSONEncoder().encode(predicate, configuration: archive.configuration)
    #expect(throws: EncodingError.self) { try JSONEncoder().encode(predicate, configuration: narrow) }
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(Predicate<Subject>.self, from: data, configuration: narrow)
    }
    #expect(throws: EncodingError.self) {
      try JSONEncoder().encode(predicate, configuration: .standardConfiguration)
    }
    let owner = Owner()
    #expect(throws: EncodingError.self) {
      try JSONEncoder().encode(#Predicate<Subject> { $0.owner == owner }, configuration: archive.configuration)
    }
    var untyped = archive.configuration
    untyped.disallowType(Int.self)
    #expect(throws: EncodingError.self) { try JSONEncoder().encode(predicate, configuration: untyped) }
  }

  @Test(arguments: [
    "{}", "[]", #"{"variables":[],"expression":{"kind":"Value"}}"#,
    #"{"variables":[0],"expression":{"kind":"Value","type":{"name":"Int"},"text":"[1]"}}"#,
    #"{"variables":[0],"expression":{"kind":"Value","type":{"name":"Secret"},"text":"[true]"}}"#,
    #"{"variables":[0],"expression":{"kind":"Negation","parts":{"wrapped":{"kind":"Variable","variable":7}}}}"#,
    #"{"variables":[0],"expression":{"kind":"Negation","parts":{"wrapped":{"kind":"Variable","variable":0}}}}"#,
    #"{"variables":[0],"expression":{"kind":"KeyPath","text":"Owner.name","parts":{"root":{"kind":"V","variable":0}}}}"#,
    #"{"variables":[0],"expression":{"kind":"SequenceContainsWhere","parts":{}}}"#,
    #"{"variables":[0],"expression":{"kind":"_AllOf","inputs":[],"bodies":[{"variables":[1,2],"expression":{"kind":"X"}}]}}"#,
  ])
  func `what is no predicate is an error`(text: String) {
    #expect(throws: DecodingError.self) { try decode(text) }
  }

  @Test func `deep nesting is an error`() {
    let depth = 400
    let text =
      #"{"variables":[0],"expression":"# + String(repeating: #"{"kind":"Negation","parts":{"wrapped":"#, count: depth)
      + #"{"kind":"Value","type":{"name":"Bool"},"text":"[true]"}"# + String(repeating: "}}", count: depth) + "}"
    #expect(throws: (any Error).self) { try decode(text) }
  }

  @Test(.timeLimit(.minutes(20))) func `what is many levels deep is read once a level`() throws {
    func nested(_ outer: String, _ inner: String) -> String {
      (0..<60).reduce(inner) { inner, _ in outer.replacing("INNER", with: inner) }
    }
    func path(_ name: String) -> String {
      #"{"kind":"KeyPath","text":"Subject.\#(name)","parts":{"root":{"kind":"Variable","variable":0}}}"#
    }
    let holds = #"{"kind":"Value","type":{"name":"Bool"},"text":"[true]"}"#
    let variable = #""variable":{"kind":"Variable","variable":1}"#
    let filter = #"{"kind":"Filter","parts":{"sequence":INNER,\#(variable),"filter":\#(holds)}}"#
    let filtered = nested(filter, path("labels"))
    let coalesce = #"{"kind":"_OptionalCoalesce","parts":{"lhs":\#(path("maybeText")),"rhs":INNER}}"#
    let coalesced = nested(coalesce, path("maybeText"))
    let none = #"{"kind":"NilLiteral","type":{"name":"String"}}"#
    for expression in [
      #"{"kind":"SequenceAllSatisfy","parts":{"sequence":\#(filtered),\#(variable),"test":\#(holds)}}"#,
      #"{"kind":"Equal","parts":{"lhs":\#(coalesced),"rhs":\#(none)}}"#,
    ] {
      let predicate = try decode(#"{"variables":[0],"expression":\#(expression)}"#)
      #expect(try predicate.evaluate(Subject()))
    }
  }

  @Test func `thousands of predicates can be encoded`() throws {
    let list = Predicate<Subject>(any: (0..<2_000).map { number in #Predicate { $0.number == number } })
    let again = try #require(try archive.again(list))
    #expect(try again.evaluate(subject { $0.number = 1_999 }))
    #expect(try !again.evaluate(subject { $0.number = 2_000 }))
  }
}

@Model final class ProvidingLeaf: PredicateCodableKeyPathProviding {
  var length = 1
  var branch: ProvidingBranch?
  init() {}

  static var predicateCodableKeyPaths: [String: any PartialKeyPath<ProvidingLeaf> & Sendable] {
    ["Leaf.length": \.length, "Leaf.branch": \.branch]
  }
}

@Model final class ProvidingBranch {
  var name = ""
  var leaves: [ProvidingLeaf] = []
  init() {}
}

extension ProvidingBranch: PredicateCodableKeyPathProviding {
  static var predicateCodableKeyPaths: [String: any PartialKeyPath<ProvidingBranch> & Sendable] {
    ["Branch.name": \.name, "Branch.leaves": \.leaves]
  }
}
