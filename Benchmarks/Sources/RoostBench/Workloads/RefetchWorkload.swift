/// All of 200,000 rows again, every value touched: a Roost context has a model of each already.
///
/// The other variants have no memory of a row, so that they do what they do in `fetch-200k`.
enum RefetchWorkload {
  static var workload: Workload {
    var variants = [Variant("sqlite-tuned", FetchWorkload.sqliteTuned), Variant("grdb", FetchWorkload.grdb)]
    #if ROOST
      variants.insert(Variant("roost", roost), at: 0)
    #endif
    return Workload(name: "refetch-200k", variants: variants)
  }
}
