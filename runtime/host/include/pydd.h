/* Kernels of pydd in C: what the headers that `pyddc --host` makes have in common, and what a program can ask of libpydd.
 *
 * A function of a kernel module gives PYDD_OK (0), or the kind of the exception that it raised; pydd_last_error() then tells the rest, and
 * results are as they were. Arrays are passed as they lie, without a copy, with any strides. An array that comes back may have an owner: give
 * it back by pydd_release(array.owner), once. A result without an owner (NULL) is a view of an argument's memory that the caller owns.
 *
 * Functions may be called from several threads at once, as long as no two of these calls write to the same memory.
 */
#ifndef PYDD_H
#define PYDD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Complex numbers, in C and in C++; they lie alike. */
#ifdef __cplusplus
#include <complex>
typedef std::complex<float> pydd_complex64;
typedef std::complex<double> pydd_complex128;
#else
typedef float _Complex pydd_complex64;
typedef double _Complex pydd_complex128;
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* What a call gives: nothing, or the kind of an exception. A class that the module itself defines is PYDD_OWN_EXCEPTION or more; its name
 * is in pydd_error. */
enum pydd_kind {
    PYDD_OK = 0,
    PYDD_RUNTIME_ERROR = 1,
    PYDD_INDEX_ERROR = 2,
    PYDD_VALUE_ERROR = 3,
    PYDD_TYPE_ERROR = 4,
    PYDD_ZERO_DIVISION_ERROR = 5,
    PYDD_OVERFLOW_ERROR = 6,
    PYDD_MEMORY_ERROR = 7,
    PYDD_RECURSION_ERROR = 8,
    PYDD_ASSERTION_ERROR = 9,
    PYDD_UNBOUND_LOCAL_ERROR = 10,
    PYDD_KEY_ERROR = 11,
    PYDD_NOT_IMPLEMENTED_ERROR = 12,
    PYDD_ARITHMETIC_ERROR = 13,
    PYDD_FLOATING_POINT_ERROR = 14,
    PYDD_LOOKUP_ERROR = 15,
    PYDD_STOP_ITERATION = 16,
    PYDD_KEYBOARD_INTERRUPT = 17,
    PYDD_SYSTEM_ERROR = 18,
    PYDD_EXCEPTION = 19,
    /* The module cannot run here: made for another processor, or for another libpydd. */
    PYDD_IMPORT_ERROR = 20,
    PYDD_OS_ERROR = 21,
    PYDD_LIN_ALG_ERROR = 22,
    PYDD_OWN_EXCEPTION = 0x10000
};

typedef struct pydd_error {
    int32_t kind;
    /* Counted from 1; 0 where the error is not in a line of the source. */
    int32_t line;
    int32_t column;
    /* The exception class, "IndexError". Strings are UTF-8, and empty rather than NULL. */
    const char *name;
    const char *message;
    /* The source file, as pyddc was given it. */
    const char *file;
    const char *function;
    /* All of it in a line: "norms.pydd:7: IndexError: index 3 is out of bounds for axis 0 with size 3, in norms()". */
    const char *text;
} pydd_error;

/* The calling thread's last error, which lives until its next one; NULL where there was none. */
const pydd_error *pydd_last_error(void);

/* Gives back what a result owns; NULL is allowed. */
void pydd_release(void *owner);
/* Keeps what a result owns for one pydd_release() more; NULL is allowed. */
void pydd_retain(void *owner);

/* Threads of parallel loops, the calling one included: PYDD_NUM_THREADS, or the processors available. They are shared by all kernels. */
int32_t pydd_num_threads(void);
void pydd_set_num_threads(int32_t n);

/* Sets a function that calls which take long ask whether to stop, at most every 50 ms, on the thread that called the kernel: where it
 * gives something else than 0 the call fails with PYDD_KEYBOARD_INTERRUPT. NULL, as in the beginning: they run to their end. Kernels
 * install no signal handlers. */
void pydd_set_stop(int (*stop)(void *data), void *data);

/* Sets a function that gets what kernels print, UTF-8 without a zero at its end, on any thread. NULL, as in the beginning: stdout does. */
void pydd_set_output(void (*write)(const char *text, size_t length, void *data), void *data);

/* What follows is for the headers that pyddc makes. */

typedef struct pydd_module pydd_module;

int32_t pydd_call(const pydd_module *module, uint32_t function, const uint64_t *args, uint64_t *results);

static inline uint64_t pydd_word_of_float(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static inline uint64_t pydd_word_of_double(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static inline float pydd_float_of_word(uint64_t word)
{
    uint32_t bits = (uint32_t)word;
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline double pydd_double_of_word(uint64_t word)
{
    double value;
    memcpy(&value, &word, sizeof value);
    return value;
}

static inline void pydd_put_complex64(uint64_t *words, pydd_complex64 value)
{
    float parts[2];
    memcpy(parts, &value, sizeof parts);
    words[0] = pydd_word_of_float(parts[0]);
    words[1] = pydd_word_of_float(parts[1]);
}

static inline void pydd_put_complex128(uint64_t *words, pydd_complex128 value)
{
    memcpy(words, &value, sizeof value);
}

static inline pydd_complex64 pydd_take_complex64(const uint64_t *words)
{
    float parts[2];
    pydd_complex64 value;
    parts[0] = pydd_float_of_word(words[0]);
    parts[1] = pydd_float_of_word(words[1]);
    memcpy((void *)&value, parts, sizeof value);
    return value;
}

static inline pydd_complex128 pydd_take_complex128(const uint64_t *words)
{
    pydd_complex128 value;
    memcpy((void *)&value, words, sizeof value);
    return value;
}

static inline void pydd_put_array(uint64_t *words, const void *data, const void *owner, int rank, const int64_t *shape,
                                  const int64_t *strides)
{
    words[0] = (uint64_t)(uintptr_t)data;
    words[1] = (uint64_t)(uintptr_t)owner;
    for (int axis = 0; axis < rank; axis++) {
        words[2 + axis] = (uint64_t)shape[axis];
        words[2 + rank + axis] = (uint64_t)strides[axis];
    }
}

static inline void pydd_take_axes(const uint64_t *words, int rank, int64_t *shape, int64_t *strides)
{
    for (int axis = 0; axis < rank; axis++) {
        shape[axis] = (int64_t)words[2 + axis];
        strides[axis] = (int64_t)words[2 + rank + axis];
    }
}

/* Strides of elements that adjoin in rows. */
static inline void pydd_row_major(int rank, const int64_t *shape, int64_t *strides)
{
    int64_t step = 1;
    for (int axis = rank - 1; axis >= 0; axis--) {
        strides[axis] = step;
        step *= shape[axis] > 1 ? shape[axis] : 1;
    }
}

#ifdef __cplusplus
}
#endif

#endif
