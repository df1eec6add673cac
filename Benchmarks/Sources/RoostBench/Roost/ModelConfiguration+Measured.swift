import Foundation
import Roost

extension ModelConfiguration {
  /// A store as a program gets it that says nothing of it, but for `--history off`.
  init(measured url: URL) {
    self.init(url: url)
    if !Options.recordsHistory { storeOptions.history = .off }
  }
}
