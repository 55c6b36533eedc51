package sessiontest

import (
	"fmt"
	"strings"
	"time"

	"parley/a2a"
	"parley/session/log"
	"parley/session/model"
)

// Difference shows the first lines in which two texts differ.
func Difference(a, b string) string {
	x, y := strings.Split(a, "\n"), strings.Split(b, "\n")
	for i := range max(len(x), len(y)) {
		if i >= len(x) || i >= len(y) || x[i] != y[i] {
			from := max(i-3, 0)
			return strings.Join(x[from:min(i+3, len(x))], "\n") + "\n--- but replayed ---\n" + strings.Join(y[from:min(i+3, len(y))], "\n")
		}
	}
	return ""
}

// Dump writes everything a screen could show of a state, but for what is true only
// while it happens.
func Dump(s *model.State) string {
	var b strings.Builder
	for _, a := range s.Agents {
		phase, problem := a.Phase, a.Problem
		if phase == model.Unreachable && a.Card != nil { // the watcher may have said so, of whom no record tells
			phase, problem = model.Ready, ""
		}
		fmt.Fprintf(&b, "agent %d %s phase %d problem %q card %d %+v\n", a.ID, a.Ref, phase, problem, a.CardRecord, a.CardChanges)
		fmt.Fprintf(&b, " profile %+v\n attempts %+v\n", a.Profile, a.Attempts)
		fmt.Fprintf(&b, " extensions %+v extended %v %+v %q\n", a.Extensions, a.Extended.Stands, a.Extended.Changes, a.Extended.Why)
		if l := a.List; l != nil {
			fmt.Fprintf(&b, " list %+v next %q total %d begun %d told %d fresh %d asking %v\n", l.Filter, l.Next, l.Total, l.FirstRequest, l.NewestPage, l.NewTasks, l.Pending)
			if l.Problem != nil {
				fmt.Fprintf(&b, "  problem %q\n", l.Problem.Sentence)
			}
			for _, t := range l.Tasks {
				fmt.Fprintf(&b, "  listed %s %s %s %q %d %d %d\n", t.ID, t.ContextID, t.StateWord(), t.Title, t.Artifacts, t.History, t.Record)
			}
		}
		for _, c := range a.Conversations {
			fmt.Fprintf(&b, " conversation %d ctx %q title %q streams %d\n", c.ID, c.ContextID, c.Name(), c.Streams)
			if st := s.Log.Stream(c.Stream); st != nil {
				fmt.Fprintf(&b, "  stream x%d events %d bytes %d end %s\n", st.Exchange, st.Events, st.Bytes, endText(st.End))
			}
			for _, t := range c.Turns {
				DumpTurn(&b, t)
			}
			for _, t := range c.Tasks {
				dumpTask(&b, t)
			}
		}
	}
	for _, t := range s.Waiting() {
		fmt.Fprintf(&b, "waiting %s\n", t.ID)
	}
	for i := range s.Log.Len() {
		id := a2a.RecordID(i + 1)
		at, ok := s.Anchor(id)
		it := s.Log.At(id)
		fmt.Fprintf(&b, "record %d x%d %s %s %v %v\n", id, it.Record.Exchange, stamp(it.Record.Time), log.Describe(it), at, ok)
	}
	return b.String()
}

func stamp(t time.Time) string {
	if t.IsZero() {
		return "-"
	}
	return t.UTC().Format(time.RFC3339Nano)
}

// DumpStreams leaves out times, which a journal keeps without the monotonic clock.
func DumpStreams(s *model.State) string {
	var b strings.Builder
	for i := range s.Log.Len() {
		id := a2a.ExchangeID(i + 1)
		st := s.Log.Stream(id)
		if st == nil {
			continue
		}
		fmt.Fprintf(&b, "stream %d prev %d next %d events %d bytes %d %s end %s\n", id, st.Prev, st.Next, st.Events, st.Bytes, st.State, endText(st.End))
		for _, step := range st.Steps {
			fmt.Fprintf(&b, "  step %d %d-%d x%d %d B %s %q %d\n",
				step.Kind, step.From, step.To, step.Records, step.Bytes, step.State, step.Word, step.Artifacts)
		}
	}
	return b.String()
}

