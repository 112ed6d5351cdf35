#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    float score;
    int64_t point;
} Found;

static int less(Found a, Found b)
{
    return a.score < b.score || (a.score == b.score && a.point < b.point);
}

static void up(Found *heap, int64_t at, Found item)
{
    while (at > 0 && less(item, heap[(at - 1) / 2])) {
        heap[at] = heap[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    heap[at] = item;
}

static void down(Found *heap, int64_t count, Found item)
{
    int64_t at = 0;
    for (;;) {
        int64_t child = 2 * at + 1;
        if (child >= count)
            break;
        if (child + 1 < count && less(heap[child + 1], heap[child]))
            child++;
        if (!less(heap[child], item))
            break;
        heap[at] = heap[child];
        at = child;
    }
    heap[at] = item;
}

static Found pop(Found *heap, int64_t *count)
{
    Found top = heap[0];
    --*count;
    down(heap, *count, heap[*count]);
    return top;
}

static float product(int64_t length, const float *a, const float *b)
{
    float total = 0.0f;
    for (int64_t d = 0; d < length; d++)
        total += a[d] * b[d];
    return total;
}

/* result is full of -1. */
void search(int64_t n, int64_t length, int64_t degree, int64_t count_of_queries, const float *points, const int64_t *links,
            const float *queries, int64_t width, int64_t count, int64_t *restrict result)
{
    Found *best = malloc((width + 1) * sizeof *best), *open = malloc((n + 1) * sizeof *open);
    int64_t *seen = malloc(n * sizeof *seen);
    memset(seen, -1, n * sizeof *seen);
    for (int64_t q = 0; q < count_of_queries; q++) {
        const float *query = queries + q * length;
        float score = product(length, points, query);
        int64_t found = 1, waiting = 1;
        best[0] = (Found){score, 0};
        open[0] = (Found){-score, 0};
        seen[0] = q;
        while (waiting > 0) {
            Found next = pop(open, &waiting);
            if (found == width && -next.score < best[0].score)
                break;
            for (int64_t k = 0; k < degree; k++) {
                int64_t u = links[next.point * degree + k];
                if (seen[u] == q)
                    continue;
                seen[u] = q;
                score = product(length, points + u * length, query);
                if (found < width) {
                    up(best, found++, (Found){score, u});
                    up(open, waiting++, (Found){-score, u});
                } else if (score > best[0].score) {
                    down(best, found, (Found){score, u});
                    up(open, waiting++, (Found){-score, u});
                }
            }
        }
        while (found > count)
            pop(best, &found);
        for (int64_t place = found - 1; place >= 0; place--)
            result[q * count + place] = pop(best, &found).point;
    }
    free(best);
    free(open);
    free(seen);
}
