/// One step of an interleaving: a write by one of the writers, or a look by one of the observers.
enum KnownStep: CustomStringConvertible {
  /// By a context, a draft, SQL or another container; see `SharedStep`.
  case shared(SharedStep)
  /// By a program that has the file open and knows nothing of Roost.
  case shell(Int)
  /// All that is on its way to observers arrives.
  case wait
  /// What the observers of a context were told is compared with what there is.
  case look(Int)
  /// What history has told until then is kept, to be compared with what comes.
  case keepPlace

  init(_ random: inout SeededRandom) {
    self =
      switch random.below(20) {
      case 0: .shell(random.below(1_000))
      case 1: .wait
      case 2: .keepPlace
      case 3...6: .look(random.below(1_000))
      // Of other steps few delete what is saved, and history is to have that.
      case 7: .shared(SharedStep(.elsewhereDelete, &random))
      default: .shared(SharedStep(&random))
      }
  }

  /// From its description.
  init?(_ text: some StringProtocol) {
    let words = text.split(whereSeparator: \.isWhitespace)
    switch (words.first, words.count == 2 ? Int(words[1]) : nil) {
    case ("shell", let number?): self = .shell(number)
    case ("look", let number?): self = .look(number)
    case ("wait", nil): self = .wait
    case ("keepPlace", nil): self = .keepPlace
    default:
      guard let step = SharedStep(text) else { return nil }
      self = .shared(step)
    }
  }

  var description: String {
    switch self {
    case .shared(let step): step.description
    case .shell(let number): "shell \(number)"
    case .wait: "wait"
    case .look(let number): "look \(number)"
    case .keepPlace: "keepPlace"
    }
  }
}

/// How often each kind of observer was told of something, and each kind of change was replayed.
@MainActor final class KnownTally {
  enum Kind: String, CaseIterable {
    case results, sections, draft, model, value, history, insertion, update, deletion
  }

  private var counts: [Kind: Int] = [:]

  func note(_ kind: Kind) { counts[kind, default: 0] += 1 }

  func areAll(atLeast number: Int) -> Bool { Kind.allCases.allSatisfy { counts[$0, default: 0] >= number } }

  var description: String {
    Kind.allCases.map { "\($0.rawValue) \(counts[$0, default: 0])" }.joined(separator: ", ")
  }
}