// DumpTurn writes down a turn with its blocks.
func DumpTurn(b *strings.Builder, t *model.Turn) {
	fmt.Fprintf(b, "  turn %d %+v record %d %s pending %v", t.ID, t.Target, t.Record, stamp(t.Time), t.Pending)
	if t.Message != nil {
		fmt.Fprintf(b, " says %q", t.Message.Text())
	}
	fmt.Fprintf(b, " extensions %+v\n", t.Extensions)
	for _, bl := range t.Blocks {
		name := "-"
		if bl.Task != nil {
			name = bl.Task.ID
		}
		fmt.Fprintf(b, "   block %s\n", name)
		for _, e := range bl.Entries {
			fmt.Fprintf(b, "    entry %d record %d %s replaced %v raw %q", e.Kind, e.Record, stamp(e.Time), e.Replaced, e.Raw)
			switch {
			case e.Message != nil:
				fmt.Fprintf(b, " message %s %q", e.Message.ID, e.Message.Text())
			case e.Artifact != nil:
				fmt.Fprintf(b, " artifact %s", e.Artifact.Key)
			case e.Problem != nil:
				fmt.Fprintf(b, " problem %q %q %s %d %v %d", e.Problem.Sentence, e.Problem.Detail, e.Problem.Class, e.Problem.Record, e.Problem.Err, e.Problem.Resumed)
				fmt.Fprintf(b, " stream x%d after %d resumed at %d", e.Problem.Stream, e.Problem.After, e.Problem.ResumedAt)
			case e.Gap != nil:
				fmt.Fprintf(b, " gap %+v", *e.Gap)
			}
			fmt.Fprintf(b, " %s\n", e.State.Word)
		}
	}
}

func dumpTask(b *strings.Builder, t *model.Task) {
	fmt.Fprintf(b, "  task %s ctx %s scattered %d %v %q forgotten %v answered %v metadata %s\n",
		t.ID, t.ContextID, t.Scattered, t.State, t.Word, t.Forgotten, t.Answered, t.Metadata)
	fmt.Fprintf(b, "   asked %s %d open %v", t.LastRequest.Op, t.LastRequest.Record, t.LastRequest.Open)
	if t.LastRequest.Problem != nil {
		fmt.Fprintf(b, " %q", t.LastRequest.Problem.Sentence)
	}
	b.WriteByte('\n')
	if t.Prompt != nil {
		fmt.Fprintf(b, "   prompt %q\n", t.Prompt.Text())
	}
	for _, tr := range t.Transitions {
		fmt.Fprintf(b, "   %s %s %d\n", tr.Word, stamp(tr.Time), tr.Record)
	}
	for i := range t.History {
		fmt.Fprintf(b, "   history %s %q\n", t.History[i].ID, t.History[i].Text())
	}
	for _, a := range t.Artifacts {
		fmt.Fprintf(b, "   artifact %s %q %q chunks %d bytes %d sealed %v live %v reset %d revisions %d\n    text %q\n    spans %v\n",
			a.Key, a.Name, a.Description, a.Chunks, a.Bytes, a.Sealed, a.Live, a.Reset, len(a.Revisions), a.Text, a.Spans)
		for _, p := range a.Parts {
			fmt.Fprintf(b, "    part %d %d %v %s\n", p.Offset, p.Record, p.Part.Kind, p.Part.Data)
		}
	}
}

// endText writes an end with what it points to.
func endText(e *a2a.End) string {
	if e == nil || e.Trailer == nil {
		return fmt.Sprintf("%+v", e)
	}
	plain := *e
	plain.Trailer = nil
	return fmt.Sprintf("%+v trailer %+v", plain, *e.Trailer)
}
