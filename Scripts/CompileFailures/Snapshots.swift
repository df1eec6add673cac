import Roost

// A snapshot's properties have the types of the model's, and those alone may be set that the model lets set.

@Model final class Page {
  var title: String
  private(set) var number = 1
  var next: Page?

  init(title: String) { self.title = title }
}

func edit(_ snapshot: inout ModelSnapshot<Page>, _ page: Page) {
  snapshot.title = "New"
  snapshot.next = page.persistentModelID
  // error: cannot assign value of type 'Int' to type 'String'
  snapshot.title = 1
  // error: cannot assign value of type 'Page' to type 'PersistentIdentifier
  snapshot.next = page
  // error: value of type 'ModelSnapshot<Page>' has no dynamic member 'name'
  snapshot.name = ""
}

func next(_ snapshot: ModelSnapshot<Page>) -> PersistentIdentifier? {
  // error: cannot assign value of type 'PersistentIdentifier?' to type 'Page?'
  let next: Page? = snapshot.next
  return next?.persistentModelID
}
