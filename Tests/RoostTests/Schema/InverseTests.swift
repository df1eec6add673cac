import Foundation
import RoostCore
import Testing

@Suite("Inverse relationships")
struct InverseTests {
  private func inverse(_ info: SchemaInfo, _ entity: String, _ property: String) -> String? {
    guard let relationship = info.entity(named: entity)?.property(named: property)?.relationship,
      let inverse = relationship.inverse
    else { return nil }
    return relationship.destination.properties[inverse].name
  }

  private func failure(_ types: any PersistentModel.Type...) -> SwiftDataError? {
    #expect(throws: SwiftDataError.invalidSchema) { try SchemaInfo(types) }
  }

  @Test("The only relationship that leads back is the inverse")
  func inferred() throws {
    let info = try SchemaInfo([Library.Book.self])
    #expect(inverse(info, "Book", "author") == "books")
    #expect(inverse(info, "Author", "books") == "author")
    #expect(inverse(info, "Book", "tags") == "books")
    #expect(inverse(info, "Tag", "books") == "tags")
    #expect(inverse(info, "Author", "publisher") == nil)
  }

  @Test("A declaration on one side counts for both")
  func declared() throws {
    let info = try SchemaInfo([Declared.Trip.self])
    #expect(inverse(info, "Trip", "origin") == "departures")
    #expect(inverse(info, "Trip", "destination") == "arrivals")
    #expect(inverse(info, "City", "arrivals") == "destination")
  }

  @Test("`inverse: nil` keeps a relationship from having one, and gives it a table of its own")
  func oneWay() throws {
    let info = try SchemaInfo([OneWay.Shelf.self])
    #expect(inverse(info, "Shelf", "items") == nil)
    #expect(inverse(info, "Item", "shelf") == nil)
    let items = try #require(info.entity(named: "Shelf")?.property(named: "items")?.relationship)
    #expect(items.isUnidirectional)
    #expect(items.storage == .joinTable("Shelf_items", own: "Shelf", other: "items"))
  }

  @Test("A parent and its children are inverses without being declared so")
  func tree() throws {
    let info = try SchemaInfo([Own.Folder.self])
    #expect(inverse(info, "Folder", "parent") == "children")
    #expect(inverse(info, "Folder", "children") == "parent")
    let children = info.entity(named: "Folder")?.property(named: "children")?.relationship
    #expect(children?.storage == .inverseColumn("parent"))
  }

  @Test("A mother and a father are not each other's inverse")
  func family() throws {
    let info = try SchemaInfo([Own.Child.self])
    #expect(inverse(info, "Child", "mother") == nil)
    #expect(inverse(info, "Child", "father") == nil)
  }

  @Test("An ambiguous inverse is refused with the candidates and what to write")
  func ambiguous() throws {
    let error = try #require(failure(Ambiguous.City.self))
    #expect(error.model == "City")
    #expect(error.property == "trips")
    #expect(error.message.contains("Trip.origin, Trip.destination"))
    #expect(error.remedy?.contains("@Relationship(inverse: \\Trip.origin)") == true)
  }

  @Test("A declared inverse that leads elsewhere is refused")
  func wrong() throws {
    let error = try #require(failure(WrongInverse.Owner.self, WrongInverse.Stranger.self))
    #expect(error.model == "Owner")
    #expect(error.property == "pets")
    #expect(error.message.contains("Stranger.friend"))
  }

  @Test("Types with the same table name are refused, naming both")
  func duplicates() throws {
    let error = try #require(failure(Library.Tag.self, Elsewhere.Tag.self))
    #expect(error.model == "Tag")
    #expect(error.message.contains("Library.Tag") && error.message.contains("Elsewhere.Tag"))
  }

  @Test("Properties that only capitals tell apart are refused")
  func twins() throws {
    let error = try #require(failure(Names.Twins.self))
    #expect(error.property == "Title")
  }
}
