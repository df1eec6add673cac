/// One change of a stage that does not follow from the two versions.
///
/// ```swift
/// .custom(from: NotesV1.self, to: NotesV2.self, steps: [
///   .transform(\NotesV1.Note.length, to: \NotesV2.Note.length) { "\($0) km" },
///   .drop(\NotesV1.Note.subtitle),
/// ])
/// ```
/// All steps run in the migration's transaction, whatever their number is, in one pass over each table.
public struct MigrationStep: Sendable {
  /// Which of several rows with the same values stays.
  public enum Kept: Sendable {
    /// The one that was inserted first.
    case first
    /// The one that was inserted last.
    case last
  }

  /// When SQL of the program's own runs.
  public enum Moment: Sendable {
    /// While the tables are those of the old version.
    case before
    /// When they are those of the new one.
    case after
  }

  package enum Action: Sendable {
    case compute([Computation])
    case extract(Extraction)
    case fill(PropertyPath)
    case backfill(Computation)
    case dropProperty(PropertyPath)
    case dropModel(any PersistentModel.Type)
    case deduplicate([PropertyPath], Kept)
    case sql(String, Moment)
  }

  package let action: Action

  /// SQL that sees the new version's tables; nil for any other step.
  package var lastSQL: String? { if case .sql(let text, .after) = action { text } else { nil } }

  /// Computes a new property of an old one of the same row.
  ///
  /// ```swift
  /// .transform(\V1.Task.minutes, to: \V2.Task.duration) { "\($0) min" }
  /// ```
  /// - Parameters:
  ///   - source: a property of the old model that is no relationship.
  ///   - target: the property of the new model.
  ///   - body: what makes the new value of the old one. It is called once a row, on the migration's thread; what it
  ///     throws ends the migration, which changes nothing then.
  /// - Returns: the step, for a stage's list.
  public static func transform<Old: PersistentModel, New: PersistentModel, Source, Target>(
    _ source: any KeyPath<Old, Source> & Sendable, to target: any KeyPath<New, Target> & Sendable,
    _ body: @escaping @Sendable (Source) throws -> Target
  ) -> MigrationStep {
    // No `merge` of one: a loop over a pack of types takes longer than most closures.
    let computation = Computation(
      target: PropertyPath(New.self, target), sources: [PropertyPath(Old.self, source)]
    ) { row in
      try row.write(body(row.next(Source.self)), Target.self)
    }
    return MigrationStep(action: .compute([computation]))
  }

  /// Computes a new property of several old ones of the same row.
  ///
  /// ```swift
  /// .merge(\V1.Person.first, \V1.Person.last, into: \V2.Person.name) { "\($0) \($1)" }
  /// ```
  /// - Parameters:
  ///   - sources: properties of the old model that are no relationships.
  ///   - target: the property of the new model.
  ///   - body: what makes the new value of the old ones. It is called once a row, on the migration's thread; what it
  ///     throws ends the migration, which changes nothing then.
  /// - Returns: the step, for a stage's list.
  public static func merge<Old: PersistentModel, New: PersistentModel, each Source, Target>(
    _ sources: repeat any KeyPath<Old, each Source> & Sendable, into target: any KeyPath<New, Target> & Sendable,
    by body: @escaping @Sendable (repeat each Source) throws -> Target
  ) -> MigrationStep {
    var computation = Computation(target: PropertyPath(New.self, target)) { row in
      try row.write(body(repeat row.next((each Source).self)), Target.self)
    }
    repeat computation.sources.append(PropertyPath(Old.self, each sources))
    return MigrationStep(action: .compute([computation]))
  }

  /// Computes several new properties of one old one of the same row.
  ///
  /// ```swift
  /// .split(\V1.Person.name, into: \V2.Person.first, \V2.Person.last) { name in
  ///   let parts = name.split(separator: " ", maxSplits: 1)
  ///   return (parts.first.map(String.init) ?? "", parts.dropFirst().first.map(String.init) ?? "")
  /// }
  /// ```
  /// - Parameters:
  ///   - source: a property of the old model that is no relationship.
  ///   - targets: the properties of the new model.
  ///   - body: what makes the new values of the old one, in the order of `targets`. It is called once for each of them.
  /// - Returns: the step, for a stage's list.
  public static func split<Old: PersistentModel, New: PersistentModel, Source, each Target>(
    _ source: any KeyPath<Old, Source> & Sendable, into targets: repeat any KeyPath<New, each Target> & Sendable,
    by body: @escaping @Sendable (Source) throws -> (repeat each Target)
  ) -> MigrationStep {
    var computations: [Computation] = []
    func add<Value>(_ target: KeyPath<New, Value>) {
      let index = computations.count
      computations.append(
        Computation(target: PropertyPath(New.self, target), sources: [PropertyPath(Old.self, source)]) { row in
          let values = try body(row.next(Source.self))
          var position = 0
          repeat try row.write(each values, (each Target).self, if: index, is: &position)
        })
    }
    repeat add(each targets)
    return MigrationStep(action: .compute(computations))
  }

  /// Makes a model of some properties of another, which then refers to it.
  ///
  /// ```swift
  /// .extract(\V1.Person.street, \V1.Person.city, as: \V2.Address.street, \V2.Address.city, into: \V2.Person.address)
  /// ```
  /// - Parameters:
  ///   - sources: properties of the old model that are no relationships.
  ///   - targets: those of a model that is new in this version, in the same order.
  ///   - relationship: how the old model's successor refers to it: nil where all the sources are.
  /// - Returns: the step, for a stage's list.
  public static func extract<Old: PersistentModel, New: PersistentModel, Made: PersistentModel, each Value>(
    _ sources: repeat any KeyPath<Old, each Value> & Sendable,
    as targets: repeat any KeyPath<Made, each Value> & Sendable,
    into relationship: any KeyPath<New, Made?> & Sendable
  ) -> MigrationStep {
    var extraction = Extraction(relationship: PropertyPath(New.self, relationship))
    repeat extraction.sources.append(PropertyPath(Old.self, each sources))
    repeat extraction.targets.append(PropertyPath(Made.self, each targets))
    return MigrationStep(action: .extract(extraction))
  }

