package import Foundation
package import RoostCore
package import RoostEngine

extension DescribedSchema {
  /// Reads the schema of a store, or one that ``Schema/save(to:)`` wrote.
  ///
  /// `key`: what the store is encrypted with; nil for a plain one.
  /// - Throws: `SwiftDataError` for a file that is neither, with what to do.
  package init(reading url: URL, key: DatabaseKey? = .standard) throws {
    // Nothing tells an encrypted store but that it is not anything else.
    if try FileHeader(of: url).isDatabase || (key != nil && (try? Schema.load(from: url)) == nil) {
      self = try StoreFile.read(url, key) { DescribedSchema($0.definition) }
      return
    }
    let remedy = "Write one with Schema.save(to:), or with `roost schema STORE --json`."
    let schema: Schema
    do {
      schema = try Schema.load(from: url)
    } catch let error as DecodingError {
      throw SwiftDataError.loadIssue(
        "The file is neither a store nor a schema in JSON: \(Self.reason(error))", url: url, remedy: remedy)
    } catch {
      throw SwiftDataError(
        .storeInputOutput, "The file cannot be read.", remedy: "Allow this user to read it.", underlying: error,
        url: url)
    }
    guard let form = schema.storeForm else {
      throw SwiftDataError.loadIssue(
        "The schema does not say what stores of it look like: an older Roost wrote it, or it was described by hand.",
        url: url, remedy: remedy)
    }
    self = form
  }

  private static func reason(_ error: DecodingError) -> String {
    let context: DecodingError.Context
    switch error {
    case .dataCorrupted(let found), .keyNotFound(_, let found), .typeMismatch(_, let found),
      .valueNotFound(_, let found):
      context = found
    @unknown default: return "\(error)"
    }
    let path = context.codingPath.map { $0.intValue.map { "[\($0)]" } ?? $0.stringValue }.joined(separator: ".")
    return (path.isEmpty ? "" : "\(path): ") + context.debugDescription
  }
}
