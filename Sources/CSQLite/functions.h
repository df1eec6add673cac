// What Swift needs beside SQLite's own functions. For the header of a module that has included `sqlite3.h`.
#ifndef ROOST_SQLITE_FUNCTIONS_H
#define ROOST_SQLITE_FUNCTIONS_H

#include <stdint.h>
#include <stdio.h>
#include <string.h>
#if !defined(_WIN32)
#include <pthread.h>
#include <sys/stat.h>
#endif

// sqlite3_config is variadic, which Swift cannot call. Memory statistics cost a global lock on every allocation.
static inline int roost_sqlite3_disable_memory_statistics(void) {
  return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}

// Otherwise SQLite reads a misspelled "column" as the string 'column'. sqlite3_db_config is variadic, too.
static inline void roost_sqlite3_disable_double_quoted_strings(sqlite3 *database) {
  (void)sqlite3_db_config(database, SQLITE_DBCONFIG_DQS_DML, 0, (int *)0);
  (void)sqlite3_db_config(database, SQLITE_DBCONFIG_DQS_DDL, 0, (int *)0);
}

static inline void roost_sqlite3_enable_triggers(sqlite3 *database, int isOn) {
  (void)sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_TRIGGER, isOn, (int *)0);
}

// SQLite tells of rows before they change only if it was built to. The header may not declare what the library has, and a
// library that lacks it must still be linked; where a symbol cannot be weak, it counts as lacking.
typedef void (*roost_preupdate)(void *, sqlite3 *, int, char const *, char const *, sqlite3_int64, sqlite3_int64);
#if defined(__APPLE__)
#define ROOST_WEAK __attribute__((weak_import))
#elif !defined(_WIN32)
#define ROOST_WEAK __attribute__((weak))
#endif
#if defined(ROOST_WEAK)
extern void *sqlite3_preupdate_hook(sqlite3 *, roost_preupdate, void *) ROOST_WEAK;
extern int sqlite3_preupdate_old(sqlite3 *, int, sqlite3_value **) ROOST_WEAK;
extern int sqlite3_preupdate_new(sqlite3 *, int, sqlite3_value **) ROOST_WEAK;
#endif

// Returns 0 where SQLite does not tell.
static inline int roost_sqlite3_preupdate_hook(sqlite3 *database, roost_preupdate body, void *user) {
#if defined(ROOST_WEAK)
  if (!sqlite3_preupdate_hook || !sqlite3_preupdate_old || !sqlite3_preupdate_new) return 0;
  (void)sqlite3_preupdate_hook(database, body, user);
  return 1;
#else
  return 0;
#endif
}

// The value of a column before the change, or NULL. Only within the hook.
static inline sqlite3_value *roost_sqlite3_old_value(sqlite3 *database, int column) {
  sqlite3_value *value = 0;
#if defined(ROOST_WEAK)
  if (sqlite3_preupdate_old(database, column, &value) != SQLITE_OK) return 0;
#endif
  return value;
}

// The value of a column after the change, or NULL. Only within the hook.
static inline sqlite3_value *roost_sqlite3_new_value(sqlite3 *database, int column) {
  sqlite3_value *value = 0;
#if defined(ROOST_WEAK)
  if (sqlite3_preupdate_new(database, column, &value) != SQLITE_OK) return 0;
#endif
  return value;
}

// Whether two values are the same to `IS`, texts by their bytes.
static inline int roost_sqlite3_is_same(sqlite3_value *left, sqlite3_value *right) {
  if (!left || !right) return left == right;
  int type = sqlite3_value_type(left), other = sqlite3_value_type(right);
  if (type != other) {
    if ((type == SQLITE_INTEGER && other == SQLITE_FLOAT) || (type == SQLITE_FLOAT && other == SQLITE_INTEGER))
      return sqlite3_value_double(left) == sqlite3_value_double(right);
    return 0;
  }
  switch (type) {
  case SQLITE_NULL: return 1;
  case SQLITE_INTEGER: return sqlite3_value_int64(left) == sqlite3_value_int64(right);
  case SQLITE_FLOAT: return sqlite3_value_double(left) == sqlite3_value_double(right);
  }
  // As bytes, as SQLite copies a text to end it with a NUL.
  const void *bytes = sqlite3_value_blob(left), *others = sqlite3_value_blob(right);
  int count = sqlite3_value_bytes(left);
  return count == sqlite3_value_bytes(right) && (count == 0 || memcmp(bytes, others, (size_t)count) == 0);
}

