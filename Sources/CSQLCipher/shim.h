#ifndef ROOST_CSQLCIPHER_SHIM_H
#define ROOST_CSQLCIPHER_SHIM_H

// SQLCipher's header has the name of SQLite's, and declares its own functions only if asked.
#define SQLITE_HAS_CODEC 1
#if __has_include(<sqlcipher/sqlite3.h>)
#include <sqlcipher/sqlite3.h>
#else
#include <sqlite3.h>
#endif
#include "../CSQLite/functions.h"

#endif
