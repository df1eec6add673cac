import Foundation
import SwiftData
import Testing

@Model final class Chapter {
  @Attribute(.unique) var number: Int
  var title: String = "untitled"
  var next: Chapter?
  init(number: Int) { self.number = number }
}

@Suite struct MetadataMirrorTests {
  @Test func `key paths are found by name in the metadata's mirrors`() {
    var found: [String: AnyKeyPath] = [:]
    for metadata in Chapter.schemaMetadata {
      let mirror = Mirror(reflecting: metadata)
      guard let name = mirror.children.first(where: { $0.label == "name" })?.value as? String,
        let keyPath = mirror.children.first(where: { $0.label == "keypath" })?.value as? AnyKeyPath
      else { continue }
      found[name] = keyPath
    }
    #expect(found == ["number": \Chapter.number, "title": \Chapter.title, "next": \Chapter.next])
    let defaults = Chapter.schemaMetadata.compactMap { Mirror(reflecting: $0).descendant("defaultValue") as? String }
    #expect(defaults == ["untitled"])
  }
}
