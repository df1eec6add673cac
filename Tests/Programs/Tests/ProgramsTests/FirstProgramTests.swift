import Foundation
import SwiftData
import Testing

@Model final class Recipe {
  var title: String
  var minutes: Int
  @Relationship(deleteRule: .cascade, inverse: \Ingredient.recipe) var ingredients: [Ingredient] = []

  init(title: String, minutes: Int) {
    self.title = title
    self.minutes = minutes
  }
}

@Model final class Ingredient {
  var name: String
  var recipe: Recipe?

  init(name: String) { self.name = name }
}

@Suite struct FirstProgramTests {
  @Test func `A program that imports SwiftData alone keeps, finds and deletes models`() throws {
    let container = try ModelContainer(
      for: Recipe.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    let context = ModelContext(container)
    let soup = Recipe(title: "Soup", minutes: 30)
    context.insert(soup)
    soup.ingredients.append(Ingredient(name: "Leek"))
    context.insert(Recipe(title: "Toast", minutes: 5))
    try context.save()

    let quick = FetchDescriptor<Recipe>(predicate: #Predicate { $0.minutes < 10 }, sortBy: [SortDescriptor(\.title)])
    #expect(try context.fetch(quick).map(\.title) == ["Toast"])

    context.delete(soup)
    try context.save()
    #expect(try context.fetchCount(FetchDescriptor<Ingredient>()) == 0)
  }

  @Test func `The language mode is the one that the target asks for`() {
    #if swift(>=6)
      let mode = 6
    #else
      let mode = 5
    #endif
    #expect(mode == (#fileID.hasPrefix("ProgramsInSwift5Tests/") ? 5 : 6))
  }
}
