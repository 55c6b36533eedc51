package lint

import "slices"

// A recent map remembers only the newest entries, so that an agent cannot make it grow without
// limit. The zero value with max set is empty and ready for use.
type recent[K comparable, V any] struct {
	max     int
	entries map[K]V
	order   []K // the keys of entries, the oldest first
}

func (m *recent[K, V]) get(key K) (V, bool) {
	v, ok := m.entries[key]
	return v, ok
}

// put stores a value, and removes the oldest key if there are too many. A known key keeps its
// place in the order.
func (m *recent[K, V]) put(key K, value V) {
	if m.entries == nil {
		m.entries = map[K]V{}
	}
	if _, known := m.entries[key]; !known {
		if len(m.order) >= m.max {
			m.drop(m.order[0])
		}
		m.order = append(m.order, key)
	}
	m.entries[key] = value
}

// add stores the value of a key that is not known, and reports whether it did.
func (m *recent[K, V]) add(key K, value V) bool {
	if _, known := m.entries[key]; known {
		return false
	}
	m.put(key, value)
	return true
}

// entryOf returns what a map remembers of a key, which is a new value if the key is not known.
func entryOf[K comparable, V any](m *recent[K, *V], key K) (v *V, known bool) {
	if v, known = m.get(key); !known {
		v = new(V)
		m.put(key, v)
	}
	return v, known
}

// drop removes a key, if it is known.
func (m *recent[K, V]) drop(key K) {
	if _, known := m.entries[key]; !known {
		return
	}
	delete(m.entries, key)
	i := slices.Index(m.order, key)
	if i == 0 {
		m.order = m.order[1:] // the usual case moves nothing
		return
	}
	m.order = slices.Delete(m.order, i, i+1)
}
