#include <stdint.h>
#include <stdlib.h>
#include <string.h>

void pagerank(int64_t pages, const int32_t *begin, const int32_t *target, double damping, int64_t steps,
              double *restrict rank)
{
    double *restrict new = malloc(pages * sizeof *new);
    for (int64_t i = 0; i < pages; i++)
        rank[i] = 1.0 / pages;
    for (int64_t step = 0; step < steps; step++) {
        double lost = 0.0;
        memset(new, 0, pages * sizeof *new);
        for (int64_t i = 0; i < pages; i++) {
            int32_t links = begin[i + 1] - begin[i];
            if (links == 0) {
                lost += rank[i];
            } else {
                double given = rank[i] / links;
                for (int32_t k = begin[i]; k < begin[i + 1]; k++)
                    new[target[k]] += given;
            }
        }
        double rest = (1.0 - damping + damping * lost) / pages;
        for (int64_t i = 0; i < pages; i++)
            rank[i] = damping * new[i] + rest;
    }
    free(new);
}