// SQLITE_TRANSIENT is a cast of -1 to a function pointer, which Swift does not import. SQLite copies the bytes.
static inline int roost_sqlite3_bind_text(sqlite3_stmt *statement, int index, const void *bytes, uint64_t count) {
  return sqlite3_bind_text64(statement, index, (const char *)bytes, count, SQLITE_TRANSIENT, SQLITE_UTF8);
}
// SQLite reads the bytes where they are: they must stay there until the statement has run.
static inline int roost_sqlite3_bind_held_text(sqlite3_stmt *statement, int index, const void *bytes, uint64_t count) {
  return sqlite3_bind_text64(statement, index, (const char *)bytes, count, SQLITE_STATIC, SQLITE_UTF8);
}
static inline int roost_sqlite3_bind_blob(sqlite3_stmt *statement, int index, const void *bytes, uint64_t count) {
  return sqlite3_bind_blob64(statement, index, bytes, count, SQLITE_TRANSIENT);
}
static inline void roost_sqlite3_result_text(sqlite3_context *context, const void *bytes, uint64_t count) {
  sqlite3_result_text64(context, (const char *)bytes, count, SQLITE_TRANSIENT, SQLITE_UTF8);
}
static inline void roost_sqlite3_result_blob(sqlite3_context *context, const void *bytes, uint64_t count) {
  sqlite3_result_blob64(context, bytes, count, SQLITE_TRANSIENT);
}

static inline int roost_same_bytes(const void *left, const void *right, size_t count) {
  return memcmp(left, right, count) == 0;
}

// Overwrites memory that nobody reads any more, which the compiler must not leave out.
static inline void roost_wipe(void *bytes, size_t count) {
  volatile unsigned char *byte = (volatile unsigned char *)bytes;
  while (count-- > 0) *byte++ = 0;
}

// A number that no two living threads share.
#if defined(_WIN32)
__declspec(dllimport) unsigned long __stdcall GetCurrentThreadId(void);
static inline uintptr_t roost_current_thread(void) { return (uintptr_t)GetCurrentThreadId(); }
#else
static inline uintptr_t roost_current_thread(void) { return (uintptr_t)pthread_self(); }
#endif

// The two numbers that no two files have at the same time; 0 if there is no such file. Windows, where an open file stays
// where it is, has none.
static inline int roost_file_numbers(const char *path, uint64_t *device, uint64_t *file) {
#if defined(_WIN32)
  return 0;
#else
  struct stat status;
  if (stat(path, &status) != 0) return 0;
  *device = (uint64_t)status.st_dev;
  *file = (uint64_t)status.st_ino;
  return 1;
#endif
}

// Gives a file another's name, which the other loses, at one moment. Returns 0 unless it fails.
#if defined(_WIN32)
__declspec(dllimport) int __stdcall MoveFileExA(const char *from, const char *to, unsigned long flags);
static inline int roost_replace_file(const char *file, const char *other) { return !MoveFileExA(file, other, 1); }
#else
static inline int roost_replace_file(const char *file, const char *other) { return rename(file, other); }
#endif

// The lowest address of the running thread's stack; 0 where the system does not say.
#if defined(_WIN32)
__declspec(dllimport) void __stdcall GetCurrentThreadStackLimits(uintptr_t *low, uintptr_t *high);
#elif !defined(__APPLE__)
extern int pthread_getattr_np(pthread_t thread, pthread_attr_t *attributes);
#endif
static inline uintptr_t roost_stack_end(void) {
#if defined(_WIN32)
  uintptr_t low = 0, high = 0;
  GetCurrentThreadStackLimits(&low, &high);
  return low;
#elif defined(__APPLE__)
  pthread_t thread = pthread_self();
  return (uintptr_t)pthread_get_stackaddr_np(thread) - pthread_get_stacksize_np(thread);
#else
  pthread_attr_t attributes;
  void *low = 0;
  size_t size = 0;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return 0;
  int result = pthread_attr_getstack(&attributes, &low, &size);
  (void)pthread_attr_destroy(&attributes);
  return result == 0 ? (uintptr_t)low : 0;
#endif
}

// Where the stack is now.
static inline uintptr_t roost_stack_position(void) { return (uintptr_t)__builtin_frame_address(0); }

// Retains an object unless its destruction has begun; what the Swift runtime does to load a weak reference. Swift code
// may not name the runtime's symbols itself.
extern void *swift_tryRetain(void *object);
static inline void *roost_try_retain(void *object) { return swift_tryRetain(object); }

#endif
