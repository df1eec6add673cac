import Roost

// Models and contexts stay with the actor that they belong to.

@Model final class Note {
  var title: String
  init(title: String) { self.title = title }
}

actor Worker {
  func process(_ note: Note) {}
  func process(_ context: ModelContext) {}
  func process(_ note: ModelSnapshot<Note>) {}
}

func sendModel(_ note: Note, to worker: Worker) async {
  // error: sending 'note' risks causing data races
  await worker.process(note)
  await worker.process(note.snapshot())
}

func sendContext(_ context: ModelContext, to worker: Worker) async {
  // error: sending 'context' risks causing data races
  await worker.process(context)
}

func sendIntoTask(_ note: Note) {
  // error: passing closure as a 'sending' parameter risks causing data races
  Task.detached { print(note.title) }
}

@MainActor func sendFromMainActor(_ container: ModelContainer, to worker: Worker) async {
  let note = Note(title: "New")
  container.mainContext.insert(note)
  // error: sending 'note' risks causing data races
  await worker.process(note)
}

func sendFetched(_ container: ModelContainer, to worker: Worker) async throws {
  let context = ModelContext(container)
  for note in try context.fetch(FetchDescriptor<Note>()) {
    // error: sending 'note' risks causing data races
    await worker.process(note)
  }
  try context.save()
}
