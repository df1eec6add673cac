#ifndef ROOST_CBENCHMARKHEAP_SHIM_H
#define ROOST_CBENCHMARKHEAP_SHIM_H

#include <malloc.h>

// The structure is named as the function is, so that Swift cannot tell a call from an initialiser.
static inline long roost_bench_heap_bytes(void) {
  struct mallinfo2 info = mallinfo2();
  // Large blocks are mapped each by itself.
  return (long)(info.uordblks + info.hblkhd);
}

#endif
