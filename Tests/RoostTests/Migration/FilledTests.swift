import Foundation
import Roost
import Testing

/// What becomes required, and is set by the code of a stage.
@Suite struct FilledTests {
  private let store: Migrated

  init() throws {
    store = try Migrated()
    try store.open(LettersV1.Letter.self, LettersV1.Parcel.self) { context in
      context.insert(LettersV1.Letter(text: "one"))
      context.insert(LettersV1.Parcel(text: "two words", weight: 2))
      let stamped = LettersV1.Letter(text: "")
      stamped.stamp = 9
      context.insert(stamped)
    }
  }

  private func checkAll() throws {
    try store.open(LettersV2.Letter.self, LettersV2.Parcel.self) { context in
      let letters = try context.fetch(FetchDescriptor<LettersV2.Letter>(sortBy: [SortDescriptor(\.text)]))
      #expect(letters.map(\.text) == ["", "one", "two words"])
      #expect(letters.map(\.words) == [0, 1, 2] && letters.allSatisfy { $0.stamp == 5 })
      #expect(letters.map(\.code) == ["code of ", "code of one", "code of two words"])
      #expect(letters.allSatisfy { $0.sender.name == "Ada" && $0.sent.timeIntervalSinceReferenceDate == 7 })
      #expect((letters[2] as? LettersV2.Parcel)?.size == "L" && (letters[2] as? LettersV2.Parcel)?.weight == 2)
      #expect(letters[0].sender.letters.count == 3)
    }
    try store.checkFile(LettersV2.Letter.self, LettersV2.Parcel.self)
    #expect(try store.strings("SELECT name FROM pragma_table_info('Letter') WHERE dflt_value <> '''Letter'''") == [])
  }

  @Test func `didMigrate sets what is required, relationships and unique values too, without a step`() throws {
    enum Plan: LettersPlan {
      static let stages = stage { try LettersCode.fill($0) }
    }
    try store.open(LettersV2.Letter.self, LettersV2.Parcel.self, plan: Plan.self) { _ in }
    try checkAll()
  }

  @Test func `code with both versions sets what is required, without a step`() throws {
    enum Plan: LettersPlan {
      static let stages: [MigrationStage] = [
        .custom(from: LettersV1.self, to: LettersV2.self) { old, new in
          let sender = LettersV2.Sender(name: "Ada")
          new.insert(sender)
          try new.update(LettersV2.Letter.self, from: LettersV1.Letter.self, in: old, batchSize: 2) { before, after in
            #expect(before.text == after.text)
            LettersCode.set(after, sender)
          }
        }
      ]
    }
    try store.open(LettersV2.Letter.self, LettersV2.Parcel.self, plan: Plan.self) { _ in }
    try checkAll()
  }

