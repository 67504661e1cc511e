#include "entry.h"

#include <cstring>

namespace ttkit {

static bool matches(const Entry &entry, const uint64_t *words, int count) {
  return entry.words.size() == static_cast<size_t>(count) &&
         memcmp(entry.words.data(), words, count * sizeof(uint64_t)) == 0;
}

uint64_t Table::hash(const uint64_t *words, int count) {
  uint64_t value = 0x9E3779B97F4A7C15u;
  for (int index = 0; index < count; ++index) {
    value = (value ^ words[index]) * 0xD6E8FEB86659FD93u;
    value ^= value >> 32;
  }
  return value;
}

int Table::numberOf(const uint64_t *words, int count) const {
  if (last >= 0 && matches(*entries[last], words, count)) // mostly, a kernel is launched as it was before
    return last;
  if (slots.empty())
    return -1;
  const size_t mask = slots.size() - 1;
  for (size_t index = hash(words, count) & mask; slots[index] >= 0; index = (index + 1) & mask)
    if (matches(*entries[slots[index]], words, count))
      return last = slots[index];
  return -1;
}

std::shared_ptr<Entry> Table::find(const uint64_t *words, int count) const {
  const int number = numberOf(words, count);
  return number < 0 ? nullptr : entries[number];
}

void Table::insert(int number) {
  const Entry &entry = *entries[number];
  const size_t mask = slots.size() - 1;
  size_t index = hash(entry.words.data(), static_cast<int>(entry.words.size())) & mask;
  while (slots[index] >= 0)
    index = (index + 1) & mask;
  slots[index] = number;
}

void Table::add(std::shared_ptr<Entry> entry) {
  const int known = numberOf(entry->words.data(), static_cast<int>(entry->words.size()));
  if (known >= 0) {
    entries[known].swap(entry);
    return;
  }
  entries.push_back(std::move(entry));
  if (slots.size() >= 2 * entries.size()) {
    insert(static_cast<int>(entries.size()) - 1);
    return;
  }
  slots.assign(slots.empty() ? 8 : 2 * slots.size(), -1);
  for (size_t number = 0; number < entries.size(); ++number)
    insert(static_cast<int>(number));
}

void Table::clear() {
  last = -1;
  slots.clear();
  std::vector<std::shared_ptr<Entry>> old;
  old.swap(entries); // dropping a reference may run Python, which may come back here
}

} // namespace ttkit
