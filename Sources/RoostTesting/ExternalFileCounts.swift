public import RoostCore

extension ModelContainer {
  /// The number of files that were read for `.externalStorage` values since the container was made.
  public var externalFilesRead: Int { _externalFilesRead }
}
