package card

import (
	"fmt"
	"strconv"
)

// lists compares two lists. Objects are matched by what names them, so that one that is inserted
// does not make all others differ.
func (d *drift) lists(path []string, old, now []any) {
	was, okOld := namedElements(old)
	is, okNow := namedElements(now)
	if !okOld || !okNow {
		if quoted(old) != quoted(now) {
			d.add(path, severity(path, old, now), old, now)
		}
		return
	}
	pairs := pairUp(was, is)
	gone := make([]bool, len(old))
	for i := range gone {
		gone[i] = true
	}
	for j, i := range pairs {
		here := below(path, strconv.Itoa(j))
		if i < 0 {
			d.add(here, severity(here, absent{}, now[j]), absent{}, now[j])
			continue
		}
		gone[i] = false
		d.values(here, old[i], now[j])
	}
	for i := range gone {
		if gone[i] {
			here := below(path, strconv.Itoa(i))
			d.add(here, severity(here, old[i], absent{}), old[i], absent{})
		}
	}
}

// pairUp returns, for each element of a list, which one it was in the old list, -1 for none: the
// one of the same name, else the one at the same place if no other has its name.
func pairUp(was, is []string) []int {
	at := make(map[string]int, len(was))
	for i, name := range was {
		at[name] = i
	}
	stays := make(map[string]bool, len(is))
	for _, name := range is {
		stays[name] = true
	}
	pairs := make([]int, len(is))
	for j, name := range is {
		i, known := at[name]
		switch {
		case known:
		case j < len(was) && !stays[was[j]]:
			i = j
		default:
			i = -1
		}
		pairs[j] = i
	}
	return pairs
}

// namedElements returns a name for each object of a list, the same one never twice. It reports
// false for a list with other elements.
func namedElements(list []any) (names []string, ok bool) {
	seen := make(map[string]int, len(list))
	for _, e := range list {
		object, isObject := e.(map[string]any)
		if !isObject {
			return nil, false
		}
		name := ""
		for _, member := range []string{"id", "uri", "url", "protocolBinding", "protocol_binding", "transport", "name", "schemes"} {
			if v, has := object[member]; has {
				name += member + "=" + quoted(v) + " "
				if member == "id" || member == "uri" {
					break
				}
			}
		}
		if name == "" {
			name = quoted(object)
		}
		seen[name]++
		names = append(names, fmt.Sprint(name, seen[name]))
	}
	return names, true
}
