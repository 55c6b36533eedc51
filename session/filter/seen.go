package filter

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"parley/a2a"
	"parley/session/log"
)

// seen names a set of values.
type seen uint8

const (
	seenNothing seen = iota
	seenMethods
	seenStates
	seenTasks
	seenContexts
	seenAgents
	seenArtifacts
	seenStatuses
	seenRules
	seenKinds
)

const (
	maxSeen     = 200 // values of one kind that are kept, the newest
	maxSeenText = 64  // the longest value that is offered, in bytes
)

// Seen collects values of records for completion: methods, ids, names. It is bounded, and its
// cost is proportional to a record. It belongs to one goroutine.
type Seen struct{ sets [seenKinds]set }

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
	if len(s.list) == maxSeen {
		delete(s.has, s.list[0])
		s.list = slices.Delete(s.list, 0, 1)
	}
	s.has[v] = true
	s.list = append(s.list, v)
}

// printable reports whether a value can be typed and is worth completing.
func printable(v string) bool {
	odd := func(r rune) bool { return !unicode.IsPrint(r) || r == utf8.RuneError }
	return v != "" && len(v) <= maxSeenText && !strings.ContainsFunc(v, odd)
}

// Add adds the values of a record.
func (s *Seen) Add(it *log.Item) {
	r := &it.Record
	if id := agentOf(r); id != 0 {
		s.sets[seenAgents].add(log.IDText(id))
	}
	if r.Kind == a2a.KindRequest {
		what, _, _ := strings.Cut(called(it), " · ")
		s.sets[seenMethods].add(what)
		if r.Call != nil {
			s.sets[seenTasks].add(r.Call.TaskID)
			s.sets[seenContexts].add(r.Call.ContextID)
		}
	}
	if r.Kind == a2a.KindHead && r.Head != nil {
		s.sets[seenStatuses].add(strconv.Itoa(r.Head.Status))
	}
	s.sets[seenArtifacts].add(it.Artifact)
	for i := range it.Findings {
		s.sets[seenRules].add(it.Findings[i].Rule)
	}
	for i := range it.Update.Events {
		s.event(&it.Update.Events[i], it.Artifact != "")
	}
}

// event adds the names in an event; named is whether its artifact has a name that the event
// lacks.
func (s *Seen) event(ev *a2a.Event, named bool) {
	s.sets[seenTasks].add(ev.TaskID)
	s.sets[seenContexts].add(ev.ContextID)
	if a := ev.Artifact; a != nil && a.Name != "" {
		s.sets[seenArtifacts].add(a.Name)
	} else if a != nil && !named {
		s.sets[seenArtifacts].add(a.Key)
	}
	for i := range min(len(ev.Tasks), maxSeen) {
		s.sets[seenTasks].add(ev.Tasks[i].ID)
		s.sets[seenContexts].add(ev.Tasks[i].ContextID)
	}
	if ev.Status != nil {
		s.status(ev.Status)
	}
	if ev.Task != nil {
		s.sets[seenTasks].add(ev.Task.ID)
		s.status(&ev.Task.Status)
		for i := range min(len(ev.Task.Artifacts), maxSeen) {
			s.sets[seenArtifacts].add(ev.Task.Artifacts[i].Name)
		}
	}
}

// status adds a state that no dialect defines: the others are known.
func (s *Seen) status(st *a2a.Status) {
	if st.State == a2a.StateOther {
		s.sets[seenStates].add(st.Word)
	}
}

// newest returns the values of a set, the newest first.
func (s *Seen) newest(of seen) []string {
	if s == nil || of == seenNothing {
		return nil
	}
	out := slices.Clone(s.sets[of].list)
	slices.Reverse(out)
	return out
}
