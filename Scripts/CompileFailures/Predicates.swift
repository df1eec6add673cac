import Foundation
import Roost

@Model public final class Letter {
  public var title: String
  var writer: Writer?
  @Transient var scratch = 0
  public var shout: String { title.uppercased() }

  init(title: String) { self.title = title }
}

@Model final class Writer {
  var name = ""
  var letters: [Letter] = []
  var initials: String { String(name.prefix(2)) }

  init() {}
}

func isGood(_ title: String) -> Bool { !title.isEmpty }

func predicates() {
  _ = #Predicate<Letter> { $0.title == "" && $0.writer?.name == "" }
  // error: 'isGood' is not supported in a predicate
  _ = #Predicate<Letter> { isGood($0.title) }
  // warning: 'shout' is deprecated: computed, not stored: fetches by it throw.
  _ = #Predicate<Letter> { $0.shout == "A" }
  // warning: 'scratch' is deprecated: @Transient, not stored: fetches by it throw.
  _ = #Predicate<Letter> { $0.title == "" || $0.scratch > 1 }
  // warning: 'initials' is deprecated: computed, not stored: fetches by it throw.
  _ = #Predicate<Letter> { $0.writer?.initials == "" }
  // warning: 'shout' is deprecated: computed, not stored: fetches by it throw.
  _ = #Predicate<Writer> { $0.letters.contains { $0.shout == "A" } }
}
