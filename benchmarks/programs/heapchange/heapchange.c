#include <stdint.h>
#include <stdlib.h>

typedef struct {
    double cost;
    int64_t at, stamp;
} Pair;

static int before(Pair a, Pair b)
{
    return a.cost < b.cost || (a.cost == b.cost && (a.at < b.at || (a.at == b.at && a.stamp < b.stamp)));
}

static void pair_down(Pair *heap, int64_t count, int64_t at, Pair item)
{
    for (;;) {
        int64_t child = 2 * at + 1;
        if (child >= count)
            break;
        if (child + 1 < count && before(heap[child + 1], heap[child]))
            child++;
        if (!before(heap[child], item))
            break;
        heap[at] = heap[child];
        at = child;
    }
    heap[at] = item;
}

static void pair_up(Pair *heap, int64_t at, Pair item)
{
    while (at > 0 && before(item, heap[(at - 1) / 2])) {
        heap[at] = heap[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    heap[at] = item;
}

int64_t merge(int64_t n, const double *series, int64_t segments, int64_t *restrict result)
{
    double *total = malloc(n * sizeof *total);
    int64_t *size = malloc(n * sizeof *size), *front = malloc(n * sizeof *front), *behind = malloc(n * sizeof *behind);
    int64_t *stamp = calloc(n, sizeof *stamp);
    Pair *heap = malloc(3 * n * sizeof *heap);
    int64_t count = n - 1, left = n;
    for (int64_t i = 0; i < n; i++) {
        total[i] = series[i];
        size[i] = 1;
        front[i] = i - 1;
        behind[i] = i + 1;
    }
    for (int64_t i = 0; i + 1 < n; i++) {
        double step = series[i + 1] - series[i];
        heap[i] = (Pair){0.5 * step * step, i, 0};
    }
    for (int64_t i = count / 2 - 1; i >= 0; i--)
        pair_down(heap, count, i, heap[i]);
    while (left > segments) {
        Pair top = heap[0];
        count--;
        pair_down(heap, count, 0, heap[count]);
        int64_t i = top.at;
        if (stamp[i] != top.stamp)
            continue;
        int64_t j = behind[i];
        total[i] += total[j];
        size[i] += size[j];
        behind[i] = behind[j];
        if (behind[i] < n)
            front[behind[i]] = i;
        stamp[j] = -1;
        left--;
        stamp[i]++;
        if (behind[i] < n) {
            int64_t k = behind[i];
            double step = total[k] / size[k] - total[i] / size[i];
            pair_up(heap, count++, (Pair){step * step * size[i] * size[k] / (size[i] + size[k]), i, stamp[i]});
        }
        if (front[i] >= 0) {
            int64_t k = front[i];
            stamp[k]++;
            double step = total[i] / size[i] - total[k] / size[k];
            pair_up(heap, count++, (Pair){step * step * size[i] * size[k] / (size[i] + size[k]), k, stamp[k]});
        }
    }
    int64_t found = 0;
    for (int64_t i = 0; i < n; i++)
        if (stamp[i] >= 0)
            result[found++] = i;
    free(total);
    free(size);
    free(front);
    free(behind);
    free(stamp);
    free(heap);
    return found;
}

static void push(double *heap, int64_t *count, double item)
{
    int64_t at = (*count)++;
    while (at > 0 && item < heap[(at - 1) / 2]) {
        heap[at] = heap[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    heap[at] = item;
}

static double pop(double *heap, int64_t *count)
{
    double top = heap[0], item = heap[--*count];
    int64_t at = 0;
    for (;;) {
        int64_t child = 2 * at + 1;
        if (child >= *count)
            break;
        if (child + 1 < *count && heap[child + 1] < heap[child])
            child++;
        if (!(heap[child] < item))
            break;
        heap[at] = heap[child];
        at = child;
    }
    heap[at] = item;
    return top;
}

static void medians(int64_t n, const double *series, int64_t stride, double *restrict result)
{
    double *low = malloc((n + 2) * sizeof *low), *high = malloc((n + 2) * sizeof *high);
    int64_t lows = 0, highs = 0;
    for (int64_t t = 0; t < n; t++) {
        double x = series[t * stride];
        if (t == 0 || x <= -low[0])
            push(low, &lows, -x);
        else
            push(high, &highs, x);
        if (lows > highs + 1)
            push(high, &highs, -pop(low, &lows));
        else if (highs > lows)
            push(low, &lows, -pop(high, &highs));
        result[t] = lows > highs ? -low[0] : 0.5 * (high[0] - low[0]);
    }
    free(low);
    free(high);
}

int64_t divide(int64_t n, const double *series, int64_t least, double *restrict gain_found)
{
    double *before_point = malloc(n * sizeof *before_point), *behind = malloc(n * sizeof *behind);
    medians(n, series, 1, before_point);
    medians(n, series + n - 1, -1, behind);
    double best = -1.0;
    int64_t at = 0;
    for (int64_t t = least; t <= n - least; t++) {
        double step = before_point[t - 1] - behind[n - t - 1];
        double gain = (double)(t * (n - t)) / n * step * step;
        if (gain > best) {
            best = gain;
            at = t;
        }
    }
    *gain_found = best;
    free(before_point);
    free(behind);
    return at;
}
