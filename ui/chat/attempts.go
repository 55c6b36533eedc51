package chat

import (
	"strconv"
	"strings"

	"parley/a2a"
	"parley/ui/styles"
)

// attemptLines shows the addresses that were tried for the card, each with what came of it. What several have in common
// is said once, below all of them.
func (p *Pane) attemptLines() (lines []string) {
	k := p.renderer
	for _, same := range alike(p.agent.Attempts) {
		lines = append(lines, "")
		for _, a := range same {
			lines = append(lines, indent(2, k.text(k.st.Dim, a.URL, p.w-2))...)
		}
		words := same[0].Sentence
		if words == p.agent.Problem {
			continue
		}
		if n := len(same); n > 1 {
			words = k.st.G[styles.Times] + strconv.Itoa(n) + " " + words
		}
		lines = append(lines, indent(2, k.text(k.st.Faint, words, p.w-2))...)
	}
	return lines
}

// alike groups attempts that came to the same but for their addresses, and leaves out those that say nothing.
func alike(all []a2a.Lookup) (groups [][]a2a.Lookup) {
	type kind struct {
		status         int
		class, probe   string
		withoutAddress string
	}
	at := map[kind]int{}
	for _, a := range all {
		if a.Sentence == "" {
			continue
		}
		of := kind{a.Status, a.Class, a.Probe, strings.ReplaceAll(a.Sentence, a.URL, "")}
		i, ok := at[of]
		if !ok {
			i, groups = len(groups), append(groups, nil)
			at[of] = i
		}
		groups[i] = append(groups[i], a)
	}
	return groups
}
