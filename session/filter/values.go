package filter

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"parley/a2a"
	"parley/session/log"
	"parley/session/task"
)

// A valueKind is the kind of a set of values.
type valueKind uint8

const (
	noValues valueKind = iota
	methodValues
	stateValues
	taskValues
	contextValues
	agentValues
	artifactValues
	statusValues
	ruleValues
	valueKinds
)

const (
	maxValues    = 200 // values of one kind that are kept, the newest
	maxValueText = 64  // the longest value that is offered, in bytes
)

// Values collects values of records for completion: methods, ids, names. It is bounded, and its
// cost is proportional to a record. It belongs to one goroutine.
type Values struct{ sets [valueKinds]set }

// A set holds values in the order in which they came, the newest last.
type set struct {
	has  map[string]bool
	list []string
}

func (s *set) add(v string) {
	if s.has[v] || !printable(v) {
		return
	}
	if s.has == nil {
		s.has = map[string]bool{}
	}
	if len(s.list) == maxValues {
		delete(s.has, s.list[0])
		s.list = slices.Delete(s.list, 0, 1)
	}
	s.has[v] = true
	s.list = append(s.list, v)
}

// printable reports whether a value can be typed and is worth completing.
func printable(v string) bool {
	odd := func(r rune) bool { return !unicode.IsPrint(r) || r == utf8.RuneError }
	return v != "" && len(v) <= maxValueText && !strings.ContainsFunc(v, odd)
}

// Add adds the values of a record.
func (s *Values) Add(it *log.Item) {
	r := &it.Record
	if id := agentOf(r); id != 0 {
		s.sets[agentValues].add(log.IDText(id))
	}
	if r.Kind == a2a.KindRequest {
		what, _, _ := strings.Cut(methodOf(it), " · ")
		s.sets[methodValues].add(what)
		if r.Call != nil {
			s.sets[taskValues].add(r.Call.TaskID)
			s.sets[contextValues].add(r.Call.ContextID)
		}
	}
	if r.Kind == a2a.KindHead && r.Head != nil {
		s.sets[statusValues].add(strconv.Itoa(r.Head.Status))
	}
	s.sets[artifactValues].add(it.Artifact)
	for i := range it.Findings {
		s.sets[ruleValues].add(it.Findings[i].Rule)
	}
	for i := range it.Update.Events {
		s.event(&it.Update.Events[i], it.Artifact != "")
	}
}

// event adds the names in an event; named is whether its artifact has a name that the event
// lacks.
func (s *Values) event(ev *a2a.Event, named bool) {
	s.sets[taskValues].add(ev.TaskID)
	s.sets[contextValues].add(ev.ContextID)
	if a := ev.Artifact; a != nil && a.Name != "" {
		s.sets[artifactValues].add(a.Name)
	} else if a != nil && !named {
		s.sets[artifactValues].add(a.Key)
	}
	for i := range min(len(ev.Tasks), maxValues) {
		s.sets[taskValues].add(ev.Tasks[i].ID)
		s.sets[contextValues].add(ev.Tasks[i].ContextID)
	}
	if st := task.StatusOf(ev); st != nil && st.State == a2a.StateOther {
		s.sets[stateValues].add(st.Word) // the others are known
	}
	if ev.Task != nil {
		s.sets[taskValues].add(ev.Task.ID)
		for i := range min(len(ev.Task.Artifacts), maxValues) {
			s.sets[artifactValues].add(ev.Task.Artifacts[i].Name)
		}
	}
}

// newest returns the values of a set, the newest first.
func (s *Values) newest(of valueKind) []string {
	if s == nil || of == noValues {
		return nil
	}
	out := slices.Clone(s.sets[of].list)
	slices.Reverse(out)
	return out
}
