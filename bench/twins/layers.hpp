// What the twins share: whole numbers of up to 320 bits, and a layer of situations with their
// numbers of ways.

#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

struct Count {
    std::array<std::uint64_t, 5> words{};

    Count(std::uint64_t small = 0) { words[0] = small; }

    void operator+=(const Count& other) {
        unsigned __int128 carry = 0;
        for (std::size_t at = 0; at < words.size(); ++at) {
            carry += static_cast<unsigned __int128>(words[at]) + other.words[at];
            words[at] = static_cast<std::uint64_t>(carry);
            carry >>= 64;
        }
    }

    std::string text() const {
        Count rest = *this;
        std::string digits;
        while (true) {
            unsigned __int128 left = 0;
            bool is_zero = true;
            for (auto word = rest.words.rbegin(); word != rest.words.rend(); ++word) {
                left = left << 64 | *word;
                *word = static_cast<std::uint64_t>(left / 10);
                left %= 10;
                is_zero = is_zero && *word == 0;
            }
            digits.push_back(static_cast<char>('0' + static_cast<int>(left)));
            if (is_zero) break;
        }
        std::reverse(digits.begin(), digits.end());
        return digits;
    }
};

// A hash table from situations, which are never 0, to the numbers of ways that lead to them.
class Layer {
  public:
    void add(std::uint64_t situation, const Count& ways) {
        if (2 * ++filled > keys.size()) grow();
        insert(situation, ways);
    }

    template <class Visit> void each(Visit visit) const {
        for (std::size_t at = 0; at < keys.size(); ++at)
            if (keys[at]) visit(keys[at], counts[at]);
    }

  private:
    std::vector<std::uint64_t> keys = std::vector<std::uint64_t>(64);
    std::vector<Count> counts = std::vector<Count>(64);
    std::size_t filled = 0;

    void insert(std::uint64_t situation, const Count& ways) {
        std::size_t at = situation * 0x9E3779B97F4A7C15u >> 20 & (keys.size() - 1);
        while (keys[at] && keys[at] != situation) at = (at + 1) & (keys.size() - 1);
        if (keys[at]) --filled;
        keys[at] = situation;
        counts[at] += ways;
    }

    void grow() {
        std::vector<std::uint64_t> old_keys(2 * keys.size());
        std::vector<Count> old_counts(2 * counts.size());
        old_keys.swap(keys);
        old_counts.swap(counts);
        filled = 1;
        for (std::size_t at = 0; at < old_keys.size(); ++at)
            if (old_keys[at]) { ++filled; insert(old_keys[at], old_counts[at]); }
    }
};
