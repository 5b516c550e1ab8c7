// kikazu ROWS COLUMNS HAND: count the ways to place the pieces of a hand, for example
// `kikazu 9 9 2R4G`, on an empty board so that none attacks another. It is the search of
// 松元隆二, 利かずの駒並べの全解探索 (2014): one kind of piece after another, in the study's order,
// equal pieces on increasing squares.

#include <bit>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "layers.hpp"

using Squares = unsigned __int128;

static std::vector<char> pieces;
static std::vector<std::vector<Squares>> reach(128);
static int squares;

static int number_of(Squares set) {
    return std::popcount(static_cast<std::uint64_t>(set)) +
           std::popcount(static_cast<std::uint64_t>(set >> 64));
}

static std::uint64_t place(std::size_t at, int first, Squares taken, Squares attacked) {
    if (at == pieces.size()) return 1;
    const Squares all = (Squares{1} << squares) - 1;
    if (number_of(all & ~taken & ~attacked) < static_cast<int>(pieces.size() - at)) return 0;
    const bool is_alike = at + 1 < pieces.size() && pieces[at + 1] == pieces[at];
    std::uint64_t ways = 0;
    for (int square = first; square < squares; ++square) {
        const Squares here = Squares{1} << square, reached = reach[pieces[at]][square];
        if ((taken | attacked) & here || reached & taken) continue;
        ways += place(at + 1, is_alike ? square + 1 : 0, taken | here, attacked | reached);
    }
    return ways;
}

int main(int, char** arguments) {
    const int rows = std::atoi(arguments[1]), columns = std::atoi(arguments[2]);
    squares = rows * columns;
    const struct { char piece; bool rides; const char* steps; } kinds[] = {
        {'R', true, "u l r d "}, {'B', true, "ulurdldr"}, {'K', false, "u l r d ulurdldr"},
        {'G', false, "u l r d ulur"}, {'S', false, "u ulurdldr"}, {'P', false, "u "},
        {'N', false, "UlUr"}, {'L', true, "u "},
    };
    for (const auto& kind : kinds) {
        // Of the hand `2R4G`, a number before a letter says how many there are.
        const char* found = std::strchr(arguments[3], kind.piece);
        if (!found) continue;
        const char* digits = found;
        while (digits > arguments[3] && digits[-1] >= '0' && digits[-1] <= '9') --digits;
        pieces.insert(pieces.end(), digits == found ? 1 : std::atoi(digits), kind.piece);
        // Squares are numbered from the player's own side forward.
        for (int square = 0; square < squares; ++square) {
            Squares reached = 0;
            for (const char* step = kind.steps; *step; step += 2) {
                int up = 0, right = 0;
                for (const char* sign = step; sign < step + 2; ++sign) {
                    up += *sign == 'U' ? 2 : (*sign == 'u') - (*sign == 'd');
                    right += (*sign == 'r') - (*sign == 'l');
                }
                for (int far = 1; far == 1 || (kind.rides && far < 10); ++far) {
                    const int row = square / columns + far * up;
                    const int column = square % columns + far * right;
                    if (0 <= row && row < rows && 0 <= column && column < columns)
                        reached |= Squares{1} << (row * columns + column);
                }
            }
            reach[kind.piece].push_back(reached);
        }
    }
    std::printf("%llu\n", static_cast<unsigned long long>(place(0, 0, 0, 0)));
}
