package problem

import (
	"slices"
	"strings"

	"parley/a2a"
)

// taskOps are the operations on a task, as a sentence names them. A poll is a get, and whoever resubscribes
// asks for a subscription.
var taskOps = map[a2a.Op]string{a2a.OpGet: "get", a2a.OpSubscribe: "subscription", a2a.OpCancel: "cancel"}

// OnTask reports whether an operation is one on a task that is there already.
func OnTask(op a2a.Op) bool { return taskOps[op] != "" }

// opPrefix is the beginning of a sentence about operations on a task.
func opPrefix(ops []a2a.Op) string {
	if len(ops) == 0 {
		return ""
	}
	var words []string
	for _, op := range ops {
		words = append(words, taskOps[op])
	}
	prefix := JoinWords(words) + ": "
	return strings.ToUpper(prefix[:1]) + prefix[1:]
}

// Bare returns the sentence without the operations that failed.
func (pr *Problem) Bare() string { return strings.TrimPrefix(pr.Sentence, opPrefix(pr.Ops)) }

// Of returns a copy of the problem whose sentence begins with the operations on a task that failed so.
func (pr *Problem) Of(ops []a2a.Op) *Problem {
	other := *pr
	other.Ops, other.Sentence = ops, opPrefix(ops)+pr.Bare()
	return &other
}

// And returns the problem as that of more operations. One of a message, which stands for all of its turn, stays
// as it is.
func (pr *Problem) And(ops []a2a.Op) *Problem {
	all := slices.Clone(pr.Ops)
	for _, op := range ops {
		if !slices.Contains(all, op) {
			all = append(all, op)
		}
	}
	if len(pr.Ops) == 0 || len(all) == len(pr.Ops) {
		return pr
	}
	return pr.Of(all)
}
