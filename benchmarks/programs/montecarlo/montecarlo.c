#include <math.h>
#include <stdint.h>

/* The Mersenne Twister MT19937 of Matsumoto and Nishimura (ACM TOMACS 8, 1998), in the order in which NumPy draws. */
enum { LENGTH = 624, APART = 397 };

typedef struct {
    uint32_t word[LENGTH];
    int at, has_next;
    double next;
} Stream;

static void start_stream(Stream *s, uint32_t seed)
{
    for (int i = 0; i < LENGTH; i++) {
        s->word[i] = seed;
        seed = 1812433253u * (seed ^ seed >> 30) + i + 1;
    }
    s->at = LENGTH;
    s->has_next = 0;
}

static uint32_t mixed(uint32_t high, uint32_t low)
{
    uint32_t y = (high & 0x80000000u) | (low & 0x7fffffffu);
    return y >> 1 ^ (-(low & 1u) & 0x9908b0dfu);
}

static void refill(Stream *s)
{
    uint32_t *w = s->word;
    int i = 0;
    for (; i < LENGTH - APART; i++)
        w[i] = w[i + APART] ^ mixed(w[i], w[i + 1]);
    for (; i < LENGTH - 1; i++)
        w[i] = w[i + APART - LENGTH] ^ mixed(w[i], w[i + 1]);
    w[i] = w[APART - 1] ^ mixed(w[i], w[0]);
    s->at = 0;
}

static uint32_t bits(Stream *s)
{
    if (s->at == LENGTH)
        refill(s);
    uint32_t y = s->word[s->at++];
    y ^= y >> 11;
    y ^= y << 7 & 0x9d2c5680u;
    y ^= y << 15 & 0xefc60000u;
    return y ^ y >> 18;
}

static double uniform(Stream *s)
{
    int32_t a = bits(s) >> 5, b = bits(s) >> 6;
    return (a * 67108864.0 + b) / 9007199254740992.0;
}

static double normal(Stream *s)
{
    if (s->has_next) {
        s->has_next = 0;
        return s->next;
    }
    double x, y, square;
    do {
        x = 2.0 * uniform(s) - 1.0;
        y = 2.0 * uniform(s) - 1.0;
        square = x * x + y * y;
    } while (square >= 1.0 || square == 0.0);
    double f = sqrt(-2.0 * log(square) / square);
    s->next = f * x;
    s->has_next = 1;
    return f * y;
}

void circle(int64_t points, int64_t seed, double *result)
{
    Stream s;
    start_stream(&s, seed);
    int64_t inside = 0;
    for (int64_t i = 0; i < points; i++) {
        double x = uniform(&s), y = uniform(&s);
        inside += x * x + y * y < 1.0;
    }
    *result = 4.0 * inside / points;
}

void option(int64_t paths, int64_t steps, double start, double strike, double rate, double risk, int64_t seed,
            double *result)
{
    Stream s;
    start_stream(&s, seed);
    double dt = 1.0 / steps, drift = (rate - 0.5 * risk * risk) * dt, spread = risk * sqrt(dt), total = 0.0;
    for (int64_t i = 0; i < paths; i++) {
        double price = start, mean = 0.0;
        for (int64_t k = 0; k < steps; k++) {
            price *= exp(drift + spread * normal(&s));
            mean += price;
        }
        total += fmax(mean / steps - strike, 0.0);
    }
    *result = exp(-rate) * total / paths;
}
