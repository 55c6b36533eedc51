package catalog

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"parley/a2a"
	"parley/internal/crash"
	"parley/internal/units"
	"parley/session/check"
	"parley/session/journal"
	"parley/session/log"
	"parley/session/model"
)

const (
	// maxDecoded is the longest file whose tasks and findings are counted, in bytes, unless the
	// options say otherwise.
	maxDecoded = 1 << 30
	// firstRecords is how many records of a longer file are decoded, for what names it.
	firstRecords = 10_000
	// maxPrompt and maxName are how many bytes of a prompt and of a name are kept.
	maxPrompt = 200
	maxName   = 100
	// maxAgents is how many agents are named.
	maxAgents = 20
)

// A Summary is what a session file contains.
type Summary struct {
	Began  time.Time      `json:"began,omitzero"`
	Ended  time.Time      `json:"ended,omitzero"` // the time of the last record
	Agents []string       `json:"agents,omitempty"`
	Prompt string         `json:"prompt,omitempty"` // the first message that the user sent
	Tasks  map[string]int `json:"tasks,omitempty"`  // by the word for their state
	// Outcome is the state of the task that needs most attention, unknown without tasks.
	Outcome a2a.State `json:"outcome,omitempty"`
	// Messages is how many messages were sent, by the user or through a tap.
	Messages int `json:"messages,omitempty"`
	// Embedded says that all agents were those inside Parley, which have ended.
	Embedded bool `json:"embedded,omitempty"`
	// Open are the agents that have a task to go on with, those that wait for the user first.
	Open        []OpenWork `json:"open,omitempty"`
	Records     int        `json:"records,omitempty"`
	Errors      int        `json:"errors,omitempty"`      // findings
	Warnings    int        `json:"warnings,omitempty"`    // findings
	Infos       int        `json:"infos,omitempty"`       // findings
	Interrupted int        `json:"interrupted,omitempty"` // exchanges whose end is not recorded
	// Problem says in one sentence what could not be read, empty if everything was.
	Problem string `json:"problem,omitempty"`
}

// OpenWork is an agent with a task that was not over when the recording ended.
type OpenWork struct {
	Agent string `json:"agent"`
	Waits bool   `json:"waits,omitempty"` // for an answer of the user
}

// Duration returns the time from the first to the last record.
func (s *Summary) Duration() time.Duration {
	if s.Began.IsZero() || s.Ended.Before(s.Began) { // a clock may jump
		return 0
	}
	return s.Ended.Sub(s.Began)
}

// Read reads the files of the sessions that have no summary, several at a time, and passes each
// session on when it has one, from one goroutine at a time, until ctx ends. Then it saves the
// summaries for the next run, if it can.
func (c *Catalog) Read(ctx context.Context, sessions []Session, put func(Session)) {
	todo := make(chan Session)
	var workers sync.WaitGroup
	var one sync.Mutex
	for range min(runtime.GOMAXPROCS(0), 2) { // the screen needs the rest
		workers.Go(func() {
			defer crash.Guard()
			for s := range todo {
				summary := c.summarize(ctx, &s)
				if ctx.Err() != nil {
					continue
				}
				s.Summary = &summary
				c.remember(&s)
				one.Lock()
				put(s)
				one.Unlock()
			}
		})
	}
	for i := range sessions {
		if sessions[i].Summary == nil && ctx.Err() == nil {
			todo <- sessions[i]
		}
	}
	close(todo)
	workers.Wait()
	c.save()
}

// summarize reads one file.
func (c *Catalog) summarize(ctx context.Context, s *Session) (sum Summary) {
	recording, err := journal.Open(s.Path)
	if err != nil {
		why, _, _ := strings.Cut(plain(err).Error(), ";") // what to do instead is known here
		return Summary{Problem: fmt.Sprintf("The file cannot be opened: %s.", why)}
	}
	defer recording.Close()
	recording.Render(c.o.Formats)
	if s.Size > cmp.Or(c.o.MaxDecoded, maxDecoded) {
		return outline(ctx, recording, s.Size)
	}
	state := model.NewState()
	if c.o.Rules != nil {
		stage := check.New(c.o.Rules())
		recording.Prepare(stage)
		state.Follow(stage)
	}
	sum.apply(ctx, recording, state, math.MaxInt)
	sum.add(state)
	return sum
}

// outline summarizes a long file: it decodes the first records alone, and reads the others for
// their number and their times.
func outline(ctx context.Context, recording *journal.Recording, size int64) (sum Summary) {
	state := model.NewState()
	var first Summary
	first.apply(ctx, recording.Again(nil), state, firstRecords)
	sum.add(state)
	sum.Tasks, sum.Outcome, sum.Open, sum.Errors, sum.Warnings, sum.Infos = nil, a2a.StateUnknown, nil, 0, 0, 0
	recording.Again(nil).Outline(ctx, func(r *a2a.Record) { sum.note(&log.Item{Record: *r}) })
	sum.Problem = fmt.Sprintf("The file has %s: its tasks and findings are counted when it is opened.", units.Bytes(size))
	return sum
}

