/// A student of a school, with grades.
struct StudentRow {
  struct Grade {
    var subject: String
    var value: Int
  }

  static let perSchool = 100

  var name: String
  /// The school's number, from 0.
  var school: Int
  var grades: [Grade]

  static func schoolName(_ number: Int) -> String { "School number \(number) of the city" }

  /// The first `count` students, 100 to each school, with 2 to 7 grades each.
  static func make(_ count: Int) -> [StudentRow] {
    var random = SplitMix64(seed: 100)
    let subjects = ["Mathematics", "History", "Physics", "Physical Education", "Chemistry", "Comparative Literature"]
    return (0..<count).map { number in
      let grades = (0..<Int.random(in: 2...7, using: &random)).map { _ in
        Grade(subject: subjects[Int(random.next() % 6)], value: Int.random(in: 0...100, using: &random))
      }
      return StudentRow(name: "Student number \(number)", school: number / perSchool, grades: grades)
    }
  }
}
