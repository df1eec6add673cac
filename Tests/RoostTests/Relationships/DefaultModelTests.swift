import Foundation
import Roost
import Testing

@Model private final class ChatStyle {
  var name = "plain"
  var chat: Chat?

  init() {}
}

@Model private final class ChatMember {
  var name = "me"

  init() {}
}

@Model private final class Chat {
  @Relationship(deleteRule: .cascade, inverse: \ChatStyle.chat) var style: ChatStyle = ChatStyle()
  var owner: ChatMember? = ChatMember()
  var members: [ChatMember] = [ChatMember(), ChatMember()]

  init() {}
}

/// Relationships whose declared default is a model.
@Suite struct DefaultModelTests {
  @Test func `a model has the defaults of its relationships, and one that is fetched makes no others`() throws {
    let folder = try TemporaryFolder()
    let configuration = ModelConfiguration(url: folder.store)
    do {
      let context = ModelContext(try ModelContainer(for: Chat.self, configurations: configuration))
      let chat = Chat()
      #expect(chat.style.chat === chat)
      #expect(chat.owner?.name == "me" && chat.members.count == 2)
      context.insert(chat)
      chat.style.name = "bold"
      try context.save()
    }
    let context = ModelContext(try ModelContainer(for: Chat.self, configurations: configuration))
    for _ in 0..<2 {
      let chat = try #require(try context.fetch(FetchDescriptor<Chat>()).first)
      #expect(chat.style.name == "bold" && chat.style.chat === chat)
      #expect(chat.owner?.name == "me" && chat.members.count == 2)
      #expect(!context.hasChanges)
      try context.save()
    }
    #expect(try context.fetchCount(FetchDescriptor<ChatStyle>()) == 1)
    #expect(try context.fetchCount(FetchDescriptor<ChatMember>()) == 3)
  }
}
