#if Sync
  import Foundation
  import NIOHTTP1
  import SyncMerge

  /// What a status that is not 200 means.
  enum HTTPFailure {
    static func error(_ status: HTTPResponseStatus, retryAfter: String?, _ body: Data?) -> any Error {
      let failure = body.flatMap { try? JSONDecoder().decode(SyncFailure.self, from: $0) }
      switch status.code {
      case 409, 426:
        // Anybody on the way may answer so: a zone says what it refuses.
        if let error = failure?.zone { return error }
        return SyncServiceError.malformed("Status \(status.code), without a zone's reason.")
      case 300..<400:
        // A token goes to the server that it is for.
        return SyncServiceError.refused(
          "The address that .server(_:token:) was given leads to another one (status \(status.code)), which is not followed. Give it that "
            + "one, such as the same with https.")
      case 404, 405:
        return SyncServiceError.refused(
          "There is no sync server at the address that .server(_:token:) was given (status \(status.code)). Check the address."
        )
      case 400 where failure == nil:
        return SyncServiceError.refused(
          "Something in front of the server refused the request (status 400). Check the address that .server(_:token:) was given: is it to be "
            + "https, or another port?")
      case 400:
        return SyncServiceError.refused(
          "The server cannot read the request: \(failure?.reason ?? "It does not say why.") Update the program or the server, whichever "
            + "is older.")
      case 401: return SyncServiceError.unauthorized
      case 403:
        if failure != nil { return SyncServiceError.unauthorized }
        return SyncServiceError.refused(
          "Something in front of the server refused the request (status 403). Check the proxy's rules.")
      case 413: return SyncServiceError.tooLarge
      case 429, 503: return SyncServiceError.busy(retryAfter: seconds(retryAfter))
      // A proxy whose server does not answer.
      case 502, 504:
        return SyncServiceError.unreachable("A proxy answers (status \(status.code)), but not the server behind it.")
      default: return SyncServiceError.failed("Status \(status.code): \(failure?.reason ?? status.reasonPhrase)")
      }
    }

    /// Seconds, of an hour at most, as nothing that is saved meanwhile is sent; a date is not read.
    private static func seconds(_ text: String?) -> Double? {
      guard let seconds = text.flatMap(Double.init), seconds.isFinite else { return nil }
      return min(max(0, seconds), 3_600)
    }
  }
#endif
