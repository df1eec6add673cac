import Roost
import Testing

/// An update of more columns than one of SQLite's functions has arguments.
@Suite struct WideUpdateTests {
  @Test func `a model of 64 properties that were all edited is saved, and recorded`() throws {
    let folder = try TemporaryFolder()
    let container = try ModelContainer(for: Wide.self, configurations: ModelConfiguration(url: folder.store))
    let context = ModelContext(container)
    let wide = Wide()
    context.insert(wide)
    try context.save()
    wide.p00 = 1
    wide.p01 = 1
    wide.p02 = 1
    wide.p03 = 1
    wide.p04 = 1
    wide.p05 = 1
    wide.p06 = 1
    wide.p07 = 1
    wide.p08 = 1
    wide.p09 = 1
    wide.p10 = 1
    wide.p11 = 1
    wide.p12 = 1
    wide.p13 = 1
    wide.p14 = 1
    wide.p15 = 1
    wide.p16 = 1
    wide.p17 = 1
    wide.p18 = 1
    wide.p19 = 1
    wide.p20 = 1
    wide.p21 = 1
    wide.p22 = 1
    wide.p23 = 1
    wide.p24 = 1
    wide.p25 = 1
    wide.p26 = 1
    wide.p27 = 1
    wide.p28 = 1
    wide.p29 = 1
    wide.p30 = 1
    wide.p31 = 1
    wide.p32 = 1
    wide.p33 = 1
    wide.p34 = 1
    wide.p35 = 1
    wide.p36 = 1
    wide.p37 = 1
    wide.p38 = 1
    wide.p39 = 1
    wide.p40 = 1
    wide.p41 = 1
    wide.p42 = 1
    wide.p43 = 1
    wide.p44 = 1
    wide.p45 = 1
    wide.p46 = 1
    wide.p47 = 1
    wide.p48 = 1
    wide.p49 = 1
    wide.p50 = 1
    wide.p51 = 1
    wide.p52 = 1
    wide.p53 = 1
    wide.p54 = 1
    wide.p55 = 1
    wide.p56 = 1
    wide.p57 = 1
    wide.p58 = 1
    wide.p59 = 1
    wide.p60 = 1
    wide.p61 = 1
    wide.p62 = 1
    wide.p63 = 1
    try context.save()
    let transactions = try context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>())
    guard case .update(let change as DefaultHistoryUpdate<Wide>) = transactions.last?.changes.first else {
      Issue.record("The last transaction is no update of it.")
      return
    }
    #expect(change.updatedAttributes.count == 64)
  }
}

@Model final class Wide {
  var p00 = 0
  var p01 = 0
  var p02 = 0
  var p03 = 0
  var p04 = 0
  var p05 = 0
  var p06 = 0
  var p07 = 0
  var p08 = 0
  var p09 = 0
  var p10 = 0
  var p11 = 0
  var p12 = 0
  var p13 = 0
  var p14 = 0
  var p15 = 0
  var p16 = 0
  var p17 = 0
  var p18 = 0
  var p19 = 0
  var p20 = 0
  var p21 = 0
  var p22 = 0
  var p23 = 0
  var p24 = 0
  var p25 = 0
  var p26 = 0
  var p27 = 0
  var p28 = 0
  var p29 = 0
  var p30 = 0
  var p31 = 0
  var p32 = 0
  var p33 = 0
  var p34 = 0
  var p35 = 0
  var p36 = 0
  var p37 = 0
  var p38 = 0
  var p39 = 0
  var p40 = 0
  var p41 = 0
  var p42 = 0
  var p43 = 0
  var p44 = 0
  var p45 = 0
  var p46 = 0
  var p47 = 0
  var p48 = 0
  var p49 = 0
  var p50 = 0
  var p51 = 0
  var p52 = 0
  var p53 = 0
  var p54 = 0
  var p55 = 0
  var p56 = 0
  var p57 = 0
  var p58 = 0
  var p59 = 0
  var p60 = 0
  var p61 = 0
  var p62 = 0
  var p63 = 0

  init() {}
}
