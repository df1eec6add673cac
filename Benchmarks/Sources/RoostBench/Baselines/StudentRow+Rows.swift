import CBenchmarkSQLite
import GRDB

extension Database {
  /// Three statements, each prepared once. Keys are counted up from 1.
  func insert(_ rows: [StudentRow]) throws {
    let school = try prepare(#"INSERT INTO "School" ("_pk", "name") VALUES (?, ?)"#)
    let student = try prepare(#"INSERT INTO "Student" ("_pk", "name", "school") VALUES (?, ?, ?)"#)
    let grade = try prepare(#"INSERT INTO "Grade" ("_pk", "subject", "value", "student") VALUES (?, ?, ?, ?)"#)
    defer {
      for statement in [school, student, grade] { sqlite3_finalize(statement) }
    }
    var (studentKey, gradeKey): (Int64, Int64) = (0, 0)
    for row in rows {
      let schoolKey = Int64(row.school + 1)
      if Int(studentKey) % StudentRow.perSchool == 0 {
        sqlite3_bind_int64(school, 1, schoolKey)
        try step(school, binding: StudentRow.schoolName(row.school), at: 2)
      }
      studentKey += 1
      sqlite3_bind_int64(student, 1, studentKey)
      sqlite3_bind_int64(student, 3, schoolKey)
      try step(student, binding: row.name, at: 2)
      for value in row.grades {
        gradeKey += 1
        sqlite3_bind_int64(grade, 1, gradeKey)
        sqlite3_bind_int64(grade, 3, Int64(value.value))
        sqlite3_bind_int64(grade, 4, studentKey)
        try step(grade, binding: value.subject, at: 2)
      }
    }
  }

  /// Inserts a row. SQLite reads the text where it is.
  @inline(__always)
  private func step(_ statement: OpaquePointer, binding text: String, at index: Int32) throws {
    var text = text
    let code = text.withUTF8 { bytes in
      sqlite3_bind_text(statement, index, bytes.baseAddress, Int32(bytes.count), nil)
      return sqlite3_step(statement)
    }
    try check(code, expecting: SQLITE_DONE)
    sqlite3_reset(statement)
  }
}

struct SchoolRecord: PersistableRecord {
  static let databaseTableName = "School"
  var name: String

  func encode(to container: inout PersistenceContainer) { container["name"] = name }
}

struct StudentRecord: MutablePersistableRecord {
  static let databaseTableName = "Student"
  var key: Int64?
  var name: String
  var school: Int

  func encode(to container: inout PersistenceContainer) {
    container["_pk"] = key
    container["name"] = name
    container["school"] = school
  }

  mutating func didInsert(_ inserted: InsertionSuccess) { key = inserted.rowID }
}

struct GradeRecord: PersistableRecord {
  static let databaseTableName = "Grade"
  var subject: String
  var value: Int
  var student: Int64?

  func encode(to container: inout PersistenceContainer) {
    container["subject"] = subject
    container["value"] = value
    container["student"] = student
  }
}
