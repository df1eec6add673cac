internal import Foundation
import RoostCore

/// A type of which some properties may always be asked.
private protocol StandardPaths {
  static var standardPaths: [(name: String, path: AnyKeyPath)] { get }
}

extension String: StandardPaths {
  fileprivate static var standardPaths: [(name: String, path: AnyKeyPath)] {
    [("count", \Self.count), ("isEmpty", \Self.isEmpty)]
  }
}

extension Array: StandardPaths {
  fileprivate static var standardPaths: [(name: String, path: AnyKeyPath)] {
    [("count", \Self.count), ("isEmpty", \Self.isEmpty), ("first", \Self.first), ("last", \Self.last)]
  }
}

extension ArraySlice: StandardPaths {
  fileprivate static var standardPaths: [(name: String, path: AnyKeyPath)] {
    [("count", \Self.count), ("isEmpty", \Self.isEmpty)]
  }
}

extension Set: StandardPaths {
  fileprivate static var standardPaths: [(name: String, path: AnyKeyPath)] {
    [("count", \Self.count), ("isEmpty", \Self.isEmpty)]
  }
}

extension Dictionary: StandardPaths {
  fileprivate static var standardPaths: [(name: String, path: AnyKeyPath)] {
    [("count", \Self.count), ("isEmpty", \Self.isEmpty)]
  }
}

extension Data: StandardPaths {
  fileprivate static var standardPaths: [(name: String, path: AnyKeyPath)] {
    [("count", \Self.count), ("isEmpty", \Self.isEmpty)]
  }
}

extension Date: StandardPaths {
  fileprivate static var standardPaths: [(name: String, path: AnyKeyPath)] {
    [("timeIntervalSinceReferenceDate", \Self.timeIntervalSinceReferenceDate)]
  }
}

extension PersistentModel {
  fileprivate static var identityPaths: [(name: String, path: AnyKeyPath)] {
    Array(zip(["persistentModelID", "id"], identityKeyPaths))
  }
}

/// The properties of a type that need no permission.
func standardPaths(of type: Any.Type) -> [(name: String, path: AnyKeyPath)] {
  if let type = type as? any PersistentModel.Type { return type.identityPaths }
  if let type = type as? any StandardPaths.Type { return type.standardPaths }
  return []
}
