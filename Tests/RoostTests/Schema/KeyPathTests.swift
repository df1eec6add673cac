import RoostCore
import Testing

@Suite("Key paths of a schema")
struct KeyPathTests {
  /// Kept because an entity does not keep those that it leads to.
  private let info: SchemaInfo
  private let book: EntityInfo

  init() throws {
    info = try SchemaInfo([Library.Book.self])
    book = try #require(info.entity(for: Library.Book.self))
  }

  private func names(_ keyPath: AnyKeyPath) -> [String]? { book.path(for: keyPath)?.map(\.name) }

  @Test("A property's own key path is found")
  func own() {
    #expect(names(\Library.Book.title) == ["title"])
    #expect(book.property(for: \Library.Book.author)?.index == 2)
  }

  @Test("A key path through relationships is found, and found again")
  func deep() {
    for _ in 0..<2 {
      #expect(names(\Library.Book.author?.name) == ["author", "name"])
      #expect(names(\Library.Book.author?.publisher) == ["author", "publisher"])
      #expect(names(\Library.Book.author?.publisher?.city) == ["author", "publisher", "city"])
    }
  }

  @Test("A key path through a required relationship is found")
  func required() throws {
    let publisher = try #require(info.entity(for: Library.Publisher.self))
    #expect(publisher.path(for: \Library.Publisher.founder.name)?.map(\.name) == ["founder", "name"])
  }

  @Test("A key path that a subclass inherits is found under the subclass's name and its superclass's")
  func inherited() throws {
    let info = try SchemaInfo([Garage.Car.self])
    let car = try #require(info.entity(for: Garage.Car.self))
    for keyPath in [\Garage.Car.name, \Garage.Vehicle.name] as [AnyKeyPath] {
      #expect(car.path(for: keyPath)?.map(\.name) == ["name"])
    }
    #expect(car.path(for: \Garage.Car.owner?.name)?.map(\.name) == ["owner", "name"])
    #expect(car.path(for: \Garage.Vehicle.owner?.name)?.map(\.name) == ["owner", "name"])
    let driver = try #require(info.entity(for: Garage.Driver.self))
    #expect(driver.path(for: \Garage.Driver.car?.name)?.map(\.name) == ["car", "name"])
    #expect(driver.path(for: \Garage.Driver.car?.doors)?.map(\.name) == ["car", "doors"])
  }

  @Test("Computed properties and other models' key paths are not found")
  func unknown() {
    #expect(names(\Library.Book.title.count) == nil)
    #expect(names(\Library.Book.author?.publisher?.founder.name.count) == nil)
    #expect(names(\Library.Tag.name) == nil)
    #expect(names(\Library.Book.author?.name.count) == nil)
  }
}
