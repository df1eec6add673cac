import Roost

// Schools, their students, and their grades.

@Model
final class School {
  var name: String
  @Relationship(deleteRule: .cascade, inverse: \Student.school) var students: [Student] = []

  init(name: String) { self.name = name }
}

@Model
final class Student {
  var name: String
  var school: School?
  @Relationship(deleteRule: .cascade, inverse: \Grade.student) var grades: [Grade] = []

  init(name: String, school: School, grades: [Grade] = []) {
    self.name = name
    self.school = school
    self.grades = grades
  }
}

@Model
final class Grade {
  var subject: String
  var value: Int
  var student: Student?

  init(subject: String, value: Int, student: Student? = nil) {
    self.subject = subject
    self.value = value
    self.student = student
  }
}
