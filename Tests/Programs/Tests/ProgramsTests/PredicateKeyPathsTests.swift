import Foundation
import SwiftData
import Testing

@Model final class Coin {
  var value: Int
  init(value: Int) { self.value = value }
}

extension Coin: PredicateCodableKeyPathProviding {
  static var predicateCodableKeyPaths: [String: any PartialKeyPath<Coin> & Sendable] { ["Coin.value": \.value] }
}

@Suite struct PredicateKeyPathsTests {
  @Test func `a predicate is encoded with the key paths that a model names`() throws {
    var configuration = PredicateCodableConfiguration.standardConfiguration
    configuration.allowKeyPathsForPropertiesProvided(by: Coin.self)
    let predicate = #Predicate<Coin> { $0.value > 5 }
    let data = try JSONEncoder().encode(predicate, configuration: configuration)
    let again = try JSONDecoder().decode(Predicate<Coin>.self, from: data, configuration: configuration)
    #expect(try again.evaluate(Coin(value: 6)))
    #expect(try !again.evaluate(Coin(value: 5)))
  }
}
