import Testing

/// Source that is wrong, and what must be said about it.
struct Misuse: CustomTestStringConvertible, Sendable {
  let name: String
  let source: String
  /// Each as `line:column: message`, in the order of the source.
  let messages: [String]
  /// What the source is after each fix-it of the first message, by the fix-it's text.
  let fixes: [String: String]

  var testDescription: String { name }

  init(_ name: String, _ source: String, _ messages: String..., fixes: [String: String] = [:]) {
    self.name = name
    self.source = source
    self.messages = messages
    self.fixes = fixes
  }

  /// A declaration inside `@Model final class Note`, on line 2 from column 3.
  static func inModel(
    _ name: String, _ declaration: String, _ messages: String..., fixes: [String: String] = [:]
  ) -> Misuse {
    Misuse(name, model(declaration), all: messages, fixes: fixes.mapValues(model))
  }

  private init(_ name: String, _ source: String, all messages: [String], fixes: [String: String]) {
    self.name = name
    self.source = source
    self.messages = messages
    self.fixes = fixes
  }

  private static func model(_ declaration: String) -> String {
    "@Model final class Note {\n  \(declaration)\n}"
  }
}

/// Checks what is reported, where, and what the fix-its do.
func expectReports(_ misuse: Misuse, sourceLocation: SourceLocation = #_sourceLocation) {
  let expansion = Expander(misuse.source)
  #expect(expansion.reports.map(\.description) == misuse.messages, sourceLocation: sourceLocation)
  let fixes = expansion.reports.first?.fixes ?? []
  #expect(
    Dictionary(fixes.map { ($0.message, $0.result) }, uniquingKeysWith: { first, _ in first }) == misuse.fixes,
    sourceLocation: sourceLocation)
}
