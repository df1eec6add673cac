/// What a device asks of its server, one thing at a time.
package enum SyncRequest: Hashable, Sendable {
  case begin(SyncHello)
  case push(SyncPush, zone: String)
  /// The rows that changed behind a sequence; see ``SyncZone/page(behind:seen:for:limit:)``.
  case page(behind: Int64, seen: SyncPlace, site: UInt64, zone: String)
  /// Which rows there are; see ``SyncZone/digest()``.
  case digest(zone: String)
}

/// What the server answers.
package enum SyncAnswer: Hashable, Sendable {
  case begin(SyncWelcome)
  case push(SyncPushAnswer)
  case page(SyncPage)
  case digest(SyncDigest)
}

extension SyncService {
  /// Asks one thing. `pageLimit`: the most rows of a page.
  ///
  /// Throws what the functions for the requests do.
  package func answer(_ request: SyncRequest, pageLimit: Int) async throws -> SyncAnswer {
    switch request {
    case .begin(let hello): .begin(try await begin(hello))
    case .push(let push, let zone): .push(try await self.push(push, to: zone))
    case .page(let cursor, let seen, let site, let zone):
      .page(try await page(behind: cursor, seen: seen, of: zone, for: site, limit: pageLimit))
    case .digest(let zone): .digest(try await digest(of: zone))
    }
  }
}
