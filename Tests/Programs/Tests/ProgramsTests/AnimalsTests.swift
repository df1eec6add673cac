import Foundation
import Observation
import SwiftData
import Testing

@Model
final class AnimalCategory {
  @Attribute(.unique) var name: String
  // `.cascade` tells SwiftData to delete all animals of the category with it.
  @Relationship(deleteRule: .cascade, inverse: \Animal.category)
  var animals: [Animal] = []

  init(name: String) {
    self.name = name
  }
}

@Model
final class Animal {
  var name: String
  var diet: Diet
  var category: AnimalCategory?

  init(name: String, diet: Diet) {
    self.name = name
    self.diet = diet
  }
}

extension Animal {
  enum Diet: String, CaseIterable, Codable {
    case herbivorous = "Herbivore"
    case carnivorous = "Carnivore"
    case omnivorous = "Omnivore"
  }
}

extension AnimalCategory {
  static let amphibian = ["Newt"]

  static func insertSampleData(modelContext: ModelContext) {
    let mammal = AnimalCategory(name: "Mammal")
    let bird = AnimalCategory(name: "Bird")
    modelContext.insert(mammal)
    modelContext.insert(bird)
    let dog = Animal(name: "Dog", diet: .carnivorous)
    modelContext.insert(dog)
    dog.category = mammal
    for animal in [Animal(name: "Sloth", diet: .herbivorous), Animal(name: "Bear", diet: .omnivorous)] {
      modelContext.insert(animal)
      animal.category = mammal
    }
    bird.animals = [Animal(name: "Macaw", diet: .herbivorous)]
  }

  static func reloadSampleData(modelContext: ModelContext) {
    do {
      try modelContext.delete(model: AnimalCategory.self)
      insertSampleData(modelContext: modelContext)
    } catch {
      fatalError(error.localizedDescription)
    }
  }
}

@Observable
private class NavigationContext {
  var selectedCategoryName: String?
  var selectedAnimal: Animal?

  init(selectedCategoryName: String? = nil) { self.selectedCategoryName = selectedCategoryName }
}

/// In the style of Apple's article on adding and editing.
@MainActor @Suite struct AnimalsTests {
  let container: ModelContainer

  init() throws {
    container = try ModelContainer(
      for: AnimalCategory.self, Animal.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    AnimalCategory.insertSampleData(modelContext: container.mainContext)
  }

  @Test func `Animals of a category are listed by name`() throws {
    let navigation = NavigationContext(selectedCategoryName: "Mammal")
    let name = navigation.selectedCategoryName
    let predicate = #Predicate<Animal> { animal in animal.category?.name == name }
    let animals = try container.mainContext.fetch(
      FetchDescriptor(predicate: predicate, sortBy: [SortDescriptor(\Animal.name)]))
    #expect(animals.map(\.name) == ["Bear", "Dog", "Sloth"])
    navigation.selectedAnimal = animals.first
    #expect(navigation.selectedAnimal?.diet.rawValue == "Omnivore")
    #expect(Animal.Diet.allCases.count == 3)
  }

  @Test func `Samples are reloaded, and deleting all categories deletes all animals`() throws {
    let context = container.mainContext
    try context.save()
    AnimalCategory.reloadSampleData(modelContext: context)
    try context.save()
    #expect(try context.fetchCount(FetchDescriptor<Animal>()) == 4)
    try context.delete(model: AnimalCategory.self)
    try context.save()
    #expect(try context.fetch(FetchDescriptor<Animal>()).isEmpty)
  }

  @Test func `An editor saves an animal that is new, or changes the one it was given`() throws {
    let context = container.mainContext
    func edit(_ animal: Animal?, name: String, diet: Animal.Diet, category: AnimalCategory?) {
      if let animal {
        animal.name = name
        animal.diet = diet
        animal.category = category
      } else {
        let newAnimal = Animal(name: name, diet: diet)
        newAnimal.category = category
        context.insert(newAnimal)
      }
    }
    let bird = try #require(
      try context.fetch(FetchDescriptor<AnimalCategory>(predicate: #Predicate { $0.name == "Bird" })).first)
    edit(nil, name: "Owl", diet: .carnivorous, category: bird)
    edit(bird.animals.first { $0.name == "Macaw" }, name: "Blue Macaw", diet: .omnivorous, category: bird)
    #expect(bird.animals.map(\.name).sorted() == ["Blue Macaw", "Owl"])
    let carnivorous = Animal.Diet.carnivorous
    let hunters = #Predicate<Animal> { $0.diet == carnivorous }
    #expect(try context.fetch(FetchDescriptor(predicate: hunters)).map(\.name).sorted() == ["Dog", "Owl"])
  }
}
