// goishi BOARD: count the solutions of a board of Goishi Hiroi. The rows of the board are divided
// by slashes, and `o` is a stone. A situation is the set of stones left, the last stone picked and
// the direction in which it was reached.

#include <cstdio>
#include <utility>

#include "layers.hpp"

int main(int, char** arguments) {
    std::vector<std::pair<int, int>> stones;
    int row = 0, column = 0;
    for (const char* sign = arguments[1]; *sign; ++sign) {
        if (*sign == '/') { ++row; column = 0; continue; }
        if (*sign == 'o') stones.push_back({row, column});
        ++column;
    }
    const int number = static_cast<int>(stones.size());
    // Stone, direction -> the stones that lie there, from the nearest on.
    std::vector<std::array<std::vector<int>, 4>> ways(number);
    const int down[] = {0, 1, 0, -1}, right[] = {1, 0, -1, 0};
    for (int from = 0; from < number; ++from)
        for (int way = 0; way < 4; ++way)
            for (int far = 1; far < 64; ++far)
                for (int to = 0; to < number; ++to)
                    if (stones[to].first == stones[from].first + far * down[way] &&
                        stones[to].second == stones[from].second + far * right[way])
                        ways[from][way].push_back(to);
    const std::uint64_t all = (std::uint64_t{1} << number) - 1;
    const auto situation = [](std::uint64_t left, int stone, int way) {
        return left << 9 | static_cast<std::uint64_t>(stone << 3 | (way + 1));
    };
    Layer layer;
    for (int first = 0; first < number; ++first)
        layer.add(situation(all & ~(std::uint64_t{1} << first), first, 6), 1);
    for (int picked = 1; picked < number; ++picked) {
        Layer next;
        layer.each([&](std::uint64_t now, const Count& count) {
            const std::uint64_t left = now >> 9;
            const int stone = static_cast<int>(now >> 3 & 63), came = static_cast<int>(now & 7) - 1;
            for (int way = 0; way < 4; ++way) {
                if (came < 4 && way == (came + 2) % 4) continue;
                for (const int to : ways[stone][way])
                    if (left >> to & 1) {
                        next.add(situation(left & ~(std::uint64_t{1} << to), to, way), count);
                        break;
                    }
            }
        });
        layer = std::move(next);
    }
    Count total;
    layer.each([&](std::uint64_t, const Count& count) { total += count; });
    std::puts(total.text().c_str());
}
