// The C reference of Haraka, around which this program times the same loops as ours.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "haraka.c"

enum { MANY = 256, BATCHES = 16, MOST = 1024 };

typedef void hash(unsigned char *, const unsigned char *);

static _Alignas(64) unsigned char messages[64 * MOST], hashes[32 * MOST];

// One function for each case, so that the hash is inlined where the compiler wants that.
#define SINGLE(BITS, BYTES)                                                                                            \
  static void chained##BITS(int batch) {                                                                               \
    for (int i = 0; i < MANY; i++) {                                                                                   \
      _Alignas(64) unsigned char hash[32];                                                                             \
      haraka##BITS(hash, messages);                                                                                    \
      memcpy(messages, hash, 32);                                                                                      \
    }                                                                                                                  \
  }                                                                                                                    \
  static void independent##BITS(int batch) {                                                                           \
    for (int i = 0; i < MANY; i++)                                                                                     \
      haraka##BITS(hashes + 32 * i, messages + BYTES * i);                                                             \
  }

#define BATCH(BITS, BYTES, WIDTH)                                                                                      \
  static void batch##BITS##_##WIDTH(int batch) {                                                                       \
    for (int run = 0; run < BATCHES; run++) {                                                                          \
      for (int i = 0; i < batch; i += WIDTH)                                                                           \
        haraka##BITS##_##WIDTH##x(hashes + 32 * i, messages + BYTES * i);                                              \
      __asm__ volatile("" ::: "memory");                                                                               \
    }                                                                                                                  \
  }

SINGLE(512, 64)
SINGLE(256, 32)
BATCH(512, 64, 4)
BATCH(512, 64, 8)
BATCH(256, 32, 4)
BATCH(256, 32, 8)

static const struct {
  const char *group, *by;
  void (*run)(int);
  int width; // of a batch, or nothing
} kinds[] = {
    {"Haraka-512/chained", "C reference, single", chained512, 0},
    {"Haraka-256/chained", "C reference, single", chained256, 0},
    {"Haraka-512/independent", "C reference, single", independent512, 0},
    {"Haraka-256/independent", "C reference, single", independent256, 0},
    {"Haraka-512", "C reference, 4 at a time", batch512_4, 4},
    {"Haraka-512", "C reference, 8 at a time", batch512_8, 8},
    {"Haraka-256", "C reference, 4 at a time", batch256_4, 4},
    {"Haraka-256", "C reference, 8 at a time", batch256_8, 8},
};
static const int sizes[] = {4, 8, 16, 32, 64, 1024};

// Calls `with` for each case, until one says that it was the one.
static int each(int (*with)(int kind, int batch, const char *id, const char *wanted, uint64_t times), const char *wanted,
                uint64_t times) {
  char id[128];
  for (int kind = 0; kind < (int)(sizeof kinds / sizeof *kinds); kind++) {
    if (kinds[kind].width == 0) {
      snprintf(id, sizeof id, "%s/%s", kinds[kind].group, kinds[kind].by);
      if (with(kind, 0, id, wanted, times))
        return 1;
      continue;
    }
    for (int i = 0; i < (int)(sizeof sizes / sizeof *sizes); i++) {
      if (sizes[i] % kinds[kind].width != 0)
        continue;
      snprintf(id, sizeof id, "%s/batch of %d/%s", kinds[kind].group, sizes[i], kinds[kind].by);
      if (with(kind, sizes[i], id, wanted, times))
        return 1;
    }
  }
  return 0;
}

static int list(int kind, int batch, const char *id, const char *wanted, uint64_t times) {
  printf("%d %s\n", batch == 0 ? MANY : BATCHES * batch, id);
  return 0;
}

static int run(int kind, int batch, const char *id, const char *wanted, uint64_t times) {
  if (strcmp(id, wanted) != 0)
    return 0;
  struct timespec start, end;
  clock_gettime(CLOCK_MONOTONIC, &start);
  for (uint64_t i = 0; i < times; i++) {
    kinds[kind].run(batch);
    __asm__ volatile("" ::: "memory");
  }
  clock_gettime(CLOCK_MONOTONIC, &end);
  printf("%" PRId64 "\n", (int64_t)(end.tv_sec - start.tv_sec) * 1000000000 + (end.tv_nsec - start.tv_nsec));
  fflush(stdout);
  return 1;
}

// The hashes of the paper's appendix, by each function.
static void check(hash *function, int bytes, int width, const unsigned char *expected) {
  for (int i = 0; i < bytes * width; i++)
    messages[i] = i % bytes;
  function(hashes, messages);
  for (int i = 0; i < width; i++) {
    if (memcmp(hashes + 32 * i, expected, 8) != 0) {
      fprintf(stderr, "a wrong hash of %d bytes, %d at a time\n", bytes, width);
      exit(1);
    }
  }
}

int main(int count, char **arguments) {
  static const unsigned char of64[8] = {0xbe, 0x7f, 0x72, 0x3b, 0x4e, 0x80, 0xa9, 0x98};
  static const unsigned char of32[8] = {0x80, 0x27, 0xcc, 0xb8, 0x79, 0x49, 0x77, 0x4b};
  load_constants();
  check(haraka512, 64, 1, of64);
  check(haraka512_4x, 64, 4, of64);
  check(haraka512_8x, 64, 8, of64);
  check(haraka256, 32, 1, of32);
  check(haraka256_4x, 32, 4, of32);
  check(haraka256_8x, 32, 8, of32);
  if (count > 1 && strcmp(arguments[1], "list") == 0) {
    each(list, "", 0);
    return 0;
  }
  char line[256];
  while (fgets(line, sizeof line, stdin)) {
    char *id;
    uint64_t times = strtoull(line, &id, 10);
    id[strcspn(id, "\n")] = 0;
    if (!each(run, id + 1, times)) {
      fprintf(stderr, "no case %s\n", id + 1);
      return 1;
    }
  }
}
