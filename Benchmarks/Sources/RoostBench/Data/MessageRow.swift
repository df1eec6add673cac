import Foundation

/// A message in a channel, as a program shows the latest of.
struct MessageRow: Equatable {
  var id: Int64
  var channel: Int
  var date: Date
  var author: String
  var text: String
}

extension MessageRow {
  static let count = 100_000
  static let channelCount = 200

  /// Fills the table of a Roost model, or that of the other variants, with SQL's own means.
  static let fill = """
    WITH RECURSIVE row(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM row WHERE n < \(count))
    INSERT INTO "Message" ("_pk", "channel", "date", "author", "text")
    SELECT n, n % \(channelCount), n * 60.0, 'author ' || (n % 97), 'what the message says, number ' || n FROM row;
    ANALYZE
    """

  /// As Roost makes it.
  static let schema = """
    CREATE TABLE "Message" ("_pk" INTEGER PRIMARY KEY, "channel" INTEGER NOT NULL, "date" REAL NOT NULL,
      "author" TEXT NOT NULL, "text" TEXT NOT NULL) STRICT;
    CREATE INDEX "Message_channel_date_index" ON "Message" ("channel", "date");
    """

  /// What `fill` makes of a number.
  init(number: Int) {
    self.init(
      id: Int64(number), channel: number % Self.channelCount,
      date: Date(timeIntervalSinceReferenceDate: Double(number) * 60),
      author: "author \(number % 97)", text: "what the message says, number \(number)")
  }
}

/// What a screen shows: the latest messages of a channel before a date.
struct Screen {
  static let limit = 20
  static let all: [Screen] = {
    var random = SplitMix64(seed: 20)
    return (0..<1_000).map { _ in
      // Each has more messages than fit.
      let number = Int.random(in: MessageRow.channelCount * (limit + 1)...MessageRow.count, using: &random)
      return Screen(channel: Int.random(in: 0..<MessageRow.channelCount, using: &random), number: number)
    }
  }()

  let channel: Int
  /// The first message that is too late.
  let number: Int

  var date: Date { MessageRow(number: number).date }

  /// The messages that it must show, in this order.
  var expected: some Sequence<MessageRow> {
    let last = (number - 1 - channel) / MessageRow.channelCount * MessageRow.channelCount + channel
    return (0..<Self.limit).lazy.map { MessageRow(number: last - $0 * MessageRow.channelCount) }
  }
}

/// What was seen on screens, in the order that it was seen in.
struct Sight: Equatable {
  private var sum: UInt64 = 0

  @inline(__always)
  mutating func add(channel: Int, date: Date, author: String, text: String) {
    sum = sum &* 31 &+ UInt64(truncatingIfNeeded: channel) &+ date.timeIntervalSinceReferenceDate.bitPattern
    sum = sum &* 31 &+ UInt64(author.utf8.count &+ text.utf8.count)
  }
}
