import ArgumentParser
import Foundation
import RoostCore
import RoostMigration

struct SchemaCommand: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "schema", abstract: "Prints the schema that a store has.",
    discussion: """
      The text is close to the source of the models. What a store does not know is not in it: the names of enums and \
      structs, and the values of defaults ("= …").
      """)

  @Argument(help: "A store, or a schema as JSON.", completion: .file()) var file: String
  @Flag(help: "Print it as JSON, as `check --against` takes it.") var json = false
  @OptionGroup var encryption: KeyOptions
  @Flag(help: "Count the rows of each model, those of subclasses included.") var counts = false

  func run(on console: Console) throws -> Verdict {
    let url = URL(argument: file)
    let schema = try DescribedSchema(reading: url, key: encryption.key(of: url))
    if json {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
      console.print(String(decoding: try encoder.encode(Schema(schema)), as: UTF8.self))
      return .fine
    }
    let rows = counts ? try StoreFile.read(url, encryption.key(of: url)) { try $0.rowCounts() } : nil
    let version = schema.version.map { ", version \($0)" } ?? ""
    console.print("// \(url.lastPathComponent): \(count(schema.entities.count, "model"))\(version)")
    for entity in schema.entities {
      console.print("\n" + EntityText(entity, rows: rows.map { $0[entity.name] ?? 0 }).text)
    }
    return .fine
  }
}
