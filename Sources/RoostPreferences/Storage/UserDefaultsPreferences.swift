#if canImport(Darwin)
  import Foundation

  /// The program's own `UserDefaults`, which other processes do not share.
  final class UserDefaultsPreferences: PreferenceStorage {
    var url: URL? { nil }

    func load() -> LoadedPreferences {
      let domain = Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName
      let values = UserDefaults.standard.persistentDomain(forName: domain) ?? [:]
      return LoadedPreferences(values: values.compactMapValues { JSONValue(propertyList: $0) })
    }

    func save(_ changes: [String: JSONValue?], known: [String: JSONValue]) -> LoadedPreferences {
      for (name, value) in changes {
        if let value {
          UserDefaults.standard.set(value.propertyList ?? (try? JSONEncoder().encode(value)), forKey: name)
        } else {
          UserDefaults.standard.removeObject(forKey: name)
        }
      }
      return load()
    }

    /// What other code of the program writes, such as a bundle of settings.
    func watch(_ onChange: @escaping @Sendable () -> Void) {
      _ = NotificationCenter.default.addObserver(
        forName: UserDefaults.didChangeNotification, object: UserDefaults.standard, queue: nil
      ) { _ in onChange() }
    }
  }

  extension JSONValue {
    /// Nil for what has no JSON, such as a date that other code wrote.
    fileprivate init?(propertyList value: Any) {
      switch value {
      case let value as NSNumber where CFGetTypeID(value) == CFBooleanGetTypeID(): self = .bool(value.boolValue)
      case let value as NSNumber:
        self =
          CFNumberIsFloatType(value) ? .number(value.doubleValue) : .integer(value.int64Value)
      case let value as String: self = .text(value)
      case let value as [Any]:
        let parts = value.compactMap { JSONValue(propertyList: $0) }
        guard parts.count == value.count else { return nil }
        self = .list(parts)
      case let value as [String: Any]:
        let parts = value.compactMapValues { JSONValue(propertyList: $0) }
        guard parts.count == value.count else { return nil }
        self = .object(parts)
      // What has a null in it, or such a number.
      case let value as Data:
        guard let decoded = try? JSONDecoder().decode(JSONValue.self, from: value) else { return nil }
        self = decoded
      default: return nil
      }
    }

    /// Nil for what property lists lack: null, and numbers beyond `Int64` and `Double`.
    fileprivate var propertyList: Any? {
      switch self {
      case .null, .large, .precise: return nil
      case .bool(let value): return value
      case .integer(let value): return value
      case .number(let value): return value
      case .text(let value): return value
      case .list(let values):
        let parts = values.compactMap(\.propertyList)
        return parts.count == values.count ? parts : nil
      case .object(let values):
        let parts = values.compactMapValues(\.propertyList)
        return parts.count == values.count ? parts : nil
      }
    }
  }
#endif
