import Foundation
@_exported public import TestSupport

extension TemporaryFolder {
  var secrets: URL { url.appending(path: "secrets") }
}
