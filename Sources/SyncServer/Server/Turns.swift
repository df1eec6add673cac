/// Jobs that wait: each user's in the order of their arrival, and the users by turns, so that
/// one with many holds up no other.
struct Turns<Job> {
  private var jobs: [String: [(job: Job, bytes: Int)]] = [:]
  /// The users who have jobs, the one whose turn is next first.
  private var users: [String] = []
  private(set) var count = 0
  /// How many bytes those that wait have.
  private(set) var bytes = 0

  /// How many of a user's wait.
  func count(of user: String) -> Int { jobs[user]?.count ?? 0 }

  /// How many bytes those of a user have.
  func bytes(of user: String) -> Int { jobs[user]?.reduce(0) { $0 + $1.bytes } ?? 0 }

  mutating func append(_ job: Job, of user: String, bytes: Int = 0) {
    if jobs[user] == nil { users.append(user) }
    jobs[user, default: []].append((job, bytes))
    (count, self.bytes) = (count + 1, self.bytes + bytes)
  }

  /// Takes the job whose turn it is; nil if none waits.
  mutating func next() -> Job? {
    guard let user = users.first, let (job, bytes) = jobs[user]?.removeFirst() else { return nil }
    users.removeFirst()
    if jobs[user]?.isEmpty ?? true { jobs[user] = nil } else { users.append(user) }
    (count, self.bytes) = (count - 1, self.bytes - bytes)
    return job
  }
}
