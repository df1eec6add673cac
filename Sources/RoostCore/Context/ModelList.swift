/// Models in order, and beside them where each keeps its state.
///
/// Most steps of a save look at states alone: a loop over the models asks each where its state is, and counts two
/// references to it.
struct ModelList {
  private(set) var models: [any PersistentModel] = []
  /// Where the models keep their states, in their order. Valid as long as the list is.
  private(set) var states: [_StateAddress] = []

  mutating func append(_ model: any PersistentModel) { append(model, model._$stateAddress) }

  mutating func append(_ model: any PersistentModel, _ state: _StateAddress) {
    models.append(model)
    states.append(state)
  }

  mutating func removeAll(where isOne: (any PersistentModel) -> Bool) {
    if models.contains(where: isOne) { self = ModelList(models.filter { !isOne($0) }) }
  }

  /// Those whose states are as said: nearly always all, and then nothing is copied.
  func those(_ isOne: (_StateAddress) -> Bool) -> ModelList {
    if states.allSatisfy(isOne) { return self }
    var some = ModelList()
    for index in indices where isOne(states[index]) { some.append(models[index], states[index]) }
    return some
  }

  /// The places in the schema that models of the list have, each once.
  var ordinals: [Int] {
    var found: [Int] = []
    for address in states {
      let ordinal = address.state.ordinal
      if found.last != ordinal, !found.contains(ordinal) { found.append(ordinal) }
    }
    return found
  }

  /// The keys of those that are of one class.
  func keys(of ordinal: Int) -> [Int64] {
    states.compactMap { $0.state.ordinal == ordinal ? $0.state.key : nil }
  }

  /// The identifiers of models that have rows.
  func identifiers(in scopes: [IdentifierScope]) -> [PersistentIdentifier] {
    states.map { PersistentIdentifier(scope: scopes[$0.state.ordinal], key: $0.state.key) }
  }
}

extension ModelList: RandomAccessCollection {
  init(_ models: [any PersistentModel]) {
    self.models = models
    states = models.map(\._$stateAddress)
  }

  var startIndex: Int { 0 }
  var endIndex: Int { models.count }
  subscript(index: Int) -> any PersistentModel { models[index] }

  static func + (lhs: ModelList, rhs: ModelList) -> [any PersistentModel] { lhs.models + rhs.models }
}
