package curl

import (
	"maps"
	"slices"

	"parley/a2a"
)

// Variables returns the environment variables that stand for the secrets of a request in its
// command line, in order.
func Variables(r *a2a.Record) []string {
	v, all := names(r), map[string]bool{}
	for _, name := range v.url {
		all[name] = true
	}
	for _, list := range v.header {
		for _, name := range list {
			all[name] = true
		}
	}
	for _, name := range v.body {
		all[name] = true
	}
	return slices.Sorted(maps.Keys(all))
}