  /// Lets rows keep a new property's default, or its type's empty value, where the code of the stage does not set it.
  public static func fill<New: PersistentModel, Value>(_ property: any KeyPath<New, Value> & Sendable) -> MigrationStep
  {
    MigrationStep(action: .fill(PropertyPath(New.self, property)))
  }

  /// Computes a new property of others of the new model, row by row when it is asked for, and by and by for the rest.
  ///
  /// For stores where rewriting all rows at launch takes too long: the migration only
  /// notes which rows lack the property.
  /// ```swift
  /// .backfill(\V2.Note.words, from: \V2.Note.text) { text in text.split(separator: " ").count }
  /// ```
  /// Fetches, predicates, sorts and aggregates have the computed value from the beginning. A container writes it to the
  /// rows in the background, and before it updates a row; what another program sets stays. The stage must stay in the
  /// plan until no store waits for it any more (``ModelContainer/pendingBackfills``); a later stage finishes it first.
  /// Code of the same stage does not see it, and what it sets there is computed anew.
  /// - Parameters:
  ///   - target: the new property. Not one that is unique, searched as a text, or `.externalStorage`.
  ///   - sources: other properties of the same model in the new version that are no relationships.
  ///   - body: what makes the value of theirs; always the same of the same. It is called on any thread. What it throws
  ///     is thrown by whoever asks for the row.
  /// - Returns: the step, for a stage's list.
  public static func backfill<New: PersistentModel, each Source, Target>(
    _ target: any KeyPath<New, Target> & Sendable, from sources: repeat any KeyPath<New, each Source> & Sendable,
    by body: @escaping @Sendable (repeat each Source) throws -> Target
  ) -> MigrationStep {
    var computation = Computation(target: PropertyPath(New.self, target)) { row in
      try row.write(body(repeat row.next((each Source).self)), Target.self)
    }
    repeat computation.sources.append(PropertyPath(New.self, each sources))
    return MigrationStep(action: .backfill(computation))
  }

  /// Lets a property go that the new version does not have, with all that is stored of it.
  public static func drop<Old: PersistentModel, Value>(_ property: any KeyPath<Old, Value> & Sendable) -> MigrationStep
  {
    MigrationStep(action: .dropProperty(PropertyPath(Old.self, property)))
  }

  /// Lets a model go that the new version does not have, with all its rows.
  public static func drop(_ model: any PersistentModel.Type) -> MigrationStep {
    MigrationStep(action: .dropModel(model))
  }

  /// Leaves one of several rows with the same values, before a unique constraint asks for it.
  ///
  /// What referred to one that goes refers to the one that stays; in a one-to-one relationship
  /// only where that has no partner.
  /// - Parameters:
  ///   - properties: those that must differ. Rows with nil in one of them all stay.
  ///   - keep: which of the rows stays.
  /// - Returns: the step, for a stage's list.
  public static func deduplicate<Old: PersistentModel, each Value>(
    by properties: repeat any KeyPath<Old, each Value> & Sendable, keep: Kept
  ) -> MigrationStep {
    var paths: [PropertyPath] = []
    repeat paths.append(PropertyPath(Old.self, each properties))
    return MigrationStep(action: .deduplicate(paths, keep))
  }

  /// Runs SQL of the program's own, several statements if need be.
  ///
  /// ```swift
  /// .sql("UPDATE Note SET title = 'Untitled' WHERE title = ''")
  /// ```
  /// Delete rules do not run: what refers to a row that it deletes refers to nothing afterwards, and the migration ends
  /// with an error where it must refer to one.
  /// - Parameters:
  ///   - text: the statements, without any that begin or end a transaction.
  ///   - moment: whether they see the old version's tables, or the new one's.
  /// - Returns: the step, for a stage's list.
  public static func sql(_ text: String, _ moment: Moment = .before) -> MigrationStep {
    MigrationStep(action: .sql(text, moment))
  }
}

/// A property of one version's model.
package struct PropertyPath: @unchecked Sendable {
  // SAFETY: immutable, metatypes are shared by all threads, and the paths that the steps take are `Sendable`.
  package let model: any PersistentModel.Type
  let keyPath: AnyKeyPath

  init<Model: PersistentModel>(_ model: Model.Type, _ keyPath: PartialKeyPath<Model>) {
    self.model = model
    self.keyPath = keyPath
  }

  /// The property and its codec.
  ///
  /// - Throws: `SwiftDataError.unsupportedKeyPath` when it is none of the version's stored attributes.
  package func attribute(in schema: SchemaInfo) throws -> (PropertyInfo, any _AttributeCodec.Type) {
    let property = try stored(in: schema)
    guard case .attribute(let codec) = property.kind else {
      throw SwiftDataError.unsupportedKeyPath(
        "The steps of a migration compute attributes, and `\(property.name)` is a relationship.",
        model: property.owner.name)
    }
    return (property, codec)
  }

  package func stored(in schema: SchemaInfo) throws -> PropertyInfo {
    guard let entity = schema.entity(for: model) else {
      throw SwiftDataError.unsupportedKeyPath(
        "A step of a migration names \(String(reflecting: model)), which is no model of the stage's version.")
    }
    guard let property = entity.property(for: keyPath) else {
      throw SwiftDataError.unsupportedKeyPath(
        "A step of a migration names \(keyPath), which is no stored property.", model: entity.name)
    }
    return property
  }
}
