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
#if !defined(_WIN32)
#include <dlfcn.h>
#endif

// OpenSSL frees what it decrypts with while the process exits, and threads that read meanwhile would crash. It leaves it to
// the system if it is told so before its first use; with other libraries, as Apple's, there is nothing to tell.
// Source: https://docs.openssl.org/3.0/man3/OPENSSL_init_crypto/
static inline void roost_sqlcipher_keep_crypto_at_exit(void) {
#if !defined(_WIN32)
  uint64_t const noAtExit = 0x00080000;
  void *program = dlopen(0, RTLD_LAZY);
  if (!program) return;
  int (*initialize)(uint64_t, void const *) = (int (*)(uint64_t, void const *))dlsym(program, "OPENSSL_init_crypto");
  if (initialize) (void)initialize(noAtExit, 0);
  (void)dlclose(program);
#endif
}

#endif
