import ArgumentParser
import Foundation

/// What an exit code says besides errors.
enum Verdict: Int32 {
  /// All is well.
  case fine = 0
  /// Something was found.
  case found = 1
}

/// A part of the command that prints to a console.
protocol Subcommand: ParsableCommand {
  func run(on console: Console) throws -> Verdict
}

/// Where text goes, and where answers come from.
struct Console {
  let print: (String) -> Void
  /// Prints what went wrong.
  let complain: (String) -> Void
  /// Asks the person who started the command; nil when there is none.
  let ask: ((String) -> String?)?

  static var terminal: Console {
    Console(
      print: { Swift.print($0) },
      complain: { FileHandle.standardError.write(Data(($0 + "\n").utf8)) },
      ask: isatty(STDIN_FILENO) == 0
        ? nil
        : { question in
          Swift.print(question, terminator: " ")
          fflush(nil)
          return readLine()
        })
  }
}

extension URL {
  /// A file as a person names it: by its path, or by a `file:` URL.
  init(argument: String) {
    if argument.hasPrefix("file:"), let url = URL(string: argument), url.isFileURL {
      self = url
    } else {
      self.init(fileURLWithPath: argument)
    }
  }
}

/// A number of things, as in "1 row" and "2 rows".
func count(_ number: Int, _ one: String, _ many: String? = nil) -> String {
  "\(number) \(number == 1 ? one : many ?? one + "s")"
}
