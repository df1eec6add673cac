extension UInt64 {
  /// A number made of this and others, so that another one of any of them makes another number.
  ///
  /// Source: Steele and others, "Fast splittable pseudorandom number generators": the finaliser of SplitMix64.
  package func mixed(with parts: [UInt64]) -> UInt64 {
    var mixed = self
    for part in parts {
      mixed = (mixed ^ part) &+ 0x9e37_79b9_7f4a_7c15
      mixed = (mixed ^ mixed >> 30) &* 0xbf58_476d_1ce4_e5b9
      mixed = (mixed ^ mixed >> 27) &* 0x94d0_49bb_1331_11eb
      mixed ^= mixed >> 31
    }
    return mixed
  }
}
