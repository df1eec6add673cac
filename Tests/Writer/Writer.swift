import Foundation
import Roost

/// A program that saves again and again, beside others that do the same: `writer STORE NUMBER COMMITS`.
@main enum Writer {
  static func main() throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 4, let writer = Int(arguments[2]), let count = Int(arguments[3]) else {
      return print("usage: writer STORE NUMBER COMMITS")
    }
    let configuration = ModelConfiguration(url: URL(filePath: arguments[1]))
    let context = ModelContext(try ModelContainer(for: Tally.self, configurations: configuration))
    for number in 0..<count {
      context.insert(Tally(writer: writer, number: number))
      try context.save()
    }
  }
}
