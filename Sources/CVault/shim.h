#ifndef ROOST_CVAULT_SHIM_H
#define ROOST_CVAULT_SHIM_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

// Overwrites bytes that nobody reads again, which the compiler would leave out if it did not take them for read here.
static inline void roost_vault_wipe(void *_Nonnull bytes, size_t count) {
  memset(bytes, 0, count);
#if defined(__clang__) || defined(__GNUC__)
  __asm__ __volatile__("" : : "r"(bytes) : "memory");
#endif
}

#if defined(__linux__)

#include "keyring.h"
#include "libsecret.h"

#endif

#endif
