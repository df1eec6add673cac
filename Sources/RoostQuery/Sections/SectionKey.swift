import Foundation
public import RoostCore

/// What a model's section is: the value at a key path, or the part of the calendar that a date is in.
///
/// ```swift
/// let months = try context.fetch(FetchDescriptor<Flight>(), sectionBy: .month(\.departure))
/// ```
public struct SectionKey<Element, Title> where Element: PersistentModel, Title: Hashable {
  /// Where the section of a model is read from.
  public let keyPath: PartialKeyPath<Element>
  /// The order of the sections as a descriptor, where it can be one; the query knows all. An array, as the compiler
  /// cannot link optimised code that has a descriptor inside a generic struct (Swift 6.3.1 on Linux).
  let order: [SortDescriptor<Element>]
  /// Makes what tells the title of each model of one walk over them.
  let titles: () -> (Element) -> Title

  init(
    _ keyPath: PartialKeyPath<Element>, order: [SortDescriptor<Element>], titles: @escaping () -> (Element) -> Title
  ) {
    (self.keyPath, self.order, self.titles) = (keyPath, order, titles)
  }

  /// A section for each value of a stored property of the model, or of one that it refers to, in the values' order.
  ///
  /// A property whose values have no order, such as a single relationship, is allowed: its sections are in any
  /// order, but always the same one.
  public init(_ keyPath: KeyPath<Element, Title>) {
    self.init(keyPath, order: []) { { $0[keyPath: keyPath] } }
  }

  /// Whether descriptors put models of one section side by side, and so say themselves how sections are ordered.
  func leads(_ descriptors: [SortDescriptor<Element>]) -> Bool { keyPath.leads(descriptors) }
}

extension SectionKey where Title == String {
  /// A section for each string.
  public init(_ keyPath: KeyPath<Element, String>) {
    self.init(keyPath, order: [SortDescriptor(keyPath.assumedSendable)]) { { $0[keyPath: keyPath] } }
  }

  /// A section for each string; models without one are in the section with the title "".
  public init(_ keyPath: KeyPath<Element, String?>) {
    self.init(keyPath, order: [SortDescriptor(keyPath.assumedSendable)]) { { $0[keyPath: keyPath] ?? "" } }
  }
}

extension PartialKeyPath {
  /// Whether descriptors sort by this path first, be it in the order of a language.
  func leads(_ descriptors: [SortDescriptor<Root>]) -> Bool where Root: PersistentModel {
    guard let first = descriptors.first?.keyPath else { return false }
    return first == self || inOtherOrders.contains(first)
  }
}
