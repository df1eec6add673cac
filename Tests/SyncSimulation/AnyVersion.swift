import Roost

/// A box of any version of the models.
protocol AnyBox: PersistentModel {
  associatedtype Seal: PersistentModel
  init(_ name: String)
  var name: String { get set }
  var within: Self? { get set }
  var contents: [Self] { get set }
  var below: Self? { get set }
  var above: [Self] { get set }
  var seals: [Seal] { get set }
}

extension LibraryV1.Box: AnyBox {}
extension LibraryV2.Box: AnyBox {}

/// An author of any version of the models.
protocol AnyAuthor: PersistentModel {
  associatedtype Own: AnyBadge where Own.Holder == Self
  var badge: Own? { get set }
}

protocol AnyBadge: PersistentModel {
  associatedtype Holder: PersistentModel
  init(_ name: String, of holder: Holder)
  var holder: Holder { get set }
}

extension LibraryV1.Author: AnyAuthor {}
extension LibraryV1.Badge: AnyBadge {}
extension LibraryV2.Author: AnyAuthor {}
extension LibraryV2.Badge: AnyBadge {}

/// A card of any version of the models.
protocol AnyCard: PersistentModel {
  init(_ name: String)
  var name: String { get set }
  var text: String? { get set }
  var visits: Int { get set }
}

extension LibraryV1.Card: AnyCard {}
extension LibraryV2.Card: AnyCard {}
extension LibraryV3.Card: AnyCard {}

/// A note of any version of the models.
protocol AnyNote: PersistentModel {
  init(_ name: String, _ number: Int)
  var name: String { get set }
  var number: Int { get set }
  var count: Int { get set }
  /// What the first version has not.
  var other: String? { get set }
}

extension LibraryV1.Note: AnyNote {
  var name: String {
    get { title }
    set { title = newValue }
  }
  var other: String? {
    get { nil }
    set {}
  }
}

extension LibraryV2.Note: AnyNote {
  var name: String {
    get { heading }
    set { heading = newValue }
  }
  var other: String? {
    get { title }
    set { title = newValue }
  }
}

extension LibraryV3.Note: AnyNote {
  var name: String {
    get { caption }
    set { caption = newValue }
  }
  var other: String? {
    get { title }
    set { (title, heading) = (newValue, newValue.map { "\($0) too" }) }
  }
}
