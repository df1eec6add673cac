import Foundation
import Roost

@Model
final class Message {
  #Index<Message>([\.channel, \.date])
  var channel: Int
  var date: Date
  var author: String
  var text: String

  init(channel: Int, date: Date, author: String, text: String) {
    self.channel = channel
    self.date = date
    self.author = author
    self.text = text
  }
}

extension ScreensWorkload {
  /// One context for all screens, which keeps none of them.
  static func roost(in folder: URL) throws -> Round {
    let file = folder.appending(path: "messages.store")
    let store = ModelConfiguration(measured: file)
    try ModelContainer(for: Message.self, configurations: store).close()
    try Database(file, tuned: true).execute(MessageRow.fill)
    let container = try ModelContainer(for: Message.self, configurations: store)
    return round("roost") { sight in
      let context = ModelContext(container)
      for screen in Screen.all {
        let (channel, date) = (screen.channel, screen.date)
        var descriptor = FetchDescriptor<Message>(
          predicate: #Predicate { $0.channel == channel && $0.date < date },
          sortBy: [SortDescriptor(\.date, order: .reverse)])
        descriptor.fetchLimit = Screen.limit
        for message in try context.fetch(descriptor) {
          sight.add(channel: message.channel, date: message.date, author: message.author, text: message.text)
        }
      }
    }
  }
}
