import Foundation
import Roost

/// A base that nobody makes models of, with a subclass a letter, each with a property of the same name.
@Model class Letter {
  var name: String

  init(name: String) { self.name = name }
}

@Model final class LetterA: Letter {
  var value: Int?
  var ownA: String = "A"
  override init(name: String) { super.init(name: name) }
}

@Model final class LetterB: Letter {
  var value: Int?
  var ownB: String = "B"
  override init(name: String) { super.init(name: name) }
}

@Model final class LetterC: Letter {
  var value: Int?
  var ownC: String = "C"
  override init(name: String) { super.init(name: name) }
}

@Model final class LetterD: Letter {
  var value: Int?
  var ownD: String = "D"
  override init(name: String) { super.init(name: name) }
}

@Model final class LetterE: Letter {
  var value: Int?
  var ownE: String = "E"
  override init(name: String) { super.init(name: name) }
}

@Model final class LetterF: Letter {
  var value: Int?
  var ownF: String = "F"
  override init(name: String) { super.init(name: name) }
}

@Model final class LetterG: Letter {
  var value: Int?
  var ownG: String = "G"
  override init(name: String) { super.init(name: name) }
}

@Model final class LetterH: Letter {
  var value: Int?
  var ownH: String = "H"
  override init(name: String) { super.init(name: name) }
}

@Model final class LetterI: Letter {
  var value: Int?
  var ownI: String = "I"
  override init(name: String) { super.init(name: name) }
}

@Model final class LetterJ: Letter {
  var value: Int?
  var ownJ: String = "J"
  override init(name: String) { super.init(name: name) }
}

@Model final class LetterK: Letter {
  var value: Int?
  var ownK: String = "K"
  override init(name: String) { super.init(name: name) }
}

@Model final class LetterL: Letter {
  var value: Int?
  var ownL: String = "L"
  override init(name: String) { super.init(name: name) }
}

@Model final class LetterM: Letter {
  var value: Int?
  var ownM: String = "M"
  override init(name: String) { super.init(name: name) }
}

@Model final class LetterN: Letter {
  var value: Int?
  var ownN: String = "N"
  override init(name: String) { super.init(name: name) }
}

@Model final class LetterO: Letter {
  var value: Int?
  var ownO: String = "O"
  override init(name: String) { super.init(name: name) }
}

@Model final class LetterP: Letter {
  var value: Int?
  var ownP: String = "P"
  override init(name: String) { super.init(name: name) }
}

@Model final class LetterQ: Letter {
  var value: Int?
  var ownQ: String = "Q"
  override init(name: String) { super.init(name: name) }
}

@Model final class LetterR: Letter {
  var value: Int?
  var ownR: String = "R"
  override init(name: String) { super.init(name: name) }
}

@Model final class LetterS: Letter {
  var value: Int?
  var ownS: String = "S"
  override init(name: String) { super.init(name: name) }
}

@Model final class LetterT: Letter {
  var value: Int?
  var ownT: String = "T"
  override init(name: String) { super.init(name: name) }
}

@Model final class LetterU: Letter {
  var value: Int?
  var ownU: String = "U"
  override init(name: String) { super.init(name: name) }
}

@Model final class LetterV: Letter {
  var value: Int?
  var ownV: String = "V"
  override init(name: String) { super.init(name: name) }
}

@Model final class LetterW: Letter {
  var value: Int?
  var ownW: String = "W"
  override init(name: String) { super.init(name: name) }
}

@Model final class LetterX: Letter {
  var value: Int?
  var ownX: String = "X"
  override init(name: String) { super.init(name: name) }
}

@Model final class LetterY: Letter {
  var value: Int?
  var ownY: String = "Y"
  override init(name: String) { super.init(name: name) }
}

@Model final class LetterZ: Letter {
  var value: Int?
  var ownZ: String = "Z"
  override init(name: String) { super.init(name: name) }
}

let letterTypes: [any PersistentModel.Type] = [
  LetterA.self, LetterB.self, LetterC.self, LetterD.self, LetterE.self, LetterF.self,
  LetterG.self, LetterH.self, LetterI.self, LetterJ.self, LetterK.self, LetterL.self,
  LetterM.self, LetterN.self, LetterO.self, LetterP.self, LetterQ.self, LetterR.self,
  LetterS.self, LetterT.self, LetterU.self, LetterV.self, LetterW.self, LetterX.self,
  LetterY.self, LetterZ.self,
]

let letterMakers: [@Sendable (String) -> Letter] = [
  LetterA.init, LetterB.init, LetterC.init, LetterD.init, LetterE.init, LetterF.init,
  LetterG.init, LetterH.init, LetterI.init, LetterJ.init, LetterK.init, LetterL.init,
  LetterM.init, LetterN.init, LetterO.init, LetterP.init, LetterQ.init, LetterR.init,
  LetterS.init, LetterT.init, LetterU.init, LetterV.init, LetterW.init, LetterX.init,
  LetterY.init, LetterZ.init,
]
