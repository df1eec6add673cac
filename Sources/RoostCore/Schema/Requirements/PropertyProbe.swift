/// What makes a model a probe: it notes which properties are read, and gives those that nobody set an example's value.
///
/// So it is found out which property a key path leads to that is equal to none of the model's own. Models that a probe
/// refers to are probes too.
final class PropertyProbe {
  /// What was read, of the first probe and of those that it refers to.
  final class Log {
    var reads: [(isFirst: Bool, index: Int)] = []
  }

  /// How far relationships lead on to further probes: whoever follows them to the end must come to one.
  private static var deepest: Int { 3 }

  let log: Log
  private let depth: Int
  /// The examples that were given, by property.
  private(set) var given: [Int: PropertyExample] = [:]

  private init(_ log: Log, depth: Int) {
    self.log = log
    self.depth = depth
  }

  /// Makes a model that is a probe.
  static func make(_ type: any PersistentModel.Type) -> any PersistentModel { make(type, Log(), depth: 0) }

  private static func make(_ type: any PersistentModel.Type, _ log: Log, depth: Int) -> any PersistentModel {
    func open<Model: PersistentModel>(_ type: Model.Type) -> Model {
      var row = _RowReader()
      return Model(_$row: &row)
    }
    let model: any PersistentModel = open(type)
    model._$state.probe = PropertyProbe(log, depth: depth)
    model._$state.needsAttention = true
    return model
  }

  /// Notes that a property is read.
  func note<Model: PersistentModel, Value>(_ model: Model, _ keyPath: KeyPath<Model, Value>) {
    let index = Self.entity(model)?.byKeyPath[keyPath]
    log.reads.append((depth == 0, index ?? -1))
  }

  /// Gives a property that is read its first example.
  func fill(_ model: some PersistentModel, _ index: Int) {
    guard let example = Self.entity(model)?.properties[index].examples(related).first else { return }
    given[index] = example
    model._$edit(index, .restore(example.image))
  }

  /// Another model to refer to; nil at the end.
  private func related(_ type: any PersistentModel.Type) -> (any PersistentModel)? {
    depth < Self.deepest ? Self.make(type, log, depth: depth + 1) : nil
  }

  /// All examples of a property.
  func examples(_ model: any PersistentModel, _ index: Int) -> [PropertyExample] {
    Self.entity(model)?.properties[index].examples(related) ?? []
  }

  private static func entity(_ model: any PersistentModel) -> EntityInfo? {
    SchemaInfo.standalone(model.dynamicType)?.entity(for: model.dynamicType)
  }
}
