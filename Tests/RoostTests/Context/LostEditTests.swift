import Foundation
import Roost
import Testing

@Suite struct LostEditTests {
  @Test func `an edit of a model whose context is gone is said in the log, once a context`() throws {
    let lines = try CapturedLog.lines {
      let models = try orphans()
      models[0].text = "never saved"
      models[1].text = "never saved either"
      #expect(models[0].text == "never saved")
    }
    let said = lines.filter { $0.contains("LostEdit") }
    #expect(said.count == 1)
    #expect(said.first?.contains("the edit is never saved") == true)
    #expect(said.first?.contains("text") == true)
  }

  @Test func `nothing is said of models that were in no context, or whose context is there`() throws {
    let lines = try CapturedLog.lines {
      QuietEdit().text = "new"
      let container = try ModelContainer(for: QuietEdit.self, configurations: .init(isStoredInMemoryOnly: true))
      let context = ModelContext(container)
      let model = QuietEdit()
      context.insert(model)
      try context.save()
      model.text = "edited"
      context.delete(model)
      try context.save()
      model.text = "deleted"
    }
    #expect(!lines.contains { $0.contains("QuietEdit") })
  }

  /// Models whose context and container went with this function.
  private func orphans() throws -> [LostEdit] {
    let container = try ModelContainer(for: LostEdit.self, configurations: .init(isStoredInMemoryOnly: true))
    let context = ModelContext(container)
    let models = [LostEdit(), LostEdit()]
    for model in models { context.insert(model) }
    try context.save()
    return models
  }
}

@Model final class LostEdit {
  var text = ""
  init() {}
}

@Model final class QuietEdit {
  var text = ""
  init() {}
}
