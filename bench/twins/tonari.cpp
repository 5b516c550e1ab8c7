// tonari SIZE CELL: count the orders that end all black, for example `tonari 6x6 11` with one stone
// in the upper left corner at the start. A situation is the set of points with a stone: the final
// colour of a stone is settled when it is put down.

#include <bit>
#include <cstdio>
#include <utility>

#include "layers.hpp"

int main(int, char** arguments) {
    const int rows = arguments[1][0] - '0', columns = arguments[1][2] - '0';
    const int points = rows * columns;
    std::vector<std::uint64_t> beside(points), around(points);
    for (int one = 0; one < points; ++one)
        for (int other = 0; other < points; ++other) {
            const int down = std::abs(one / columns - other / columns);
            const int right = std::abs(one % columns - other % columns);
            if (down + right == 1) beside[one] |= std::uint64_t{1} << other;
            if (down < 2 && right < 2 && one != other) around[one] |= std::uint64_t{1} << other;
        }
    const int start = (arguments[2][0] - '1') * columns + arguments[2][1] - '1';
    Layer layer;
    if (std::popcount(beside[start]) % 2 == 0) layer.add(std::uint64_t{1} << start, 1);
    for (int stones = 1; stones < points; ++stones) {
        Layer next;
        layer.each([&](std::uint64_t taken, const Count& count) {
            for (int at = 0; at < points; ++at)
                if (!(taken >> at & 1) && taken & around[at] &&
                    std::popcount(beside[at] & ~taken) % 2 == 0)
                    next.add(taken | std::uint64_t{1} << at, count);
        });
        layer = std::move(next);
    }
    Count total;
    layer.each([&](std::uint64_t, const Count& count) { total += count; });
    std::puts(total.text().c_str());
}
