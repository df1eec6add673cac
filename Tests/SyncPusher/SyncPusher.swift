import Foundation
import SyncMerge
import SyncServer

/// A server that takes push after push of ten rows each until it is killed: `SyncPusher FOLDER`. It prints the number
/// of each push that was answered.
@main enum SyncPusher {
  static func main() async throws {
    guard CommandLine.arguments.count == 2 else { return print("usage: SyncPusher FOLDER") }
    let server = try SyncServer(data: URL(filePath: CommandLine.arguments[1]))
    let service = server.service(for: "anna")
    let schema = SyncSchema(entities: [
      SyncEntity(SyncName("Note"), fields: [SyncFieldDefinition(SyncName("text"))])
    ])
    _ = try await service.begin(SyncHello(zone: "notes", site: 1, schema: schema))
    for number in Int64(1)... {
      let edits = (0..<10).map { (row: Int64) in
        let stamp = SyncStamp(time: UInt64(number), site: 1)
        return SyncEdit(
          row: SyncRowID(entity: 1, site: 1, key: number * 10 + row), kind: .insert, stamp: stamp,
          fields: [1: SyncFieldEdit(value: .text("\(number)"), stamp: stamp)])
      }
      let answer = try await service.push(SyncPush(site: 1, number: number, edits: edits), to: "notes")
      // Not `print`, which may keep it for later.
      try FileHandle.standardOutput.write(contentsOf: Data("\(answer.number)\n".utf8))
    }
  }
}
