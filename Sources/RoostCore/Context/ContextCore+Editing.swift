// Edits that concern several models: observers hear of them when all is done.
extension ContextCore {
  /// Whether models are being changed that must agree before anybody looks.
  var isEditing: Bool { editDepth > 0 }

  /// Runs an edit as a whole: an observer that saves, rolls back or edits in turn finds both sides of every
  /// relationship in step, and takes nothing of the edit away.
  package func editing<Result>(_ body: () throws -> Result) rethrows -> Result {
    editDepth += 1
    defer {
      editDepth -= 1
      if editDepth == 0, !announcements.isEmpty { announce() }
    }
    return try body()
  }

  func announceLater(_ model: any PersistentModel, _ index: Int) {
    announcements.append(Announcement(model: model, index: index))
  }

  private func announce() {
    let waiting = announcements
    announcements = []
    for announcement in waiting {
      announcement.model._$announce(announcement.index, willChange: true)
      announcement.model._$announce(announcement.index, willChange: false)
    }
  }

  /// A property whose observers are to be told.
  struct Announcement {
    let model: any PersistentModel
    let index: Int
  }
}

extension PersistentModel {
  /// Runs an edit of this model and another as a whole, in the context that either is in.
  func _$editing(with other: (any PersistentModel)?, _ body: () -> Void) {
    guard let core = _$attachedCore ?? other?._$attachedCore else { return body() }
    core.editing(body)
  }
}
