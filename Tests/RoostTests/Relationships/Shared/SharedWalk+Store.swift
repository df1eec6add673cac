import Foundation
import Roost

// What is written at once.
extension SharedWalk {
  func writeAtOnce(_ kind: SharedStep.Kind, _ user: SharedUser, _ a: Int, _ b: Int) throws {
    switch kind {
    case .update:
      guard user.parent == nil else { return }
      user.intent.isUnknown = true
      _ = try? user.context.update(
        model: SharedFile.self, where: #Predicate { $0.number % 2 == 0 },
        set: a % 3 == 0 ? .set(\.folder, to: nil) : .set(\.folder, to: user.folder(b)))
    case .executeSQL:
      guard user.parent == nil else { return }
      _ = try? user.context.execute(
        sql: """
          UPDATE SharedFile SET folder = (SELECT _pk FROM SharedFolder ORDER BY number LIMIT 1 OFFSET \(b % 5)) \
          WHERE number % 3 = \(a % 3)
          """)
    case .withDatabase: try move(container, a, b)
    case .rowsReturning:
      _ = try container.withDatabase { database in
        try database.rows(
          sql: "UPDATE SharedLock SET folder = NULL WHERE _pk % 3 = \(a % 3) RETURNING _pk", as: Int.self)
      }
    case .erase:
      // Now and then: there is little to see afterwards.
      if a % 12 == 0 { try elsewhere.erase() }
      if a % 12 == 1 { container.deleteAllData() }
    case .elsewhereMove: try move(elsewhere, a, b)
    case .elsewhereInsert:
      let number = next()
      _ = try elsewhere.withDatabase { database in
        try database.execute(
          sql: """
            INSERT OR IGNORE INTO SharedFolder (name, number, parent) VALUES (\("\(a % 9)"), \(number), \
            (SELECT _pk FROM SharedFolder ORDER BY number LIMIT 1 OFFSET \(b % 9)))
            """)
      }
    case .elsewhereDelete:
      _ = try? elsewhere.withDatabase { database in
        try database.execute(
          sql: "DELETE FROM SharedFolder WHERE _pk = (SELECT _pk FROM SharedFolder LIMIT 1 OFFSET \(a % 12))")
      }
    default:
      let context = ModelContext(elsewhere)
      let folders = try context.fetch(FetchDescriptor<SharedFolder>(sortBy: [SortDescriptor(\.number)]))
      guard !folders.isEmpty else { return }
      let (folder, other) = (folders[a % folders.count], folders[b % folders.count])
      if !leads(other, to: folder) { folder.parent = other }
      folder.files = Array(folder.files.dropFirst())
      try link(folder, b, context)
      try context.save()
    }
  }

  /// Gives a folder a file and a pin that it has not, or takes them out.
  func link(_ folder: SharedFolder, _ b: Int, _ context: ModelContext) throws {
    let files = try context.fetch(FetchDescriptor<SharedFile>(sortBy: [SortDescriptor(\.number)]))
    let tags = try context.fetch(FetchDescriptor<SharedTag>(sortBy: [SortDescriptor(\.number)]))
    if b % 2 == 0, !files.isEmpty {
      folder.attached = folder.attached.isEmpty ? [files[b % files.count]] : []
    }
    if b % 3 == 0, !tags.isEmpty { folder.pins = folder.pins.isEmpty ? [tags[b % tags.count]] : [] }
  }

  /// Moves a folder, to the top or into one without a parent, so that no circle comes of it.
  private func move(_ container: ModelContainer, _ a: Int, _ b: Int) throws {
    _ = try container.withDatabase { database in
      try database.execute(
        sql: """
          UPDATE SharedFolder SET parent = (SELECT other._pk FROM SharedFolder other WHERE other.parent IS NULL \
          AND other._pk <> SharedFolder._pk ORDER BY number LIMIT 1 OFFSET \(b % 7)) \
          WHERE _pk = (SELECT _pk FROM SharedFolder ORDER BY number LIMIT 1 OFFSET \(a % 12)) \
          AND NOT (parent IS NULL AND EXISTS (SELECT 1 FROM SharedFolder child WHERE child.parent = SharedFolder._pk))
          """)
    }
  }
}
