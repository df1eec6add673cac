#if Sync
  import AsyncHTTPClient
  import NIOCore
  import SyncMerge

  /// A zone's heads, as a server sends them: server-sent events of a number each.
  struct HeadsEvents {
    /// The most bytes of a line.
    private static let longest = 1_024
    private var line: [UInt8] = []
    private var data: Int64?

    /// The last head of some bytes, which may begin and end anywhere; nil if no event ends in them.
    mutating func read(_ bytes: some Sequence<UInt8>) throws(SyncServiceError) -> Int64? {
      var last: Int64?
      for byte in bytes {
        if byte != UInt8(ascii: "\n") {
          guard line.count < Self.longest else { throw .malformed("An event is too long.") }
          line.append(byte)
          continue
        }
        if let head = try endLine() { last = head }
      }
      return last
    }

    private mutating func endLine() throws(SyncServiceError) -> Int64? {
      defer { line.removeAll(keepingCapacity: true) }
      let text = String(decoding: line.last == UInt8(ascii: "\r") ? line.dropLast() : line[...], as: UTF8.self)
      if text.isEmpty {
        defer { data = nil }
        return data
      }
      // Comments, and fields that are not known, say nothing.
      guard text.hasPrefix("data:") else { return nil }
      let value = text.dropFirst(5)
      guard let head = Int64(value.hasPrefix(" ") ? value.dropFirst() : value) else {
        throw .malformed("An event is no number.")
      }
      data = head
      return nil
    }

    /// - Parameters:
    ///   - body: what the server sends.
    ///   - explained: makes something of what is thrown meanwhile.
    /// - Returns: the heads, until the connection ends. Who is slow gets the last one.
    static func stream(
      of body: HTTPClientResponse.Body, explained: @escaping @Sendable (any Error) -> any Error
    ) -> AsyncThrowingStream<Int64, any Error> {
      let (stream, continuation) = AsyncThrowingStream.makeStream(
        of: Int64.self, throwing: (any Error).self, bufferingPolicy: .bufferingNewest(1))
      let task = Task {
        do {
          var events = HeadsEvents()
          for try await buffer in body {
            if let head = try events.read(buffer.readableBytesView) { continuation.yield(head) }
          }
          continuation.finish()
        } catch {
          continuation.finish(throwing: explained(error))
        }
      }
      continuation.onTermination = { _ in task.cancel() }
      return stream
    }
  }
#endif
