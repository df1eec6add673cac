public import Foundation

extension SwiftDataError: CustomStringConvertible {
  /// What happened, where, why, and what to do next.
  public var description: String {
    var text = "SwiftDataError.\(code.rawValue): "
    if let place { text += "\(place): " }
    text += message
    if let row, !row.isTemporary { text += " Row: \(row.entityName) \(row.key)." }
    if let url = configurationURL { text += " \(Self.place(of: url))." }
    // What SQLite reported is part of most messages about it.
    if let underlying, !message.contains("\(underlying)") { text += " Cause: \(underlying)." }
    if let remedy { text += " \(remedy)" }
    return text
  }

  private static func place(of url: URL) -> String {
    if ModelConfiguration.isInMemory(url) { return "It is the store in memory" }
    return "File: \(url.isFileURL ? url.path : url.absoluteString)"
  }

  private var place: String? {
    switch (model, property) {
    case (let model?, let property?): "\(model).\(property)"
    case (let model?, nil): model
    case (nil, let property?): property
    case (nil, nil): nil
    }
  }
}

extension SwiftDataError: LocalizedError {
  /// The same as `description`, so that `localizedDescription` says what happened.
  public var errorDescription: String? { description }

  /// What to do next.
  public var recoverySuggestion: String? { remedy }
}
