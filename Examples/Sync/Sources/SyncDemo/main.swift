import Foundation
import Logging
import Roost
import RoostServer
import RoostSync

// A server and two programs that share flights: one goes offline, both edit, it comes back.

// What a device says of a server that is not there is no news here.
LoggingSystem.bootstrap { label in
  var handler = StreamLogHandler.standardError(label: label)
  handler.logLevel = .critical
  return handler
}

let folder = FileManager.default.temporaryDirectory.appending(
  path: "roost-sync-demo-\(ProcessInfo.processInfo.processIdentifier)")
try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
defer { try? FileManager.default.removeItem(at: folder) }

let server = try RoostServer(
  data: folder.appending(path: "server"), authenticator: DevelopmentTokens(), isDevelopment: true)
let (ports, port) = AsyncStream<Int>.makeStream()
let serving = Task { try await server.run(port: 0) { port.yield($0) } }
guard let port = await ports.first(where: { _ in true }),
  let address = URL(string: "http://127.0.0.1:\(port)")
else { throw CocoaError(.featureUnsupported) }

print("▸ a server at \(address), and two programs with stores of their own")
let tower = try Program("tower", folder: folder, server: address)
let counter = try Program("counter", folder: folder, server: address)

let newark = Airport(code: "EWR", name: "Newark")
for (number, gate) in [("UA1545", "C70"), ("B6725", "A12")] {
  tower.context.insert(Flight(number, gate: gate, from: newark))
}
try tower.context.save()
try await tower.sync.now()
try await counter.sync.now()
try counter.printFlights()

print("▸ the counter goes offline, and both edit")
counter.sync.pause()
try counter.change("UA1545", "takes 40 bags, and says \"full\"") {
  $0.bags += 40; $0.remarks.append("full")
}
try counter.change("UA1545", "moves it to gate C71") { $0.gate = "C71" }
let other = Airport(code: "LGA", name: "La Guardia")
counter.context.insert(Flight("DL461", gate: "D4", from: other))
try counter.context.save()
print("  counter: adds LGA, and DL461 from there")
try tower.change("UA1545", "delays it by 20 min, takes 2 bags, and says \"late\"") {
  $0.delay = 20
  $0.bags += 2
  $0.remarks.append("late")
}
try tower.change("UA1545", "moves it to gate C90") { $0.gate = "C90" }
tower.context.insert(Airport(code: "LGA", name: "LaGuardia Airport"))
try tower.context.save()
print("  tower: adds LGA too")
try await tower.sync.now()
tower.printStatus()
counter.printStatus()

print("▸ it comes back")
counter.sync.resume()
try await counter.sync.now()
try await tower.sync.now()
for program in [tower, counter] { try program.printFlights() }
for program in [tower, counter] { program.printStatus() }

print("▸ the journal")
for program in [tower, counter] { try program.printJournal() }
let gates = try counter.sync.conflicts(where: #Predicate { $0.property == "gate" && !$0.isResolved })
if let conflict = gates.first {
  print("▸ the counter decides for its own gate after all")
  try counter.sync.resolve(conflict, keeping: conflict.outcome == .local ? .remote : .local)
  try await counter.sync.now()
  try await tower.sync.now()
  try tower.printFlights()
}

for program in [tower, counter] { try program.container.close() }
serving.cancel()
_ = await serving.result
