import Testing

@Suite struct ModelActorExpansionTests {
  @Test func `an actor gets an executor, a container and an initialiser`() {
    let expansion = Expander("@ModelActor public actor Importer {\n}")
    #expect(
      expansion.text == """
        public actor Importer {

          public nonisolated let modelExecutor: any Roost.ModelExecutor

          public nonisolated let modelContainer: Roost.ModelContainer

          public init(modelContainer: Roost.ModelContainer) {
            let modelContext = Roost.ModelContext(modelContainer)
            self.modelExecutor = Roost.DefaultSerialModelExecutor(modelContext: modelContext)
            self.modelContainer = modelContainer
          }
        }

        extension Importer: RoostCore.ModelActor {
        }
        """)
  }
}
