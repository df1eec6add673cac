public import RoostCore

/// What a fetch found, by sections: a collection of ``ResultsSection``s.
///
/// ```swift
/// for section in try context.fetch(descriptor, sectionBy: \.carrier) {
///   print(section.title, section.count)
/// }
/// ```
/// Each title occurs once. The sections are in the order in which their first models are in the sorted results. Source:
/// SwiftData's `SectionedResults`.
public struct SectionedResults<Element, SectionTitle>: RandomAccessCollection
where Element: PersistentModel, SectionTitle: Hashable {
  /// All models, a section's side by side.
  let models: [Element]
  /// In section order.
  public private(set) var sectionTitles: [SectionTitle] = []
  /// Where each section begins in `models`, and at last where all end.
  private var bounds: [Int] = []
  private var positions: [SectionTitle: Int] = [:]
  /// Whether no models had to be put together.
  private(set) var isInQueryOrder = true

  /// Makes results without any section: what is shown before the first fetch.
  public init() {
    models = []
    bounds = [0]
  }

  /// The models of a section are side by side, or nearly so: then they are put there.
  init(_ models: [Element], by key: SectionKey<Element, SectionTitle>) {
    let title = key.titles()
    var runs: [(section: Int, start: Int)] = []
    for (position, model) in models.enumerated() {
      let title = title(model)
      if let last = runs.last, sectionTitles[last.section] == title { continue }
      let section = positions[title] ?? sectionTitles.count
      if section == sectionTitles.count {
        positions[title] = section
        sectionTitles.append(title)
      }
      runs.append((section, position))
    }
    bounds = runs.map(\.start) + [models.count]
    if runs.count == sectionTitles.count {
      self.models = models
      return
    }
    isInQueryOrder = false
    // Values that are equal in Swift and not in SQL, such as strings in two spellings, need not be neighbours.
    var parts = Array(repeating: [Element](), count: sectionTitles.count)
    for (run, end) in zip(runs, bounds.dropFirst()) { parts[run.section] += models[run.start..<end] }
    self.models = Array(parts.joined())
    bounds = parts.reduce(into: [0]) { bounds, part in bounds.append(bounds[bounds.count - 1] + part.count) }
  }

  /// 0.
  public var startIndex: Int { 0 }

  /// The number of sections.
  public var endIndex: Int { sectionTitles.count }

  /// The section at a position.
  public subscript(position: Int) -> ResultsSection<Element, SectionTitle> {
    ResultsSection(title: sectionTitles[position], models: models[bounds[position]..<bounds[position + 1]])
  }

  /// The section with a title, or nil when there is none; found in the same time however many there are.
  public subscript(sectionTitle title: SectionTitle) -> ResultsSection<Element, SectionTitle>? {
    positions[title].map { self[$0] }
  }

  /// Whether there is a section with a title.
  public func contains(sectionTitle title: SectionTitle) -> Bool { positions[title] != nil }

  /// The position of the section with a title, or nil when there is none.
  public func index(ofSectionTitled title: SectionTitle) -> Int? { positions[title] }

  /// The section, and the position in it, of a position in `models`.
  func place(of position: Int) -> (section: Int, item: Int) {
    var (low, high) = (0, sectionTitles.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if bounds[middle] <= position { low = middle } else { high = middle }
    }
    return (low, position - bounds[low])
  }
}

extension SectionedResults: Equatable {
  /// Whether both have the same sections in the same order, with the same models.
  public static func == (
    lhs: SectionedResults<Element, SectionTitle>, rhs: SectionedResults<Element, SectionTitle>
  ) -> Bool {
    lhs.sectionTitles == rhs.sectionTitles && lhs.bounds == rhs.bounds && lhs.models.isSame(as: rhs.models)
  }
}

// SAFETY: unavailable, so that nothing is ever sent: it is there to make the compiler say why.
@available(*, unavailable, message: "the models belong to their context's actor")
extension SectionedResults: @unchecked Sendable {}
