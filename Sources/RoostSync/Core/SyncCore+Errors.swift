import RoostCore
import SyncMerge

extension SyncCore.Failure {
  /// What an error means for what is done next.
  package init(_ error: any Error) {
    self =
      switch error {
      case SyncZoneError.clockAhead: .clockAhead
      case SyncZoneError.otherPush: .otherPush
      case SyncZoneError.unknownPlace, SyncZoneError.missingPush, SyncedStoreError.notBegun,
        SyncedStoreError.staleAnswer:
        .otherData
      case SyncZoneError.unknownVersion(let newest):
        .refused("The server speaks version \(newest) of the protocol, and this program others: update the older one.")
      case SyncZoneError.movedClass(let name):
        .refused(
          "\(name) is a model of its own in one version of the program, and inherits from another one in another: nothing is "
            + "sent or fetched. Update the program if it is the earlier one. Else give the class a new name, or sync with "
            + "another database (cloudKitDatabase: .private(\"name\")) and call useAccount(.merge)."
        )
      case SyncedStoreError.otherAccount:
        .refused("\(SyncError.otherAccount)")
      case SyncServiceError.unauthorized: .unauthorized
      case SyncServiceError.busy(let retryAfter): .later(retryAfter: retryAfter)
      // Another program writes to the store.
      case let error as SwiftDataError where error == .storeBusy: .later(retryAfter: nil)
      case SyncServiceError.unreachable, SyncServiceError.failed, SyncServiceError.noToken: .later(retryAfter: nil)
      case SyncServiceError.refused(let reason): .refused(reason)
      case SyncServiceError.malformed(let reason):
        .refused(
          "The server's answer cannot be read: \(reason) Another server may have answered: check the address and the proxy, and that the "
            + "program and the server are of versions that go together.")
      case SyncServiceError.tooLarge: .tooLarge
      default: .refused("\(error)")
      }
  }
}
