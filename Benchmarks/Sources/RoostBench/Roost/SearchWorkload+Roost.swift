import Foundation
import Roost

@Model
final class Document {
  var number: Int
  @Attribute(.fullText) var text: String

  init(number: Int, text: String) {
    self.number = number
    self.text = text
  }
}

extension SearchWorkload {
  static func roost(in folder: URL) throws -> Round {
    let file = folder.appending(path: "documents.store")
    let store = ModelConfiguration(measured: file)
    try ModelContainer(for: Document.self, configurations: store).close()
    try Database(file, tuned: true).execute(fill)
    let container = try ModelContainer(for: Document.self, configurations: store)
    return {
      try timed {
        let context = ModelContext(container)
        return try searches.reduce(0) { sum, word in
          let hits = try context.search(Document.self, for: word, limit: limit)
          return hits.reduce(sum) { $0 + ($1.model.text.isEmpty ? 0 : $1.model.number) }
        }
      } check: {
        try check($0, "roost")
      }
    }
  }
}
