import Foundation
import Roost
import RoostCore
import Testing

/// Classes that inherit, with a property name that two subclasses have.
enum Garage {
  @Model class Vehicle {
    #Index<Vehicle>([\.name])
    var name: String = ""
    @Relationship(inverse: nil) var owner: Driver?
    init() {}
  }

  @Model final class Driver {
    var name: String = ""
    @Relationship(inverse: nil) var car: Car?
    init() {}
  }

  @Model final class Car: Vehicle {
    var doors: Int = 4
    override init() { super.init() }
  }

  @Model final class Truck: Vehicle {
    #Unique<Truck>([\.doors])
    var doors: String = ""
    override init() { super.init() }
  }
}

@Suite struct InheritedSchemaTests {
  @Test func `two subclasses may have a property of the same name: the table has a column for each`() throws {
    let info = try SchemaInfo([Garage.Truck.self, Garage.Car.self])
    let car = try #require(info.entity(for: Garage.Car.self))
    let truck = try #require(info.entity(for: Garage.Truck.self))
    #expect(car.table == "Vehicle")
    #expect(car.root === truck.superentity)
    #expect(car.properties.map(\.name) == ["name", "owner", "doors"])
    #expect(car.properties.map(\.column) == ["name", "owner", "doors"])
    #expect(truck.properties.map(\.column) == ["name", "owner", "Truck_doors"])
    #expect(truck.uniqueness.map { $0.map(\.property) } == [[2]])
    #expect(truck.root.indices.map { $0.map(\.property) } == [[0]])
    #expect(Set(car.root.selfAndDescendants.map(\.name)) == ["Vehicle", "Car", "Truck"])
  }

  @Test func `a key path that a subclass inherits is found under the subclass's name and its superclass's`() throws {
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

  @Test func `super- and subentities are linked, also after decoding`() throws {
    let schema = Schema(Garage.Car.self, Garage.Truck.self)
    let decoded = try JSONDecoder().decode(Schema.self, from: JSONEncoder().encode(schema))
    for schema in [schema, decoded] {
      let car = try #require(schema.entitiesByName["Car"])
      #expect(car.superentity?.name == "Vehicle")
      #expect(car.properties.map(\.name) == ["name", "owner", "doors"])
      #expect(car.storedProperties.map(\.name) == ["doors"])
      #expect(schema.entitiesByName["Vehicle"]?.subentities.count == 2)
    }
  }
}
