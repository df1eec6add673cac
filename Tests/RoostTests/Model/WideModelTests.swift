import Foundation
import Roost
import Testing

/// More properties than a word has bits.
@Model
final class Questionnaire {
  var answer0 = ""
  var answer1 = ""
  var answer2 = ""
  var answer3 = ""
  var answer4 = ""
  var answer5 = ""
  var answer6 = ""
  var answer7 = ""
  var answer8 = ""
  var answer9 = ""
  var answer10 = ""
  var answer11 = ""
  var answer12 = ""
  var answer13 = ""
  var answer14 = ""
  var answer15 = ""
  var answer16 = ""
  var answer17 = ""
  var answer18 = ""
  var answer19 = ""
  var answer20 = ""
  var answer21 = ""
  var answer22 = ""
  var answer23 = ""
  var answer24 = ""
  var answer25 = ""
  var answer26 = ""
  var answer27 = ""
  var answer28 = ""
  var answer29 = ""
  var answer30 = ""
  var answer31 = ""
  var answer32 = ""
  var answer33 = ""
  var answer34 = ""
  var answer35 = ""
  var answer36 = ""
  var answer37 = ""
  var answer38 = ""
  var answer39 = ""
  var answer40 = ""
  var answer41 = ""
  var answer42 = ""
  var answer43 = ""
  var answer44 = ""
  var answer45 = ""
  var answer46 = ""
  var answer47 = ""
  var answer48 = ""
  var answer49 = ""
  var answer50 = ""
  var answer51 = ""
  var answer52 = ""
  var answer53 = ""
  var answer54 = ""
  var answer55 = ""
  var answer56 = ""
  var answer57 = ""
  var answer58 = ""
  var answer59 = ""
  var answer60 = ""
  var answer61 = ""
  var answer62 = ""
  var answer63 = ""
  var answer64 = ""
  var answer65 = ""
  var answer66 = ""
  var answer67 = ""
  var answer68 = ""
  var answer69 = ""

  init() {}
}

@Suite struct WideModelTests {
  @Test func `a save of one property of many leaves those that were not read as they are`() throws {
    let container = try ModelContainer(
      for: Questionnaire.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    let context = ModelContext(container)
    let questionnaire = Questionnaire()
    questionnaire.answer0 = "first"
    questionnaire.answer63 = "middle"
    questionnaire.answer68 = "last but one"
    context.insert(questionnaire)
    try context.save()

    let other = ModelContext(container)
    var descriptor = FetchDescriptor<Questionnaire>()
    descriptor.propertiesToFetch = [\.answer69]
    let partial = try #require(try other.fetch(descriptor).first)
    partial.answer69 = "last"
    #expect(other.hasChanges)
    try other.save()

    let third = try #require(try ModelContext(container).fetch(FetchDescriptor<Questionnaire>()).first)
    #expect(
      [third.answer0, third.answer63, third.answer68, third.answer69] == ["first", "middle", "last but one", "last"])
  }

  @Test func `a context shows what another one changed in a model of many properties`() throws {
    let container = try ModelContainer(
      for: Questionnaire.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    let context = ModelContext(container)
    let questionnaire = Questionnaire()
    context.insert(questionnaire)
    try context.save()

    let other = ModelContext(container)
    let seen = try #require(try other.fetch(FetchDescriptor<Questionnaire>()).first)
    questionnaire.answer0 = "first"
    try context.save()
    questionnaire.answer66 = "last"
    try context.save()
    _ = try other.fetch(FetchDescriptor<Questionnaire>())
    #expect([seen.answer0, seen.answer66] == ["first", "last"])
  }

  @Test func `a rollback undoes changes of properties far down`() throws {
    let container = try ModelContainer(
      for: Questionnaire.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    let context = ModelContext(container)
    let questionnaire = Questionnaire()
    context.insert(questionnaire)
    try context.save()
    questionnaire.answer1 = "one"
    questionnaire.answer66 = "sixty-six"
    context.rollback()
    #expect(questionnaire.answer1 == "" && questionnaire.answer66 == "")
    #expect(!questionnaire.hasChanges)
  }
}
