import FaultyDisk
import Foundation
import Roost
import RoostSync
import SyncMerge
import TestSupport

// What goes wrong, besides messages.
extension Simulation {
  enum DiskFault { case full, killed }

  /// Has a device's disk fail from some write on, now and then.
  mutating func diskFault(_ device: SimulatedDevice) -> DiskFault? {
    guard random.once(in: 20) else { return nil }
    let number = 1 + random.below(25)
    if random.once(in: 3) {
      counts.fullDisks += 1
      device.disk.fail(.full, at: number, isLasting: true)
      return .full
    }
    counts.kills += 1
    device.disk.fail(.broken, at: number, isLasting: true)
    return .killed
  }

  /// Starts the program again where it was killed, or makes room on the disk.
  mutating func mend(_ device: SimulatedDevice, _ fault: DiskFault) throws {
    if fault == .full { return device.disk.repair() }
    trace("\(name(device)) was killed after \(device.disk.operations) writes")
    try restart(device)
  }

  mutating func restart(_ device: SimulatedDevice, _ version: (any VersionedSchema.Type)? = nil) throws {
    // No program is two versions later at once: a property that was renamed twice would be another one.
    if version == LibraryV3.self, device.machine.version == LibraryV1.self { try restart(device, LibraryV2.self) }
    if let exchange = device.exchange, exchange.answer == nil, random.once(in: 2) {
      late.append((exchange.request, device.user))
    }
    // As an engine does after each save: a later program may not note what an earlier one wrote and it does not sync.
    if version != nil { try? device.machine.synced.noteChanges(now: now) }
    try? device.machine.container.close()
    device.disk.repair()
    // Nothing that is synced refers to a reader, or a note. Of two programs on one file one
    // syncs all that the other does.
    let candidates = version != nil ? [] : device.machine.isLater ? ["Reader", "Note"] : ["Note"]
    let unsynced = Set(candidates.prefix(random.once(in: 3) ? random.below(3) : 0))
    // No program goes on with a file that a later one has migrated.
    let others = version == nil ? [] : others(beside: device).filter { $0.machine.version != version }
    for other in others { try? other.machine.container.close() }
    try device.restart(version, unsynced: unsynced, &random)
    trace("\(name(device)) does not sync \(unsynced.sorted())")
    for other in others { try restart(other, version) }
  }

  /// What a program cannot help.
  mutating func disturb(_ device: SimulatedDevice) throws {
    switch ways.next(.disturbance, of: 5, &random) {
    case 0: device.unreachableUntil = now + UInt64(random.below(60_000))
    case 1: try restart(device)
    case 2: device.take(random.once(in: 2) ? .pause : .resume)
    case 3:
      guard device.machine.version != LibraryV3.self, random.once(in: 4) else { return }
      trace("\(name(device)) has a later program from here on")
      counts.upgrades += 1
      try restart(device, device.machine.isLater || random.once(in: 3) ? LibraryV3.self : LibraryV2.self)
      // Before the program has heard of anything.
      for _ in 0..<random.below(4) { try edit(device) }
    default: now += UInt64(random.below(100_000))
    }
  }

  /// What nobody expects of data.
  mutating func damage(_ device: SimulatedDevice) throws {
    counts.faults += 1
    switch ways.next(.damage, of: 9, &random) {
    case 0: server.makeBackup()
    case 1: if server.putBackupBack() { trace("the server's data was put back") }
    case 2: try copy(device)
    case 3: try putBack(device)
    case 4, 5:
      // Years ahead, or behind.
      let error = Int64(random.below(3)) * 90_000_000_000 - Int64(random.below(2)) * 60_000_000_000
      for each in [device] + others(beside: device) { each.clockError = error }
    case 6:
      trace("\(name(device)) has a token of another account")
      let user = device.user == "ann" ? "ben" : "ann"
      for each in [device] + others(beside: device) { each.user = user }
    case 7: try chooseAccount(device)
    default:
      try device.machine.context.deleteHistory(HistoryDescriptor<DefaultHistoryTransaction>())
    }
  }

  /// Decides what becomes of the rows of a device that was synced with another account.
  mutating func chooseAccount(_ device: SimulatedDevice) throws {
    let isKept = random.once(in: 2)
    trace("\(name(device)) \(isKept ? "keeps" : "removes") its rows for another account")
    if isKept {
      try device.machine.synced.leaveAccount()
    } else {
      try device.machine.synced.discardRows()
    }
    device.take(.otherAccount)
    device.take(.localChange)
  }

  private mutating func copy(_ device: SimulatedDevice) throws {
    guard devices.count < 4 else { return }
    let url = folder.store("copy\(counts.faults)")
    guard try device.machine.copy(to: url) else { return }
    try addDevice(at: url, device.machine.version, site: 0, user: device.user)
    trace("device \(devices.count) is a copy of \(name(device))")
  }

  /// Keeps what a device has, or has one be again what was kept of it.
  private mutating func putBack(_ device: SimulatedDevice) throws {
    guard let saved = savedDevices.popLast() else {
      let url = folder.store("saved\(counts.faults)")
      guard try device.machine.copy(to: url) else { return }
      return savedDevices.append((url, device.user, device.machine.version))
    }
    trace("\(name(device)) is what a device of \(saved.user) was")
    // In its place, or as a file of its own.
    let url = random.once(in: 2) ? device.machine.url : saved.url
    let all = [device] + (url == saved.url ? [] : others(beside: device))
    for each in all { try each.machine.container.close() }
    if url != saved.url { try ModelContainer.restore(ModelConfiguration(url: url), from: saved.url) }
    for each in all {
      each.user = saved.user
      each.start(
        try Machine(
          0, random: random.next(), saved.version, at: url, on: each.disk, merges: Self.merges,
          pushSize: each.machine.pushSize))
      each.setTime(now)
    }
  }
}