  @Test func `rows that the code leaves are obstacles, and the store keeps its version`() throws {
    enum Plan: LettersPlan {
      static let stages = stage { try LettersCode.fill($0, but: ["one", "two words"]) }
    }
    let obstacles = try store.obstacles(LettersV2.Letter.self, LettersV2.Parcel.self, plan: Plan.self)
    #expect(
      Set(obstacles.map { "\($0.model).\($0.property ?? "") \($0.rowCount) \($0.exampleRow ?? "")" }) == [
        "Letter.words 2 1", "Letter.code 2 1", "Letter.sent 2 1", "Letter.sender 2 1", "Letter.stamp 2 1",
        "Parcel.size 1 2",
      ])
    let words = try #require(obstacles.first { $0.property == "words" })
    #expect(words.message.contains("The code of the stage has left some rows without it."))
    #expect(words.remedy.contains("for model in try context.fetch(FetchDescriptor<V2.Letter>()) { model.words = … }"))
    try store.checkFile(LettersV1.Letter.self, LettersV1.Parcel.self)
    let texts = try store.open(LettersV1.Letter.self, LettersV1.Parcel.self) { context in
      try context.fetch(FetchDescriptor<LettersV1.Letter>(sortBy: [SortDescriptor(\.text)])).map(\.text)
    }
    #expect(texts == ["", "one", "two words"])
  }

  @Test func `rows that code with both versions leaves are obstacles, unless a step says so`() throws {
    enum Leaving: LettersPlan {
      static let stages: [MigrationStage] = [.custom(from: LettersV1.self, to: LettersV2.self) { _, _ in }]
    }
    let obstacles = try store.obstacles(LettersV2.Letter.self, LettersV2.Parcel.self, plan: Leaving.self)
    #expect(Set(obstacles.compactMap(\.property)) == ["words", "code", "sent", "sender", "stamp", "size"])
    #expect(obstacles.first { $0.property == "words" }?.remedy.contains(#".fill(\V2.Letter.words)"#) ?? false)
    enum Filling: LettersPlan {
      static let stages: [MigrationStage] = [
        .custom(from: LettersV1.self, to: LettersV2.self, steps: [.fill(\LettersV2.Letter.words)]) { _, new in
          let sender = LettersV2.Sender(name: "Ada")
          for (number, letter) in try new.fetch(FetchDescriptor<LettersV2.Letter>()).enumerated() {
            letter.sender = sender
            (letter.stamp, letter.code, letter.sent) = (number, "\(number)", .now)
            (letter as? LettersV2.Parcel)?.size = "M"
          }
        }
      ]
    }
    try store.open(LettersV2.Letter.self, LettersV2.Parcel.self, plan: Filling.self) { context in
      try #expect(context.fetch(FetchDescriptor<LettersV2.Letter>()).map(\.words) == [0, 0, 0])
    }
    try store.checkFile(LettersV2.Letter.self, LettersV2.Parcel.self)
  }

  @Test func `what is not set yet reads as the type's empty value, and as a deleted model`() throws {
    enum Plan: LettersPlan {
      static let stages = stage { context in
        for letter in try context.fetch(FetchDescriptor<LettersV2.Letter>()) {
          #expect(letter.words == 0 && letter.code == "")
          #expect(letter.stamp == (letter.text.isEmpty ? 9 : 0))
          #expect(letter.sender.isDeleted && letter.sender.name == "")
          if let parcel = letter as? LettersV2.Parcel { #expect(parcel.size == "" && parcel.weight == 2) }
          #expect(try letter.readValue(forKey: \.words) == 0)
        }
        // Without an edit nothing counts as set; with one, also what is the same.
        try context.save()
        try LettersCode.fill(context)
      }
    }
    try store.open(LettersV2.Letter.self, LettersV2.Parcel.self, plan: Plan.self) { _ in }
    try checkAll()
  }

  @Test func `rows may also be set by a bulk update or SQL, deleted, or inserted`() throws {
    enum Plan: LettersPlan {
      static let stages = stage { context in
        let sender = LettersV2.Sender(name: "Ada")
        context.insert(sender)
        try context.save()
        try context.delete(model: LettersV2.Letter.self, where: #Predicate { $0.text == "one" })
        try context.update(model: LettersV2.Letter.self, set: .set(\.words, to: 0), .set(\.stamp, to: 1))
        try context.execute(sql: "UPDATE \(LettersV2.Letter.self) SET code = text, sent = 0, size = 'S'")
        for letter in try context.fetch(FetchDescriptor<LettersV2.Letter>()) { letter.sender = sender }
        context.insert(LettersV2.Parcel(text: "new", code: "new", sender: sender))
      }
    }
    try store.open(LettersV2.Letter.self, LettersV2.Parcel.self, plan: Plan.self) { context in
      let letters = try context.fetch(FetchDescriptor<LettersV2.Letter>(sortBy: [SortDescriptor(\.text)]))
      #expect(letters.map(\.code) == ["", "new", "two words"])
    }
    try store.checkFile(LettersV2.Letter.self, LettersV2.Parcel.self)
  }

  @Test func `values that the code makes equal where they must differ are an obstacle`() throws {
    enum Plan: LettersPlan {
      static let stages = stage { context in
        try LettersCode.fill(context)
        for letter in try context.fetch(FetchDescriptor<LettersV2.Letter>()) { letter.code = "same" }
      }
    }
    let obstacles = try store.obstacles(LettersV2.Letter.self, LettersV2.Parcel.self, plan: Plan.self)
    #expect(obstacles.map(\.property) == ["code"])
    try store.checkFile(LettersV1.Letter.self, LettersV1.Parcel.self)
  }

  @Test func `without code what is required is an obstacle before anything is done, of subclasses too`() throws {
    enum Plan: LettersPlan {
      static let stages: [MigrationStage] = [.lightweight(fromVersion: LettersV1.self, toVersion: LettersV2.self)]
    }
    let obstacles = try store.obstacles(LettersV2.Letter.self, LettersV2.Parcel.self, plan: Plan.self)
    #expect(Set(obstacles.compactMap(\.property)) == ["words", "code", "sent", "sender", "size"])
    let inferred = try store.obstacles(LettersV2.Letter.self, LettersV2.Parcel.self)
    #expect(Set(inferred.compactMap(\.property)) == ["words", "code", "sent", "sender", "stamp", "size"])
    #expect(inferred.first { $0.property == "size" }?.exampleRow == "2")
    try store.checkFile(LettersV1.Letter.self, LettersV1.Parcel.self)
  }
}
