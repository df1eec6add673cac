#ifndef ROOST_CBENCHMARKSQLITE_SHIM_H
#define ROOST_CBENCHMARKSQLITE_SHIM_H

#include <sqlite3.h>

// sqlite3_config is variadic, which Swift cannot call.
static inline int roost_bench_disable_memory_statistics(void) {
  return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}

#endif
