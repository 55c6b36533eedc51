package lint

// A recent map remembers only the newest entries, so that an agent cannot make it grow without
// limit. The zero value with max set is empty and ready for use.
type recent[K comparable, V any] struct {
	max     int
	entries map[K]entry[V]
	turns   []turn[K] // in the order of put, some of removed entries
	puts    uint64
}

type entry[V any] struct {
	value V
	put   uint64
}

// A turn identifies the put of a key, for removal in order.
type turn[K comparable] struct {
	key K
	put uint64
}

func (m *recent[K, V]) get(key K) (V, bool) {
	e, ok := m.entries[key]
	return e.value, ok
}

// put stores a value, and removes the oldest key if there are too many. A known key keeps its
// turn.
func (m *recent[K, V]) put(key K, value V) {
	if m.entries == nil {
		m.entries = map[K]entry[V]{}
	}
	if e, known := m.entries[key]; known {
		m.entries[key] = entry[V]{value, e.put}
		return
	}
	if len(m.entries) >= m.max {
		m.forget()
	}
	m.puts++
	m.entries[key] = entry[V]{value, m.puts}
	m.turns = append(m.turns, turn[K]{key, m.puts})
	if len(m.turns) > 2*m.max {
		m.compact()
	}
}

// drop removes a key at once.
func (m *recent[K, V]) drop(key K) { delete(m.entries, key) }

// forget removes the oldest entry.
func (m *recent[K, V]) forget() {
	for len(m.turns) > 0 {
		t := m.turns[0]
		m.turns = m.turns[1:]
		if m.has(t) {
			delete(m.entries, t.key)
			return
		}
	}
}

// compact removes the turns of removed entries, which are at least half of all.
func (m *recent[K, V]) compact() {
	live := make([]turn[K], 0, m.max+1)
	for _, t := range m.turns {
		if m.has(t) {
			live = append(live, t)
		}
	}
	m.turns = live
}

func (m *recent[K, V]) has(t turn[K]) bool {
	e, ok := m.entries[t.key]
	return ok && e.put == t.put
}
