import Roost

/// One commit of one of several programs.
@Model final class Tally {
  var writer: Int
  var number: Int

  init(writer: Int, number: Int) { (self.writer, self.number) = (writer, number) }
}
