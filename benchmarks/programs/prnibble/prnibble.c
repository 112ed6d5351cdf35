#include <stdint.h>
#include <stdlib.h>

/* rank starts as zeros. */
void push(int64_t n, const int32_t *begin, const int32_t *neighbour, int64_t seed, double alpha, double eps,
          double *restrict rank)
{
    double *rest = calloc(n, sizeof *rest);
    char *queued = calloc(n, 1);
    int64_t *queue = malloc(n * sizeof *queue);
    int64_t first = 0, count = 1;
    rest[seed] = 1.0;
    queue[0] = seed;
    queued[seed] = 1;
    while (count > 0) {
        int64_t u = queue[first];
        if (++first == n)
            first = 0;
        count--;
        queued[u] = 0;
        int32_t degree = begin[u + 1] - begin[u];
        double moved = rest[u], given = 0.5 * (1.0 - alpha) * moved / degree;
        rank[u] += alpha * moved;
        rest[u] = 0.5 * (1.0 - alpha) * moved;
        for (int32_t k = begin[u]; k < begin[u + 1]; k++) {
            int64_t v = neighbour[k];
            rest[v] += given;
            if (!queued[v] && rest[v] >= eps * (begin[v + 1] - begin[v])) {
                queued[v] = 1;
                int64_t last = first + count++;
                queue[last >= n ? last - n : last] = v;
            }
        }
        if (!queued[u] && rest[u] >= eps * degree) {
            queued[u] = 1;
            int64_t last = first + count++;
            queue[last >= n ? last - n : last] = u;
        }
    }
    free(rest);
    free(queued);
    free(queue);
}

/* rank starts as zeros. */
void fronts(int64_t n, const int32_t *begin, const int32_t *neighbour, int64_t seed, double alpha, double eps,
            double *restrict rank)
{
    double *restrict rest = calloc(n, sizeof *rest), *restrict given = malloc(n * sizeof *given);
    int64_t *restrict front = malloc(n * sizeof *front);
    int64_t count = 1;
    rest[seed] = 1.0;
    front[0] = seed;
    while (count > 0) {
        for (int64_t k = 0; k < count; k++) {
            int64_t u = front[k];
            rank[u] += alpha * rest[u];
            given[k] = 0.5 * (1.0 - alpha) * rest[u];
        }
        for (int64_t k = 0; k < count; k++)
            rest[front[k]] = given[k];
        for (int64_t k = 0; k < count; k++) {
            int64_t u = front[k];
            double share = given[k] / (begin[u + 1] - begin[u]);
            for (int32_t q = begin[u]; q < begin[u + 1]; q++)
                rest[neighbour[q]] += share;
        }
        count = 0;
        for (int64_t v = 0; v < n; v++) {
            int32_t degree = begin[v + 1] - begin[v];
            if (rest[v] >= eps * (degree > 1 ? degree : 1))
                front[count++] = v;
        }
    }
    free(rest);
    free(given);
    free(front);
}
