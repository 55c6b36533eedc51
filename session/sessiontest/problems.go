package sessiontest

import (
	"strings"

	"parley/session/model"
	"parley/session/problem"
)

// Problems returns the problems in a turn.
func Problems(turn *model.Turn) []*problem.Problem {
	var list []*problem.Problem
	for _, b := range turn.Blocks {
		for _, e := range b.Entries {
			if e.Kind == model.EntryProblem {
				list = append(list, e.Problem)
			}
		}
	}
	return list
}

// Sentences returns the sentences of the problems in a turn.
func Sentences(t *model.Turn) string {
	var list []string
	for _, pr := range Problems(t) {
		list = append(list, pr.Sentence)
	}
	return strings.Join(list, "\n")
}
