import Foundation
import SwiftData
import Testing

@Model class Student {
  var name: String
  var courses: [Course]
  @Relationship(inverse: \Student.tutor) var pupils: [Student] = []
  var tutor: Student?
  @Relationship(deleteRule: .cascade) var card: StudentCard?
  @Relationship(inverse: nil) var favorite: Course?

  init(name: String, courses: [Course] = []) {
    self.name = name
    self.courses = courses
  }
}

@Model class Course {
  #Unique<Course>([\.code])
  var code: String
  var credits: Int
  @Relationship(deleteRule: .nullify, minimumModelCount: 0, maximumModelCount: 3, inverse: \Student.courses)
  var students: [Student]
  @Relationship(deleteRule: .deny) var room: Room?

  init(code: String, credits: Int, students: [Student] = [], room: Room? = nil) {
    self.code = code
    self.credits = credits
    self.students = students
    self.room = room
  }
}

@Model class StudentCard {
  @Attribute(.unique) var number: Int
  @Relationship(inverse: \Student.card) var owner: Student?

  init(number: Int, owner: Student? = nil) {
    self.number = number
    self.owner = owner
  }
}

@Model class Room {
  var label: String
  @Relationship(inverse: \Course.room) var courses: [Course]? = nil

  init(label: String) { self.label = label }
}

/// Relationships in the spellings that guides have.
@Suite struct SchoolTests {
  let context: ModelContext

  init() throws {
    let container = try ModelContainer(
      for: Student.self, Course.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    context = ModelContext(container)
  }

  private func school() throws -> (anna: Student, ben: Student, maths: Course) {
    let maths = Course(code: "M1", credits: 6)
    let physics = Course(code: "P1", credits: 4)
    let anna = Student(name: "Anna", courses: [maths, physics])
    let ben = Student(name: "Ben")
    context.insert(anna)
    context.insert(ben)
    maths.students.append(ben)
    ben.tutor = anna
    ben.favorite = physics
    anna.card = StudentCard(number: 1)
    try context.save()
    return (anna, ben, maths)
  }

  @Test func `Both sides of each relationship agree`() throws {
    let (anna, ben, maths) = try school()
    #expect(ben.courses == [maths])
    #expect(Set(maths.students) == [anna, ben])
    #expect(anna.pupils == [ben])
    #expect(anna.card?.owner == anna)
    #expect(ben.favorite?.code == "P1")
    maths.students.removeAll { $0 == ben }
    #expect(ben.courses.isEmpty)
  }

  @Test func `Questions about related models`() throws {
    _ = try school()
    func names(_ predicate: Predicate<Student>) throws -> [String] {
      try context.fetch(FetchDescriptor(predicate: predicate, sortBy: [SortDescriptor(\.name)])).map(\.name)
    }
    #expect(try names(#Predicate { $0.courses.contains { $0.code == "P1" } }) == ["Anna"])
    #expect(try names(#Predicate { $0.courses.count > 1 }) == ["Anna"])
    #expect(try names(#Predicate { $0.courses.isEmpty == false }) == ["Anna", "Ben"])
    #expect(try names(#Predicate { $0.courses.filter { $0.credits >= 6 }.count == 1 }) == ["Anna", "Ben"])
    #expect(try names(#Predicate { $0.courses.allSatisfy { $0.credits > 4 } }) == ["Ben"])
    #expect(try names(#Predicate { $0.tutor?.name == "Anna" }) == ["Ben"])
    #expect(try names(#Predicate { $0.tutor == nil }) == ["Anna"])
    #expect(try names(#Predicate { $0.tutor?.courses.contains { $0.code == "M1" } ?? false }) == ["Ben"])
    #expect(try names(#Predicate { ($0.card?.number ?? 0) > 0 }) == ["Anna"])
    #expect(try names(#Predicate { $0.tutor.flatMap { $0.name.starts(with: "An") } == true }) == ["Ben"])
    #expect(try names(#Predicate { if let card = $0.card { card.number == 1 } else { false } }) == ["Anna"])
  }

  @Test func `Related models are compared with one that the program has`() throws {
    let (anna, _, maths) = try school()
    let mathsID = maths.persistentModelID
    let inMaths = #Predicate<Student> { $0.courses.contains { $0.persistentModelID == mathsID } }
    #expect(try context.fetchCount(FetchDescriptor(predicate: inMaths)) == 2)
    let annaID = anna.persistentModelID
    let pupils = #Predicate<Student> { $0.tutor?.persistentModelID == annaID }
    #expect(try context.fetch(FetchDescriptor(predicate: pupils)).map(\.name) == ["Ben"])
  }

  @Test func `Delete rules hold`() throws {
    let (anna, ben, maths) = try school()
    maths.room = Room(label: "101")
    try context.save()
    context.delete(anna)
    try context.save()
    #expect(ben.tutor == nil)
    #expect(maths.students == [ben])
    #expect(try context.fetchCount(FetchDescriptor<StudentCard>()) == 0)
    context.delete(maths)
    #expect(throws: SwiftDataError.modelValidationFailure) { try context.save() }
    context.rollback()
    #expect(try context.fetch(FetchDescriptor<Room>()).first?.courses?.map(\.code) == ["M1"])
  }

  @Test func `More than the largest number is refused`() throws {
    let (_, _, maths) = try school()
    maths.students += [Student(name: "C"), Student(name: "D")]
    #expect(throws: SwiftDataError.modelValidationFailure) { try context.save() }
  }
}
