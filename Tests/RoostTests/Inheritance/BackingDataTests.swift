import Foundation
import Roost
import Testing

@Suite struct HierarchyBackingDataTests {
  @Test func `a model made of another's values takes over those of every level`() {
    let trip = ConferenceTrip(name: "c", perDiem: 4, talks: 3)
    let data: any BackingData<Trip> = trip.persistentBackingData._superClassBackingData(of: ConferenceTrip.self)
    let copy = ConferenceTrip(backingData: data)
    #expect(copy !== trip)
    #expect(copy.name == "c" && copy.perDiem == 4 && copy.talks == 3)
    let base = Trip(backingData: data)
    #expect(base.name == "c")
    #expect(type(of: base) == Trip.self)
  }

  @Test func `the values of a superclass's model make those of a class's, with its defaults`() {
    let data: any BackingData<BusinessTrip> = Trip(name: "a").persistentBackingData._generateCurrentClassBackingData()
    #expect(data.getValue(forKey: \.name) == "a")
    #expect(data.getValue(forKey: \.purpose) == .other)
    let own: any BackingData<BusinessTrip> =
      (BusinessTrip(name: "b", perDiem: 9) as Trip).persistentBackingData._generateCurrentClassBackingData()
    #expect(own.getValue(forKey: \.perDiem) == 9)
  }

  @Test func `a temporary identifier is the same, whichever class the code knows`() {
    let trip = BusinessTrip(name: "b", perDiem: 9)
    #expect(trip.persistentModelID == (trip as Trip).persistentModelID)
    #expect((trip as Trip).persistentModelID.entityName == "BusinessTrip")
  }
}
