import Foundation
import Roost
import RoostCore
import Testing

@Suite("Errors")
struct ErrorTests {
  @Test("An error is caught by its kind, whatever its details")
  func kinds() throws {
    let error = SwiftDataError.unsupportedPredicate("`lowercased()` has no SQL counterpart.")
    #expect(error == .unsupportedPredicate)
    #expect(error.hashValue == SwiftDataError.unsupportedPredicate.hashValue)
    #expect(error != .unsupportedKeyPath)
    do {
      throw error
    } catch SwiftDataError.unsupportedKeyPath {
      Issue.record("caught as another kind")
    } catch SwiftDataError.unsupportedPredicate {
      // As it should be.
    }
  }

  @Test("The description says what happened, where, why and what to do next")
  func description() {
    let error = SwiftDataError.validation(
      model: "Note", property: "title", row: nil, "The title is too long.", remedy: "Shorten it.")
    #expect(
      error.description == "SwiftDataError.modelValidationFailure: Note.title: The title is too long. Shorten it.")
    #expect(error.localizedDescription == error.description)
    let cause = SwiftDataError.loadIssue(
      "The file is no database.", url: URL(fileURLWithPath: "/tmp/a.store"), remedy: "Choose another.",
      underlying: CocoaError(.fileNoSuchFile))
    #expect(cause.description.contains("File: /tmp/a.store."))
    #expect(cause.description.contains("Cause: "))
    #expect(cause.description.hasSuffix("Choose another."))
    #expect(cause.underlying is CocoaError)
  }

  @Test("An error without details has a message of its kind")
  func plain() {
    #expect(SwiftDataError.readOnlyStore.message == "The store may not be written to.")
    #expect(SwiftDataError.readOnlyStore.remedy != nil)
    #expect(SwiftDataError.readOnlyStore.model == nil)
  }
}
