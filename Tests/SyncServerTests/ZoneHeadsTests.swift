import Foundation
import Synchronization
import Testing

@testable import SyncServer

@Suite struct ZoneHeadsTests {
  @Test(.timeLimit(.minutes(20)))
  func `devices that go while all are told stop nobody`() async throws {
    let heads = ZoneHeads()
    let areGone = Mutex(false)
    let (told, end) = AsyncStream.makeStream(of: Void.self)
    // On a thread of its own, as it waits for nothing, and other tests need those of tasks.
    Thread.detachNewThread {
      var sequence: Int64 = 0
      while !areGone.withLock(\.self) {
        sequence += 1
        heads.tell(sequence, of: 1)
      }
      heads.close()
      end.finish()
    }
    await withTaskGroup { group in
      for device in 0..<4 {
        group.addTask {
          for _ in 0..<2_000 {
            guard let stream = try? heads.listen(to: 1, for: "\(device)") else { continue }
            // A group's cancellation has a task locked while its stream is told of it.
            await withTaskGroup { group in
              group.addTask { do { for try await _ in stream {} } catch {} }
              await Task.yield()
              group.cancelAll()
            }
          }
        }
      }
    }
    areGone.withLock { $0 = true }
    for await _ in told {}
    var late = try heads.listen(to: 1, for: "late").makeAsyncIterator()
    #expect(try await late.next() == nil)
  }
}
