#ifndef ROOST_CVAULT_LIBSECRET_H
#define ROOST_CVAULT_LIBSECRET_H

#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

// What Roost calls of libsecret and of the GLib that it brings. They are looked up when they are first needed, so that
// programs link to neither, and start where neither is installed. Objects are plain pointers here.

typedef struct {
  uint32_t domain;
  int code;
  char *_Nonnull message;
} RoostGError;

typedef struct RoostGList {
  void *_Nullable data;
  struct RoostGList *_Nullable next;
  struct RoostGList *_Nullable previous;
} RoostGList;

typedef void *_Nullable RoostObject;
typedef RoostGError *_Nullable *_Nullable RoostErrorOut;

typedef struct {
  void *_Nonnull (*_Nonnull secret_value_new)(const char *_Nullable bytes, ptrdiff_t count, const char *_Nonnull type);
  const char *_Nullable (*_Nonnull secret_value_get)(RoostObject value, size_t *_Nonnull count);
  void (*_Nonnull secret_value_unref)(RoostObject value);

  size_t (*_Nonnull secret_service_get_type)(void);
  RoostObject (*_Nonnull secret_service_open_sync)(
    size_t type, const char *_Nullable name, int flags, RoostObject cancellable, RoostErrorOut error);
  RoostGList *_Nullable (*_Nonnull secret_service_search_sync)(
    RoostObject service, RoostObject schema, RoostObject attributes, int flags, RoostObject cancellable,
    RoostErrorOut error);
  RoostObject (*_Nonnull secret_collection_for_alias_sync)(
    RoostObject service, const char *_Nonnull alias, int flags, RoostObject cancellable, RoostErrorOut error);
  int (*_Nonnull secret_collection_get_locked)(RoostObject collection);

  RoostObject (*_Nonnull secret_item_create_sync)(
    RoostObject collection, RoostObject schema, RoostObject attributes, const char *_Nonnull label, RoostObject value,
    int flags, RoostObject cancellable, RoostErrorOut error);
  int (*_Nonnull secret_item_get_locked)(RoostObject item);
  int (*_Nonnull secret_item_load_secret_sync)(RoostObject item, RoostObject cancellable, RoostErrorOut error);
  RoostObject (*_Nonnull secret_item_get_secret)(RoostObject item);
  int (*_Nonnull secret_item_set_secret_sync)(
    RoostObject item, RoostObject value, RoostObject cancellable, RoostErrorOut error);
  RoostObject (*_Nonnull secret_item_get_attributes)(RoostObject item);
  int (*_Nonnull secret_item_delete_sync)(RoostObject item, RoostObject cancellable, RoostErrorOut error);

  RoostObject (*_Nonnull g_hash_table_new_full)(
    RoostObject hash, RoostObject equal, RoostObject free_key, RoostObject free_value);
  int (*_Nonnull g_hash_table_insert)(RoostObject table, void *_Nullable key, void *_Nullable value);
  RoostObject (*_Nonnull g_hash_table_lookup)(RoostObject table, const void *_Nullable key);
  void (*_Nonnull g_hash_table_unref)(RoostObject table);
  char *_Nullable (*_Nonnull g_strdup)(const char *_Nullable text);
  const char *_Nullable (*_Nonnull g_quark_to_string)(uint32_t quark);
  void (*_Nonnull g_error_free)(RoostGError *_Nonnull error);
  void (*_Nonnull g_list_free)(RoostGList *_Nullable list);
  void (*_Nonnull g_object_unref)(RoostObject object);
  RoostObject (*_Nonnull g_cancellable_new)(void);
  void (*_Nonnull g_cancellable_cancel)(RoostObject cancellable);
  RoostObject (*_Nonnull g_main_context_new)(void);
  void (*_Nonnull g_main_context_push_thread_default)(RoostObject context);
  void (*_Nonnull g_main_context_pop_thread_default)(RoostObject context);
  int (*_Nonnull g_main_context_iteration)(RoostObject context, int may_block);
  void (*_Nonnull g_main_context_unref)(RoostObject context);

  // Passed on, never called.
  void *_Nonnull g_str_hash;
  void *_Nonnull g_str_equal;
  void *_Nonnull g_free;
} RoostLibsecret;

// Nil where the library is not installed, or lacks a function: then `lacking` is its name.
static inline RoostLibsecret *_Nullable roost_libsecret_load(const char *_Nullable *_Nonnull lacking) {
  *lacking = NULL;
  void *handle = dlopen("libsecret-1.so.0", RTLD_NOW | RTLD_LOCAL);
  if (!handle) return NULL;
  RoostLibsecret *library = (RoostLibsecret *)calloc(1, sizeof(RoostLibsecret));
  if (!library) return NULL;
  // POSIX promises that a pointer to a function fits into a void *.
#define ROOST_LOAD(name) \
  do { \
    void *found = dlsym(handle, #name); \
    if (!found) { *lacking = #name; free(library); return NULL; } \
    memcpy((void *)&library->name, &found, sizeof(found)); \
  } while (0)
  ROOST_LOAD(secret_value_new);
  ROOST_LOAD(secret_value_get);
  ROOST_LOAD(secret_value_unref);
  ROOST_LOAD(secret_service_get_type);
  ROOST_LOAD(secret_service_open_sync);
  ROOST_LOAD(secret_service_search_sync);
  ROOST_LOAD(secret_collection_for_alias_sync);
  ROOST_LOAD(secret_collection_get_locked);
  ROOST_LOAD(secret_item_create_sync);
  ROOST_LOAD(secret_item_get_locked);
  ROOST_LOAD(secret_item_load_secret_sync);
  ROOST_LOAD(secret_item_get_secret);
  ROOST_LOAD(secret_item_set_secret_sync);
  ROOST_LOAD(secret_item_get_attributes);
  ROOST_LOAD(secret_item_delete_sync);
  ROOST_LOAD(g_hash_table_new_full);
  ROOST_LOAD(g_hash_table_insert);
  ROOST_LOAD(g_hash_table_lookup);
  ROOST_LOAD(g_hash_table_unref);
  ROOST_LOAD(g_strdup);
  ROOST_LOAD(g_quark_to_string);
  ROOST_LOAD(g_error_free);
  ROOST_LOAD(g_list_free);
  ROOST_LOAD(g_object_unref);
  ROOST_LOAD(g_cancellable_new);
  ROOST_LOAD(g_cancellable_cancel);
  ROOST_LOAD(g_main_context_new);
  ROOST_LOAD(g_main_context_push_thread_default);
  ROOST_LOAD(g_main_context_pop_thread_default);
  ROOST_LOAD(g_main_context_iteration);
  ROOST_LOAD(g_main_context_unref);
  ROOST_LOAD(g_str_hash);
  ROOST_LOAD(g_str_equal);
  ROOST_LOAD(g_free);
#undef ROOST_LOAD
  return library;
}

#endif
