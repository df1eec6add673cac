import Foundation
import SwiftData

public enum FlightsStore {
  /// Opens a database, or creates it.
  ///
  /// The other models are found through the flight's relationships.
  public static func open(_ file: URL) throws -> ModelContainer {
    try ModelContainer(for: Flight.self, configurations: ModelConfiguration(url: file))
  }
}
