package chat

import (
	"cmp"
	"fmt"

	"parley/a2a"
	"parley/internal/units"
	"parley/session/log"
	"parley/session/model"
	"parley/ui/action"
	"parley/ui/canvas"
	"parley/ui/keys"
	"parley/ui/looks"
	"parley/ui/styles"
)

// connectionState shows the state of resubscribing to the task: cut · resubscribing (2 of 5) in 2
// s.
func (h *head) connectionState(k *renderer) string {
	if p := h.block.Task.Resubscribe; p != nil {
		words := fmt.Sprintf("resubscribing (%s of %s)", units.Count(p.Attempt), units.Count(p.Of))
		if p.After > 0 {
			words += " in " + units.Duration(p.After)
		}
		return k.join(k.clean(p.Sentence), words)
	}
	return ""
}

// stall says in w cells what to do about a stream that brings no bytes, and for how long it has
// brought none. The end of an artifact that grows says the latter too.
func (h *head) stall(k *renderer, w int) string {
	s := h.turn.Stalled
	if s == nil || !h.turn.Pending || h.block.Task.Resubscribe != nil {
		return ""
	}
	words := looks.NoBytes(k.st, s, k.now)
	if k.recording {
		return words
	}
	key := k.st.Accent.S(keys.Name(k.keyOf(action.CancelTask)))
	for _, advice := range []string{
		k.st.Dim.S("Wait, or cancel with ") + key + k.st.Dim.S(": "), key + k.st.Dim.S(" cancels: "),
	} {
		if canvas.Width(advice+words) <= w {
			return advice + words
		}
	}
	return words
}

// pollState shows that the task is polled.
func (h *head) pollState() string {
	p := h.block.Task.Poll
	if p == nil {
		return ""
	}
	return "next poll in " + units.Duration(p.After) + ", attempt " + units.Count(p.Attempt)
}

// unknownState says that the agent cannot tell the state of the task.
func (h *head) unknownState() string {
	if !h.block.Task.Lost || h.turn.Pending {
		return ""
	}
	return "the agent does not know the task's state, so Parley does not poll it; /get gets it once"
}

// StopPolling asks to stop polling or resubscribing to a task.
type StopPolling struct{ Turn a2a.TurnID }

func (StopPolling) intent() {}

// pollSignal returns the engine's current attempts for the task under the cursor, nil if there are
// none.
func (p *Pane) pollSignal() *log.Signal {
	if t := p.task(); t != nil {
		return cmp.Or(t.Poll, t.Resubscribe)
	}
	return nil
}

// mergeNote offers to merge artifacts that have one chunk each.
func (h *head) mergeNote(k *renderer) string {
	n := h.block.Task.Scattered
	if n == 0 {
		return ""
	}
	return k.join(units.Count(n)+" artifacts of one chunk each look like one artifact", keys.Name(k.keys(MergeScattered))+" merges them")
}

// scatteredTask returns the task of the cursor's block if its artifacts can be merged.
func (p *Pane) scatteredTask() *model.Task {
	if t := p.task(); t != nil && t.Scattered > 0 {
		return t
	}
	return nil
}

// gapNote is shown where events may be missing.
type gapNote struct {
	entryBody
	gap *model.Gap // the drawn gap: a snapshot may fill it
}

func (m *gapNote) draw(k *renderer, w int) drawing {
	g := m.entry().Gap
	words := fmt.Sprintf("Events between records %d and %d may be missing.", g.From, g.To)
	if g.Whole != 0 {
		words = fmt.Sprintf("Events between records %d and %d may be missing; record %d has the whole task.", g.From, g.To, g.Whole)
	}
	if k.calm {
		words = "Events may be missing here."
	}
	return drawing{body: hangingIndent(2, k.glyph(k.st.Dim, styles.Unknown), k.text(k.st.Dim, words, w-2))}
}
