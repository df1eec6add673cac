package import SyncMerge
import Synchronization

/// Asks a service, and for the page behind each page before anybody does: so the server
/// works while the device shows one.
///
/// A page that was asked for ahead is the answer only if it is what is asked for next. What is sent in between changes
/// what the server and the device know of each other, so the page is asked for again then.
package final class PageAhead: Sendable {
  private struct Asked {
    let request: SyncRequest
    let answer: Task<SyncAnswer, any Error>
  }

  private let service: any SyncService
  private let pageLimit: Int
  private let ahead = Mutex<Asked?>(nil)

  /// - Parameters:
  ///   - service: who is asked.
  ///   - pageLimit: the most rows of a page.
  package init(_ service: any SyncService, pageLimit: Int) { (self.service, self.pageLimit) = (service, pageLimit) }

  deinit { cancel() }

  /// Asks one thing, until the task is cancelled.
  ///
  /// - Parameter request: what to ask.
  /// - Returns: the answer.
  /// - Throws: ``SyncZoneError`` for what the zone refuses, ``SyncServiceError`` for all else.
  package func answer(to request: SyncRequest) async throws -> SyncAnswer {
    let answer: SyncAnswer
    let ahead = take()
    if let asked = ahead, asked.request == request {
      // Who waits for another task does not cancel it.
      answer = try await withTaskCancellationHandler {
        try await asked.answer.value
      } onCancel: {
        asked.answer.cancel()
      }
    } else {
      ahead?.answer.cancel()
      answer = try await service.answer(request, pageLimit: pageLimit)
    }
    if let next = request.next(after: answer) { ask(next) }
    return answer
  }

  /// Gives up what was asked for ahead.
  package func cancel() { take()?.answer.cancel() }

  private func take() -> Asked? {
    ahead.withLock { ahead in
      defer { ahead = nil }
      return ahead
    }
  }

  private func ask(_ request: SyncRequest) {
    let task = Task { [service, pageLimit] in try await service.answer(request, pageLimit: pageLimit) }
    ahead.withLock { $0 = Asked(request: request, answer: task) }
  }
}

extension SyncRequest {
  /// What a device that takes a page asks for next; nil behind the last page, and for what is none.
  fileprivate func next(after answer: SyncAnswer) -> SyncRequest? {
    guard case .page(let cursor, let seen, let site, let zone) = self, case .page(let page) = answer, !page.isLast
    else { return nil }
    return .page(
      behind: max(cursor, page.cursor), seen: seen.sequence < page.place.sequence ? page.place : seen, site: site,
      zone: zone)
  }
}
