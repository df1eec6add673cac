import Foundation
import Roost

extension LogV7 {
  static func fill(_ context: ModelContext) throws {
    for rows in LogRows.through(7) {
      let entries = rows.notes.map(Entry.init)
      entries.forEach(context.insert)
      let tags = try LogTags.insert(rows, context) { Tag($0.tag($1)) }
      for (entry, row) in zip(entries, rows.notes) { entry.tags = rows.keptTags(row).map { tags[$0] } }
      for (index, row) in rows.tags.enumerated() where rows.kept(index) == index {
        tags[index].parent = row.parent.map { tags[rows.kept($0)] }
      }
      for row in rows.people {
        let (person, address) = (Person(row), Address(row))
        context.insert(person)
        context.insert(address)
        person.entries = row.notes.map { entries[$0] }
        try context.save()
        if row.street == nil && row.city == nil { context.delete(address) } else { person.address = address }
      }
      for row in rows.photos {
        let photo = Photo(row)
        context.insert(photo)
        photo.entry = row.note.map { entries[$0] }
      }
      for tag in tags where !tag.isDeleted { context.insert(Tally(of: tag)) }
      if rows.since >= 6 { try insertReports(rows.since, context) }
    }
  }

  private static func insertReports(_ version: Int, _ context: ModelContext) throws {
    let shelf = Shelf(since: version, name: "📚 'a'")
    context.insert(shelf)
    let reports = LogReports.notes(version).map { Report($0, pages: 3, grade: "a") }
    reports.forEach(context.insert)
    let item = Item(since: version, headline: "")
    context.insert(item)
    shelf.items = [reports[1], item]
    try context.save()
    // The stage gave the older one pages.
    if version == 6 { reports[1].pages = 0 }
    try context.save()
    try context.container.withDatabase { database in
      try database.execute(sql: "UPDATE Item SET pages = NULL WHERE headline = 'without pages' AND since = 7")
      try database.execute(sql: "UPDATE Item SET grade = NULL WHERE headline = 'without grade'")
    }
  }
}
