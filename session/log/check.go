package log

import (
	"strings"

	"parley/a2a"
)

// Unchecked says why the check of a stream was incomplete, in words that follow "not checked:
// ". It is empty for a complete check, for one in progress and for any other exchange.
func (l *Log) Unchecked(x a2a.ExchangeID) string {
	ids := l.Exchange(x)
	if len(ids) == 0 {
		return ""
	}
	first := l.At(ids[0])
	if c := first.Record.Call; c == nil || !c.Check || c.Op != a2a.OpGet {
		return ""
	}
	why := ""
	for _, id := range ids {
		it := l.At(id)
		for i := range it.Findings {
			if f := &it.Findings[i]; f.Unchecked {
				return strings.TrimPrefix(f.Message, a2a.NotCheckedPrefix)
			}
		}
		if it.Update.Err != nil {
			why = "the answer is not readable"
		}
		for i := range it.Update.Events {
			switch it.Update.Events[i].Kind {
			case a2a.EventTask:
				return ""
			case a2a.EventError:
				why = "the agent answered with an error"
			}
		}
		if end := it.Record.End; end != nil {
			return uncheckedEnd(end, why)
		}
	}
	return ""
}

// Differs reports whether the check of a stream found that the task is another than the stream
// brought, unless the rule is muted.
func (l *Log) Differs(x a2a.ExchangeID) bool {
	if l.findings.Muted(a2a.ComparisonRule) {
		return false
	}
	for _, id := range l.Exchange(x) {
		for i, found := 0, l.At(id).Findings; i < len(found); i++ {
			if found[i].Rule == a2a.ComparisonRule && !found[i].Unchecked {
				return true
			}
		}
	}
	return false
}

// uncheckedEnd says why an answer that ended contained no task. Why is the reason in its body.
func uncheckedEnd(end *a2a.End, why string) string {
	switch {
	case end.Class == a2a.ClassLimit:
		why = "the answer exceeds the limit"
	case end.Reason != a2a.Ended:
		why = "the answer is incomplete, " + describeEnd(end)
	case why == "" && end.Class == a2a.ClassStatus:
		why = "the agent answered with an HTTP status"
	case why == "":
		why = "the answer contains no task"
	}
	return why
}
