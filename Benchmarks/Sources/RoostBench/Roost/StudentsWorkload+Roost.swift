import Foundation
import Roost

extension StudentsWorkload {
  /// Every model inserted, linked by its to-one side.
  func roost(in folder: URL) throws -> Round {
    roost(in: folder, "roost") { row, school, context in
      let student = Student(name: row.name, school: school)
      context.insert(student)
      for grade in row.grades {
        context.insert(Grade(subject: grade.subject, value: grade.value, student: student))
      }
    }
  }

  /// Grades given to the student as an array, and inserted with it.
  func roostArrays(in folder: URL) throws -> Round {
    roost(in: folder, "roost-arrays") { row, school, context in
      let grades = row.grades.map { Grade(subject: $0.subject, value: $0.value) }
      context.insert(Student(name: row.name, school: school, grades: grades))
    }
  }

  private func roost(
    in folder: URL, _ variant: String, insert: @escaping (StudentRow, School, ModelContext) -> Void
  ) -> Round {
    round(in: folder, variant) { file in
      try ModelContainer(for: School.self, configurations: ModelConfiguration(measured: file))
    } work: { container in
      let context = ModelContext(container)
      var school = School(name: "")
      for (index, row) in rows.enumerated() {
        if index % StudentRow.perSchool == 0 {
          school = School(name: StudentRow.schoolName(row.school))
          context.insert(school)
        }
        insert(row, school, context)
      }
      try context.save()
      try container.close()
    }
  }
}
