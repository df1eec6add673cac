import Foundation
import NIOHTTP1
@testable import RoostSync
@testable import SyncMerge
@testable import TestSupport
import Testing

@Suite struct HeadsEventsTests {
  @Test func `events are read however their bytes are cut`() throws {
    let text = Array(":\n\ndata: 1\n\nid: 7\r\ndata:22\r\n\r\nevent: x\n\ndata: -3\n\n".utf8)
    for size in 1...text.count {
      var events = HeadsEvents()
      var found: [Int64] = []
      for start in stride(from: 0, to: text.count, by: size) {
        if let head = try events.read(text[start..<min(start + size, text.count)]) { found.append(head) }
      }
      // Whoever gets several at once wants the last.
      #expect(found.last == -3 && (size > 1 || found == [1, 22, -3]))
    }
  }

  @Test func `events that are no numbers, or have no end, are errors`() {
    var events = HeadsEvents()
    #expect(throws: SyncServiceError.self) { try events.read("data: x\n".utf8) }
    #expect(throws: SyncServiceError.self) { try events.read(Array(repeating: UInt8(ascii: "a"), count: 5_000)) }
  }

  @Test(
    arguments: [
      (401, nil, .unauthorized),
      (
        403, nil,
        .refused("Something in front of the server refused the request (status 403). Check the proxy's rules.")
      ),
      (413, nil, .tooLarge), (429, "7", .busy(retryAfter: 7)),
      (503, "1e999", .busy(retryAfter: nil)), (503, "-4", .busy(retryAfter: 0)),
      (504, nil, .unreachable("A proxy answers (status 504), but not the server behind it.")),
      (409, nil, .malformed("Status 409, without a zone's reason.")),
      (500, nil, .failed("Status 500: Internal Server Error")),
    ] as [(Int, String?, SyncServiceError)])
  func `a status says what became of a request`(_ status: Int, _ retryAfter: String?, _ error: SyncServiceError) {
    let found = HTTPFailure.error(HTTPResponseStatus(statusCode: status), retryAfter: retryAfter, Data("no JSON".utf8))
    #expect(found as? SyncServiceError == error)
  }

  @Test(arguments: [302, 404, 405, 400]) func `an address without a sync server is told as such`(_ status: Int) {
    let error = HTTPFailure.error(HTTPResponseStatus(statusCode: status), retryAfter: nil, nil)
    guard case SyncServiceError.refused(let reason) = error else {
      Issue.record("\(error)")
      return
    }
    #expect(reason.contains("address") && !reason.contains("Update"))
  }
}
