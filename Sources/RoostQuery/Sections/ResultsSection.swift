public import RoostCore

/// The models of one section, in their order.
///
/// Source: SwiftData's `ResultsSection`.
public struct ResultsSection<Element, SectionTitle>: Identifiable, RandomAccessCollection
where Element: PersistentModel, SectionTitle: Hashable {
  /// What the models of the section have in common.
  public let title: SectionTitle
  private let models: ArraySlice<Element>

  init(title: SectionTitle, models: ArraySlice<Element>) {
    self.title = title
    self.models = models
  }

  /// The same as ``title``, which no other section of the results has.
  public var id: SectionTitle { title }

  /// 0.
  public var startIndex: Int { 0 }

  /// The number of models.
  public var endIndex: Int { models.count }

  /// The model at a position in the section.
  public subscript(position: Int) -> Element { models[models.startIndex + position] }
}

extension ResultsSection: Equatable {
  /// Whether both have the same title and the same models in the same order.
  public static func == (
    lhs: ResultsSection<Element, SectionTitle>, rhs: ResultsSection<Element, SectionTitle>
  ) -> Bool {
    lhs.title == rhs.title && lhs.models.isSame(as: rhs.models)
  }
}

// SAFETY: unavailable, so that nothing is ever sent: it is there to make the compiler say why.
@available(*, unavailable, message: "a section's models belong to their context's actor")
extension ResultsSection: @unchecked Sendable {}
