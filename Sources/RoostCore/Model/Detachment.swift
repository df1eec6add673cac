/// Why a model's to-one relationship is nil although the program did not set it: the model that it referred to let go.
///
/// By the time of the save the row may refer to another model, which another context or program gave it. So the save
/// nils the column out where it still has this owner's key, and nowhere else.
struct Detachment: Equatable {
  /// The key that the relationship had.
  var owner: Int64
  /// Whether the owner is to be deleted. Its row then takes the reference along, if it is deleted.
  let isByDeletion: Bool
  /// Whether the program had set the relationship to the owner since the last save. The save writes nil then, and if
  /// the owner turns out to stay, the relationship is what the program has set again.
  var wasSet = false
  /// Whether the model itself was to be deleted, and let a model go that the program took a deletion back of. If it
  /// turns out to stay, it keeps that one.
  var isOfDeleted = false
}
