import Foundation
import Roost

/// What generic code asks of `Subject`: key paths of requirements, each beside that of the property.
protocol SubjectRequirements: PersistentModel {
  var flag: Bool { get }
  var maybeFlag: Bool? { get }
  var number: Int { get set }
  var maybeNumber: Int? { get }
  var text: String { get }
  var maybeText: String? { get set }
  var date: Date { get }
  var uuid: UUID { get }
  var kind: Kind { get }
  var level: Level { get }
  var place: Place { get }
  var owner: Owner? { get }
  var labels: [Label] { get }
}

extension Subject: SubjectRequirements {}

enum Required<Model: SubjectRequirements> {
  static var id: any KeyPath<Model, Model.ID> & Sendable { \Model.id }
  static var flag: any KeyPath<Model, Bool> & Sendable { \Model.flag }
  static var maybeFlag: any KeyPath<Model, Bool?> & Sendable { \Model.maybeFlag }
  static var number: any KeyPath<Model, Int> & Sendable { \Model.number }
  static var maybeNumber: any KeyPath<Model, Int?> & Sendable { \Model.maybeNumber }
  static var text: any KeyPath<Model, String> & Sendable { \Model.text }
  static var maybeText: any KeyPath<Model, String?> & Sendable { \Model.maybeText }
  static var date: any KeyPath<Model, Date> & Sendable { \Model.date }
  static var uuid: any KeyPath<Model, UUID> & Sendable { \Model.uuid }
  static var kind: any KeyPath<Model, Kind> & Sendable { \Model.kind }
  static var level: any KeyPath<Model, Level> & Sendable { \Model.level }
  static var place: any KeyPath<Model, Place> & Sendable { \Model.place }
  static var owner: any KeyPath<Model, Owner?> & Sendable { \Model.owner }
  static var labels: any KeyPath<Model, [Label]> & Sendable { \Model.labels }
}

/// Nodes that ask for identifiers.
extension PredicateGenerator {
  func identity(_ subject: Node<Subject>) -> Node<Bool> {
    let paths: [any KeyPath<Subject, PersistentIdentifier> & Sendable] = [
      \.id, \.persistentModelID, Required<Subject>.id,
    ]
    let own = property(subject, random.pick(paths))
    switch random.below(4) {
    case 0: return equal(own, PredicateExpressions.Value(random.pick(rows.subjects).id))
    case 1:
      let owner: Node<Owner?> = property(subject, Required<Subject>.owner)
      let id = random.once(in: 4) ? nil : random.pick(rows.owners).id
      return equal(flatMap(owner) { self.promotion(self.property($0, \Owner.id)) }, PredicateExpressions.Value(id))
    case 2:
      let labels: Node<[Label]> = property(subject, Required<Subject>.labels)
      let id = random.pick(rows.labels).id
      return safely { contains(labels) { self.equal(self.property($0, \Label.id), PredicateExpressions.Value(id)) } }
    default:
      let ids = (0..<random.below(4)).map { _ in random.pick(rows.subjects).id }
      return isIn(ids, own)
    }
  }

  private func isIn(
    _ ids: [PersistentIdentifier], _ node: some StandardPredicateExpression<PersistentIdentifier>
  ) -> Node<Bool> { PredicateExpressions.SequenceContains(sequence: PredicateExpressions.Value(ids), element: node) }
}