// apply applies a recording to a state, and stops after a number of records.
func (s *Summary) apply(ctx context.Context, recording *journal.Recording, state *model.State, most int) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	problems := 0
	take := func(items []log.Item) {
		for i := range items {
			if state.Log.Len() == most {
				cancel()
				return
			}
			if s.note(&items[i]) {
				problems++
			}
			state.Apply(items[i])
		}
	}
	take(recording.Items(ctx, take))
	if ctx.Err() != nil {
		s.Problem = "The file was not read to its end."
	}
	if problems > 1 {
		s.Problem = fmt.Sprintf("%s (and %s)", strings.TrimSuffix(s.Problem, "."), units.Plural(problems-1, "other problem"))
	}
}

// note reads what the state does not keep, and reports whether the item is about damage.
func (s *Summary) note(it *log.Item) (damage bool) {
	if it.Signal != nil {
		if it.Signal.Class != journal.JournalDamaged {
			return false
		}
		if s.Problem == "" {
			s.Problem = it.Signal.Sentence
		}
		return true
	}
	r := &it.Record
	if !r.Time.IsZero() {
		if s.Began.IsZero() {
			s.Began = r.Time.UTC()
		}
		s.Ended = r.Time.UTC()
	}
	if r.Kind == a2a.KindEnd && r.End != nil && r.End.Class == a2a.ClassUnrecorded {
		s.Interrupted++
		return false // the recording has no such record
	}
	if r.Kind == a2a.KindNote && r.Note != nil && r.Note.Type == log.NoteResumed { // what was open before goes on after it
		s.Records, s.Interrupted = s.Records+s.Interrupted, 0
	}
	s.Records++
	return false
}

// add adds what the state says.
func (s *Summary) add(state *model.State) {
	var first time.Time
	s.Embedded = len(state.Agents) > 0
	for _, agent := range state.Agents {
		if len(s.Agents) < maxAgents {
			s.Agents = append(s.Agents, cut(agent.Name(), maxName))
			s.addWork(agent)
		}
		s.Embedded = s.Embedded && agent.Embedded
		for _, conv := range agent.Conversations {
			for _, t := range conv.Tasks {
				if s.Tasks == nil {
					s.Tasks = map[string]int{}
				}
				s.Tasks[cut(t.StateWord(), maxName)]++
				if gravity(t.State) > gravity(s.Outcome) {
					s.Outcome = t.State
				}
			}
			for _, turn := range conv.Turns {
				if turn.Message != nil {
					s.Messages++
				}
				if turn.Message == nil || !first.IsZero() && !turn.Time.Before(first) {
					continue
				}
				if text := firstWords(turn.Message); text != "" {
					first, s.Prompt = turn.Time, text
				}
			}
		}
	}
	found := state.Log.Findings()
	s.Errors, s.Warnings, s.Infos = found.Count(a2a.Error), found.Count(a2a.Warning), found.Count(a2a.Info)
}

// addWork adds an agent that has a task to go on with. Those inside Parley have ended, and the tasks
// behind a tap are those of other clients.
func (s *Summary) addWork(agent *model.Agent) {
	if agent.Embedded || agent.Tap != "" || agent.Closed {
		return
	}
	works, waits := false, false
	for _, conv := range agent.Conversations {
		for _, t := range conv.Tasks {
			works, waits = works || t.Works() || t.Asks(), waits || t.Waits()
		}
	}
	switch work := (OpenWork{cut(agent.Name(), maxName), waits}); {
	case waits:
		at := slices.IndexFunc(s.Open, func(o OpenWork) bool { return !o.Waits })
		if at < 0 {
			at = len(s.Open)
		}
		s.Open = slices.Insert(s.Open, at, work)
	case works:
		s.Open = append(s.Open, work)
	}
}

// gravity orders the states of tasks by how much attention they need.
func gravity(s a2a.State) int {
	return slices.Index([]a2a.State{
		a2a.StateUnknown, a2a.StateCompleted, a2a.StateCanceled, a2a.StateOther, a2a.StateSubmitted, a2a.StateWorking, a2a.StateInputRequired, a2a.StateAuthRequired, a2a.StateRejected, a2a.StateFailed,
	}, s)
}

// firstWords returns the beginning of a message's text, on one line.
func firstWords(m *a2a.Message) string {
	for i := range m.Parts {
		text := m.Parts[i].Text
		const enough = 4 * maxPrompt // with its spaces
		if words := strings.Fields(text[:min(len(text), enough)]); m.Parts[i].Kind == a2a.PartText && len(words) > 0 {
			return cut(strings.Join(words, " "), maxPrompt)
		}
	}
	return ""
}

// cut returns at most n bytes of a text that are whole characters.
func cut(s string, n int) string {
	s = strings.ToValidUTF8(s, "\ufffd")
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "") + "…"
}

// TaskWords says how many tasks ended in which state, the most frequent first; empty without
// tasks.
func (s *Summary) TaskWords() string {
	states := slices.SortedFunc(maps.Keys(s.Tasks), func(a, b string) int {
		return cmp.Or(cmp.Compare(s.Tasks[b], s.Tasks[a]), cmp.Compare(a, b))
	})
	for i, state := range states {
		states[i] = units.Count(s.Tasks[state]) + " " + state
	}
	return strings.Join(states, ", ")
}

// FindingWords says how many errors and warnings the rules report, empty for none.
func (s *Summary) FindingWords() string {
	var words []string
	if s.Errors > 0 {
		words = append(words, units.Plural(s.Errors, "error"))
	}
	if s.Warnings > 0 {
		words = append(words, units.Plural(s.Warnings, "warning"))
	}
	return strings.Join(words, ", ")
}
