package a2a

import (
	"iter"
	"maps"
	"slices"
)

// Fields yields the values of the header as names, each with the index of the value among those of
// its name: by name, but fields whose order on the wire is known in this order. A session file may
// name fields in its order that do not exist, or leave some out, which then follow.
func (h *Head) Fields() iter.Seq2[string, int] {
	return func(yield func(string, int) bool) {
		names, seen := slices.Sorted(maps.Keys(h.Header)), map[string]int{}
		for _, name := range h.Order {
			seen[name] = 0
		}
		rest := func(ordered bool) bool {
			for _, name := range names {
				if _, is := seen[name]; is != ordered {
					continue
				}
				for i := seen[name]; i < len(h.Header[name]); i++ {
					if !yield(name, i) {
						return false
					}
				}
			}
			return true
		}
		if !rest(false) {
			return
		}
		for _, name := range h.Order {
			i := seen[name]
			if i >= len(h.Header[name]) {
				continue
			}
			if seen[name]++; !yield(name, i) {
				return
			}
		}
		rest(true)
	}
}
