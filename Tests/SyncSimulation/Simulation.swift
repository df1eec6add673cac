import FaultyDisk
import Foundation
import Roost
import RoostCore
import RoostSync
import SyncMerge
import TestSupport

/// A decision has not come about.
struct UndecidedConflict: Error {
  let conflict: SyncConflictEntry
  let choice: SyncEngine.Choice
}

/// Devices whose users do this and that, a server, and a network between them, in a time of their own.
///
/// What users do comes of one seed, and what goes wrong of another.
package struct Simulation {
  /// What may go wrong.
  package enum Faults: CaseIterable, Sendable {
    /// What a program cannot help: messages, processes, disks and versions. Nothing that a user did is lost.
    case outside
    /// Data that is put back, copied or moved to another account, and clocks: all end with the same rows.
    case data
  }

  /// What was done, so that a test sees that it tested something.
  package struct Counts: Sendable {
    package var edits = 0
    package var lost = 0
    package var conflicts = 0
    package var kills = 0
    package var fullDisks = 0
    package var upgrades = 0
    package var faults = 0

    package init() {}

    package static func += (left: inout Counts, right: Counts) {
      left.edits += right.edits
      left.lost += right.lost
      left.conflicts += right.conflicts
      left.kills += right.kills
      left.fullDisks += right.fullDisks
      left.upgrades += right.upgrades
      left.faults += right.faults
    }
  }

  var devices: [SimulatedDevice] = []
  var server: SimulatedServer
  var edits: SyncEdits
  /// What goes wrong.
  var random: SeededRandom
  var ways: Ways
  /// In how many of ten steps a user does something.
  private let editShare: Int
  /// Whether there is a network for a part of the time only, so that users do much that others do not know of.
  private let isOftenAway: Bool
  var reference = Reference()
  var families = FamilyReference()
  /// The books that users opened or closed, which no other device hears of, by the file.
  var isOpened: [URL: Set<String>] = [:]
  package internal(set) var counts = Counts()
  /// Milliseconds since 1970, by the server's clock.
  var now = Machine.start
  /// Requests that were sent, and may come to the server yet: again, or after their sender gave up.
  var late: [(request: SyncRequest, user: String)] = []
  var savedDevices: [(url: URL, user: String, version: any VersionedSchema.Type)] = []
  let folder: Folder
  let faults: Faults

  /// - Parameters:
  ///   - seed: of what users do.
  ///   - schedule: of what goes wrong, and when.
  ///   - faults: what may go wrong.
  /// - Throws: what a store does.
  package init(seed: UInt64, schedule: UInt64, faults: Faults) throws {
    edits = SyncEdits(random: SeededRandom(seed: seed))
    random = SeededRandom(seed: schedule ^ 0x5eed)
    ways = Ways(&random)
    editShare = random.pick([2, 4, 4, 6])
    isOftenAway = random.once(in: 3)
    self.faults = faults
    server = SimulatedServer(
      limits: SyncLimits(
        edits: random.once(in: 2) ? 50_000 : 1 + random.below(12), bytes: 8 << 20, rows: 1 + random.below(12)),
      answerBytes: random.pick([1, 500, 1 << 20]))
    folder = try Folder()
    for number in 1...2 + random.below(2) {
      let version: any VersionedSchema.Type =
        random.once(in: 5) ? random.pick([LibraryV2.self, LibraryV2.self, LibraryV3.self]) : LibraryV1.self
      let url = folder.store("\(number)")
      try addDevice(at: url, version, site: random.next() | 1, user: "ann")
    }
    if random.once(in: 3) {
      let machine = random.pick(devices).machine
      try addDevice(at: machine.url, machine.version, site: random.next() | 1, user: "ann")
    }
  }

  /// Whether nobody has a network, by the server's clock.
  var isAway: Bool { isOftenAway && now / 1_000 % 30 < 24 }

  /// The other programs that sync the same file, as an extension of the program does: each is a device here.
  func others(beside device: SimulatedDevice) -> [SimulatedDevice] {
    devices.filter { $0 !== device && $0.machine.url == device.machine.url }
  }

  /// Gives back what outlives it.
  func end() throws {
    for device in devices { try? device.machine.container.close() }
    DiskPool.shared.giveBack(devices.map(\.disk))
  }

  /// How programs merge what the server leaves to them.
  static let merges = [CustomMerge.appending(model: "Topic", property: "notes")]

  mutating func addDevice(at url: URL, _ version: any VersionedSchema.Type, site: UInt64, user: String) throws {
    let disk = DiskPool.shared.take()
    let size = SyncPushSize(edits: 1 + random.below(12), bytes: random.pick([200, 1 << 19]))
    if !FileManager.default.fileExists(atPath: url.path) { try StoreTemplates.shared.copy(of: version, to: url) }
    let machine = try Machine(
      site, random: random.next(), version, at: url, on: disk, merges: Self.merges, pushSize: size)
    let device = SimulatedDevice(machine, on: disk, user: user)
    devices.append(device)
    device.setTime(now)
    device.take(.start)
  }

  /// Runs one from its beginning to its end.
  ///
  /// - Parameters:
  ///   - seed: of what users do.
  ///   - schedule: of what goes wrong, and when.
  ///   - faults: what may go wrong.
  /// - Returns: what happened, and what is wrong at the end; nil for nothing.
  package static func run(seed: UInt64, schedule: UInt64, faults: Faults) -> (counts: Counts, problem: String?) {
    do {
      var simulation = try Simulation(seed: seed, schedule: schedule, faults: faults)
      var problem: String?
      do {
        if simulation.random.once(in: 4) == false { problem = try simulation.begin() }
        // Short ones find what needs few things, in less time; long ones the rest.
        for _ in 0..<simulation.random.pick([40, 80, 150, 150]) { try simulation.step() }
        problem = try problem ?? simulation.finish()
      } catch { problem = "\(error)" }
      simulation.counts.conflicts = simulation.server.conflicts.count
      try simulation.end()
      return (simulation.counts, problem)
    } catch { return (Counts(), "\(error)") }
  }

  /// Has all devices have some rows, so that what users do from then on meets. Returns what is wrong then.
  private mutating func begin() throws -> String? {
    let machine = devices[0].machine
    let (before, familiesBefore) = (try machine.rows(), try machine.families())
    try machine.atItsTime { try edits.begin(machine) }
    reference.note(before, try machine.rows(), syncsCards: machine.syncsCards)
    families.note(familiesBefore, try machine.families(), areAlong: true)
    for device in devices where device.machine.url == machine.url { device.take(.localChange) }
    return try deliverAll()
  }

  /// Has something happen.
  mutating func step() throws {
    now += UInt64(random.below(2_000))
    let device = random.pick(devices)
    for each in devices {
      each.setTime(now)
      each.wake()
    }
    switch random.below(10) {
    case 0 where faults == .data && random.once(in: 3): try damage(device)
    case 0: try disturb(device)
    case 1...editShare: try edit(device)
    default: try carry(device)
    }
  }

  // MARK: - Users

  /// `isUndisturbed`: whether nothing goes wrong.
  mutating func edit(_ device: SimulatedDevice, isUndisturbed: Bool = false) throws {
    let (before, familiesBefore) = (try device.machine.rows(), try device.machine.families())
    let local = try device.machine.localValues()
    let fault = isUndisturbed ? nil : diskFault(device)
    let isDecision = random.once(in: 20)
    do {
      try device.machine.atItsTime {
        if isDecision { try decideAgain(device) } else { try edits.edit(device.machine) }
      }
    } catch { if fault == nil { throw error } }
    if let fault { try mend(device, fault) }
    let after = try device.machine.rows()
    counts.edits += 1
    trace(
      "\(name(device)): \(after.filter { before[$0.key] != $0.value }), gone \(before.keys.filter { after[$0] == nil })"
    )
    reference.note(before, after, syncsCards: device.machine.syncsCards)
    families.note(familiesBefore, try device.machine.families(), areAlong: !edits.deletesMany)
    let changed = try device.machine.localValues().filter { !local.contains($0) }
    isOpened[device.machine.url, default: []].formUnion(
      changed.compactMap { $0.split(separator: " ").first.map(String.init) })
    if isDecision || edits.isRewriting { reference.noteDecision(after.keys.filter { before[$0] != after[$0] }) }
    for each in [device] + others(beside: device) { each.take(.localChange) }
  }

  private mutating func decideAgain(_ device: SimulatedDevice) throws {
    let conflicts: [SyncConflictEntry]
    do {
      conflicts = try device.machine.synced.conflicts(limit: 20)
    } catch SyncedStoreError.notBegun { return }
    guard !conflicts.isEmpty else { return }
    let conflict = random.pick(conflicts)
    trace("\(name(device)) decides \(conflict)")
    let choice = random.pick([SyncEngine.Choice.local, .remote, .ancestor, .current])
    if conflict.property == nil { reference.noteDecisionOfDeletion() }
    // Another row may have the unique value meanwhile.
    guard (try? device.machine.synced.resolve(conflict.id, keeping: choice, now: device.machine.now)) != nil else {
      return
    }
    guard let decided = try device.machine.synced.conflicts(limit: nil).first(where: { $0.id == conflict.id }) else {
      return
    }
    let value = choice == .local ? conflict.local : choice == .remote ? conflict.remote : nil
    let isShown = value.flatMap(RowFacts.text).map { text in
      conflict.row == nil || !["title", "label"].contains(conflict.property ?? "")
        || (try? device.machine.rows().values.contains { $0.title == text }) ?? false
    }
    if !decided.isResolved || isShown == false { throw UndecidedConflict(conflict: decided, choice: choice) }
  }

  func name(_ device: SimulatedDevice) -> String {
    "device \((devices.firstIndex { $0 === device } ?? -1) + 1) of \(device.user)"
  }

  static let traces = ProcessInfo.processInfo.environment["ROOST_TRACE"] != nil

  func trace(_ text: @autoclosure () throws -> String) rethrows {
    if Self.traces { print("TRACE", try text().replacingOccurrences(of: "SyncMerge.", with: "")) }
  }
}
