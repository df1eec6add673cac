#ifndef ROOST_CVAULT_KEYRING_H
#define ROOST_CVAULT_KEYRING_H

#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

// The C library has no functions for these system calls, and syscall is variadic, which Swift cannot call. Each returns
// -1 with errno where the kernel refuses.

// linux/keyctl.h, which is a package of its own on some systems.
#define ROOST_SESSION_KEYRING (-3)
#define ROOST_KEYCTL_GET_KEYRING_ID 0
#define ROOST_KEYCTL_DESCRIBE 6
#define ROOST_KEYCTL_SEARCH 10
#define ROOST_KEYCTL_READ 11
#define ROOST_KEYCTL_INVALIDATE 21

// That of the login session; where there is none, the one that all processes of the user share. Adding to the session's by its
// name would make one for the thread alone there.
static inline int32_t roost_keyring(void) {
  return (int32_t)syscall(SYS_keyctl, (long)ROOST_KEYCTL_GET_KEYRING_ID, (long)ROOST_SESSION_KEYRING, 0L);
}
static inline int32_t roost_key_add(const char *description, const void *bytes, size_t count, int32_t keyring) {
  return (int32_t)syscall(SYS_add_key, "user", description, bytes, count, (long)keyring);
}
static inline int32_t roost_key_search(int32_t keyring, const char *description) {
  return (int32_t)syscall(SYS_keyctl, (long)ROOST_KEYCTL_SEARCH, (long)keyring, "user", description, 0L);
}
// How many bytes there are, of which at most `count` are written.
static inline long roost_key_read(int32_t key, void *bytes, size_t count) {
  return syscall(SYS_keyctl, (long)ROOST_KEYCTL_READ, (long)key, bytes, count);
}
static inline long roost_key_describe(int32_t key, char *text, size_t count) {
  return syscall(SYS_keyctl, (long)ROOST_KEYCTL_DESCRIBE, (long)key, text, count);
}
static inline long roost_key_invalidate(int32_t key) {
  return syscall(SYS_keyctl, (long)ROOST_KEYCTL_INVALIDATE, (long)key);
}

#endif
