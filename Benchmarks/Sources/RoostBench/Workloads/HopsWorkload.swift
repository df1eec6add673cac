import CBenchmarkSQLite
import Foundation
import GRDB

/// How many of 200,000 parcels each of 25 countries gets, and what they weigh, by the name of the country: five to-one
/// relationships from the parcel.
///
/// A parcel's number says which van it is in, and so on, so that results are known.
enum HopsWorkload {
  /// From the countries to the parcels, how many there are of each.
  static let counts = [25, 50, 200, 1_000, 5_000, 200_000]

  static let parcelCount = counts[5]
  static let names = (0..<counts[0]).map { "country \($0)" }

  /// As Roost makes it.
  static let schema = """
    CREATE TABLE "Country" ("_pk" INTEGER PRIMARY KEY, "name" TEXT NOT NULL) STRICT;
    CREATE UNIQUE INDEX "Country_name_unique" ON "Country" ("name");
    CREATE TABLE "Region" ("_pk" INTEGER PRIMARY KEY, "country" INTEGER REFERENCES "Country" ("_pk")) STRICT;
    CREATE INDEX "Region_country_index" ON "Region" ("country");
    CREATE TABLE "City" ("_pk" INTEGER PRIMARY KEY, "region" INTEGER REFERENCES "Region" ("_pk")) STRICT;
    CREATE INDEX "City_region_index" ON "City" ("region");
    CREATE TABLE "Depot" ("_pk" INTEGER PRIMARY KEY, "city" INTEGER REFERENCES "City" ("_pk")) STRICT;
    CREATE INDEX "Depot_city_index" ON "Depot" ("city");
    CREATE TABLE "Van" ("_pk" INTEGER PRIMARY KEY, "depot" INTEGER REFERENCES "Depot" ("_pk")) STRICT;
    CREATE INDEX "Van_depot_index" ON "Van" ("depot");
    CREATE TABLE "Parcel" ("_pk" INTEGER PRIMARY KEY, "weight" INTEGER NOT NULL, "van" INTEGER REFERENCES "Van" ("_pk"))
      STRICT;
    CREATE INDEX "Parcel_van_index" ON "Parcel" ("van");
    """

  /// Fills the tables of Roost's models, or those of the other variants, with SQL's own means.
  static let fill = """
    CREATE TEMP TABLE number (n INTEGER PRIMARY KEY);
    WITH RECURSIVE row(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM row WHERE n < \(parcelCount - 1))
    INSERT INTO number SELECT n FROM row;
    INSERT INTO "Country" ("_pk", "name") SELECT n + 1, 'country ' || n FROM number WHERE n < \(counts[0]);
    INSERT INTO "Region" ("_pk", "country") SELECT n + 1, n % \(counts[0]) + 1 FROM number WHERE n < \(counts[1]);
    INSERT INTO "City" ("_pk", "region") SELECT n + 1, n % \(counts[1]) + 1 FROM number WHERE n < \(counts[2]);
    INSERT INTO "Depot" ("_pk", "city") SELECT n + 1, n % \(counts[2]) + 1 FROM number WHERE n < \(counts[3]);
    INSERT INTO "Van" ("_pk", "depot") SELECT n + 1, n % \(counts[3]) + 1 FROM number WHERE n < \(counts[4]);
    INSERT INTO "Parcel" ("_pk", "weight", "van") SELECT n + 1, n % 97, n % \(counts[4]) + 1 FROM number;
    DROP TABLE number;
    """

  static let query = """
    SELECT count(*), sum("Parcel"."weight") FROM "Country"
    JOIN "Region" ON "Region"."country" = "Country"."_pk" JOIN "City" ON "City"."region" = "Region"."_pk"
    JOIN "Depot" ON "Depot"."city" = "City"."_pk" JOIN "Van" ON "Van"."depot" = "Depot"."_pk"
    JOIN "Parcel" ON "Parcel"."van" = "Van"."_pk"
    WHERE "Country"."name" = ?
    """

  static var workload: Workload {
    var variants = [Variant("sqlite-tuned", sqlite), Variant("grdb", grdb)]
    #if ROOST
      variants.insert(Variant("roost", roost), at: 0)
    #endif
    return Workload(name: "five-hops", variants: variants)
  }

  /// One number for all that was found: a weight in a wrong country changes it.
  static func mix(_ sum: Int, _ count: Int, _ weight: Int) -> Int { sum &* 31 &+ count &* 1_000_003 &+ weight }

  static func check(_ found: Int, _ variant: String) throws {
    var totals = Array(repeating: (count: 0, weight: 0), count: names.count)
    for parcel in 0..<parcelCount {
      // Every number of rows is a multiple of the one before, so that the country is the last remainder.
      totals[parcel % names.count].count += 1
      totals[parcel % names.count].weight += parcel % 97
    }
    let expected = totals.reduce(0) { mix($0, $1.count, $1.weight) }
    guard found == expected else { throw BenchmarkError("five-hops, \(variant): found \(found), expected \(expected)") }
  }

  private static func sqlite(in folder: URL) throws -> Round {
    let database = try Database(filled(in: folder), tuned: true)
    return {
      try timed {
        let statement = try database.prepare(query)
        defer { sqlite3_finalize(statement) }
        return try names.reduce(0) { sum, name in
          // SQLite makes a copy of the text.
          sqlite3_bind_text(statement, 1, name, -1, unsafeBitCast(-1, to: sqlite3_destructor_type.self))
          try database.check(sqlite3_step(statement), expecting: SQLITE_ROW)
          defer { sqlite3_reset(statement) }
          return mix(sum, Int(sqlite3_column_int64(statement, 0)), Int(sqlite3_column_int64(statement, 1)))
        }
      } check: {
        try check($0, "sqlite-tuned")
      }
    }
  }

  private static func grdb(in folder: URL) throws -> Round {
    let queue = try DatabaseQueue.open(filled(in: folder))
    return {
      try timed {
        try queue.read { database in
          try names.reduce(0) { sum, name in
            let country = RegionRecord.country.filter(Column("name") == name)
            let depot = DepotRecord.city.joining(required: CityRecord.region.joining(required: country))
            let request = ParcelRecord.joining(
              required: ParcelRecord.van.joining(required: VanRecord.depot.joining(required: depot)))
            let row = try Row.fetchOne(database, request.select(count(Column("_pk")), GRDB.sum(Column("weight"))))
            guard let row else { throw BenchmarkError("five-hops, grdb: no row") }
            return mix(sum, row[0], row[1])
          }
        }
      } check: {
        try check($0, "grdb")
      }
    }
  }

  private static func filled(in folder: URL) throws -> URL {
    let file = folder.appending(path: "parcels.sqlite")
    let database = try Database(file, tuned: true)
    try database.execute(schema)
    try database.execute(fill)
    return file
  }
}

private struct CountryRecord: TableRecord { static let databaseTableName = "Country" }

private struct RegionRecord: TableRecord {
  static let databaseTableName = "Region"
  static let country = belongsTo(CountryRecord.self)
}

private struct CityRecord: TableRecord {
  static let databaseTableName = "City"
  static let region = belongsTo(RegionRecord.self)
}

private struct DepotRecord: TableRecord {
  static let databaseTableName = "Depot"
  static let city = belongsTo(CityRecord.self)
}

private struct VanRecord: TableRecord {
  static let databaseTableName = "Van"
  static let depot = belongsTo(DepotRecord.self)
}

private struct ParcelRecord: TableRecord {
  static let databaseTableName = "Parcel"
  static let van = belongsTo(VanRecord.self)
}
