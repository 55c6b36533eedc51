package compare

import "parley/session/model"

// pairAgents pairs agents by their names, then by their order.
func pairAgents(first, second []*model.Agent) []pair {
	name := func(all []*model.Agent) (out []string) {
		for _, a := range all {
			out = append(out, normal(a.CardName()))
		}
		return out
	}
	a, b := name(first), name(second)
	taken, of := make([]bool, len(b)), make([]int, len(a))
	byName := map[string][]int{}
	for j := range b {
		byName[b[j]] = append(byName[b[j]], j)
	}
	for i := range a {
		of[i] = -1
		if free := byName[a[i]]; len(free) > 0 {
			of[i], byName[a[i]] = free[0], free[1:]
			taken[free[0]] = true
		}
	}
	rest := 0
	next := func() int {
		for rest < len(b) && taken[rest] {
			rest++
		}
		if rest == len(b) {
			return -1
		}
		taken[rest] = true
		return rest
	}
	var pairs []pair
	for i := range a {
		if of[i] < 0 {
			of[i] = next()
		}
		pairs = append(pairs, pair{i, of[i]})
	}
	for j := next(); j >= 0; j = next() {
		pairs = append(pairs, pair{-1, j})
	}
	return pairs
}
