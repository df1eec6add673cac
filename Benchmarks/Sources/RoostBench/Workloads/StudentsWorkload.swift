import CBenchmarkSQLite
import Foundation
import GRDB

/// Students, their schools and their grades into a new file, all in one transaction, until the file is closed.
///
/// Closing it is in the time, as Roost makes the indexes of a bulk load when they are needed, or then.
enum StudentsWorkload: String, CaseIterable {
  case small = "students-10k"
  case large = "students-100k"

  private static let smallRows = StudentRow.make(10_000)
  private static let largeRows = StudentRow.make(100_000)
  private static let smallChecksum = Checksum(smallRows)
  private static let largeChecksum = Checksum(largeRows)

  var rows: [StudentRow] { self == .small ? Self.smallRows : Self.largeRows }

  /// As Roost makes it: rows with a place of their own in a list, of which there are none, have an index, too.
  static let tables = """
    CREATE TABLE "School" ("_pk" INTEGER PRIMARY KEY, "name" TEXT NOT NULL) STRICT;
    CREATE TABLE "Student" (
      "_pk" INTEGER PRIMARY KEY, "name" TEXT NOT NULL,
      "school" INTEGER REFERENCES "School" ("_pk") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
      "_school_position" REAL) STRICT;
    CREATE TABLE "Grade" (
      "_pk" INTEGER PRIMARY KEY, "subject" TEXT NOT NULL, "value" INTEGER NOT NULL,
      "student" INTEGER REFERENCES "Student" ("_pk") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
      "_student_position" REAL) STRICT;
    """
  static let indexes = """
    CREATE INDEX "Student_school_index" ON "Student" ("school");
    CREATE INDEX "Student_school_position_index" ON "Student" ("school", "_school_position")
      WHERE "_school_position" IS NOT NULL;
    CREATE INDEX "Grade_student_index" ON "Grade" ("student");
    CREATE INDEX "Grade_student_position_index" ON "Grade" ("student", "_student_position")
      WHERE "_student_position" IS NOT NULL;
    """

  var workload: Workload {
    var variants = [
      Variant("sqlite-tuned", sqliteTuned), Variant("sqlite-indexes-last", sqliteIndexesLast), Variant("grdb", grdb),
    ]
    #if ROOST
      variants.insert(Variant("roost", roost), at: 0)
      variants.append(Variant("roost-arrays", roostArrays))
    #endif
    return Workload(name: rawValue, variants: variants)
  }

  private func sqliteTuned(in folder: URL) throws -> Round {
    round(in: folder, "sqlite-tuned", open: open) { database in
      try database.execute("BEGIN IMMEDIATE")
      try database.insert(rows)
      try database.execute("COMMIT")
    }
  }

  /// As one would load many rows into empty tables: without their indexes, which are made in the same transaction.
  private func sqliteIndexesLast(in folder: URL) throws -> Round {
    round(in: folder, "sqlite-indexes-last", open: open) { database in
      try database.execute("BEGIN IMMEDIATE")
      for name in Self.indexNames { try database.execute("DROP INDEX \"\(name)\"") }
      try database.insert(rows)
      try database.execute(Self.indexes)
      try database.execute("COMMIT")
    }
  }

  private static let indexNames = [
    "Student_school_index", "Student_school_position_index", "Grade_student_index", "Grade_student_position_index",
  ]

  private func open(_ file: URL) throws -> Database {
    let database = try Database(file, tuned: true)
    try database.execute("PRAGMA foreign_keys = ON")
    try database.execute(Self.tables + Self.indexes)
    return database
  }

  private func grdb(in folder: URL) throws -> Round {
    round(in: folder, "grdb") { file in
      let queue = try DatabaseQueue.open(file)
      try queue.write { try $0.execute(sql: Self.tables + Self.indexes) }
      return queue
    } work: { queue in
      try queue.write { database in
        for (index, row) in rows.enumerated() {
          if index % StudentRow.perSchool == 0 {
            try SchoolRecord(name: StudentRow.schoolName(row.school)).insert(database)
          }
          var student = StudentRecord(key: nil, name: row.name, school: row.school + 1)
          try student.insert(database)
          for grade in row.grades {
            try GradeRecord(subject: grade.subject, value: grade.value, student: student.key).insert(database)
          }
        }
      }
      try queue.close()
    }
  }

  /// Rounds that write into a new file, which whoever writes opens beforehand and has closed in the end.
  func round<Writer>(
    in folder: URL, _ variant: String, open: @escaping (URL) throws -> Writer, work: @escaping (Writer) throws -> Void
  ) -> Round {
    InsertWorkload.freshFile(in: folder) { file in
      // Given away, so that C's connection is closed within the time.
      var writer: Writer? = try open(file)
      return try timed {
        if let opened = writer.take() { try work(opened) }
      } check: {
        let found = try Database(file, tuned: true).checksum(
          of: """
            SELECT "Student"."name" || "School"."name", "Grade"."subject", "Grade"."value" FROM "Grade"
            JOIN "Student" ON "Student"."_pk" = "Grade"."student"
            JOIN "School" ON "School"."_pk" = "Student"."school"
            """)
        try found.check(against: self == .small ? Self.smallChecksum : Self.largeChecksum, "\(rawValue), \(variant)")
      }
    }
  }
}

extension Checksum {
  /// Each grade with whose it is.
  fileprivate init(_ rows: [StudentRow]) {
    for row in rows {
      for grade in row.grades {
        add(
          title: row.name + StudentRow.schoolName(row.school), body: grade.subject,
          date: Date(timeIntervalSinceReferenceDate: Double(grade.value)))
      }
    }
  }
}
