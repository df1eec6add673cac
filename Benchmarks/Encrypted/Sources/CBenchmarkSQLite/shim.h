#ifndef ROOST_CBENCHMARKSQLITE_SHIM_H
#define ROOST_CBENCHMARKSQLITE_SHIM_H

// The same module with SQLCipher in place of SQLite, for the same C loops.
#if __has_include(<sqlcipher/sqlite3.h>)
#include <sqlcipher/sqlite3.h>
#else
#include <sqlite3.h>
#endif

// sqlite3_config is variadic, which Swift cannot call.
static inline int roost_bench_disable_memory_statistics(void) {
  return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}

#endif
