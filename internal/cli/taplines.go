package cli

import (
	"strconv"
	"strings"
	"time"

	"parley/a2a"
	"parley/internal/units"
	"parley/session/log"
	"parley/session/model"
)

// tapLines tell of the exchanges that pass through taps, a line each when it ends.
type tapLines struct {
	state *model.State
	open  map[a2a.ExchangeID]*tapLine
	write func(string)
}

// A tapLine is an exchange that has not ended.
type tapLine struct {
	call   *a2a.Call
	method string
	began  time.Time
	status int
	events int
}

func newTapLines(s *model.State, write func(string)) *tapLines {
	return &tapLines{state: s, open: map[a2a.ExchangeID]*tapLine{}, write: write}
}

// take takes an item that the state has applied.
func (t *tapLines) take(it *log.Item) {
	r := &it.Record
	x := t.open[r.Exchange]
	switch {
	case it.Signal != nil:
	case r.Kind == a2a.KindNote:
		if words := noteWords(r); words != "" {
			t.write(words)
		}
	case (r.Kind == a2a.KindRequest || r.Kind == a2a.KindDelivery) && r.Call != nil:
		t.open[r.ID] = &tapLine{call: r.Call, method: log.DescribeRequest(r), began: r.Time}
	case x == nil:
	case r.Kind == a2a.KindHead && r.Head != nil:
		x.status = r.Head.Status
	case r.Kind == a2a.KindEvent:
		x.events++
	case r.Kind == a2a.KindEnd:
		delete(t.open, r.Exchange)
		t.write(t.words(r, x))
	}
}

// noteWords returns the sentence of a note that is about what a tap did.
func noteWords(r *a2a.Record) string {
	if r.Note == nil || r.Note.Type != log.NoteTap && r.Note.Type != log.NoteVerdict {
		return ""
	}
	return "#" + strconv.FormatUint(uint64(r.ID), 10) + " " + r.Note.Attrs[log.AttrSentence]
}

// words says what became of an exchange.
func (t *tapLines) words(end *a2a.Record, x *tapLine) string {
	client, agent := "client", ""
	if x.call.Tapped != nil {
		agent = x.call.Tapped.Tap
		if x.call.Tapped.Client != "" {
			client = x.call.Tapped.Client
		}
	}
	if a := t.state.Agent(x.call.Agent); a != nil && a.Card != nil {
		agent = a.Name()
	}
	if x.call.Op == a2a.OpDelivery {
		client, agent = agent, client
	}
	words := []string{"#" + strconv.FormatUint(uint64(end.Exchange), 10) + " " + client + " → " + agent, x.method}
	if x.status != 0 {
		words = append(words, strconv.Itoa(x.status))
	}
	if x.events > 0 {
		words = append(words, units.Plural(x.events, "event"))
	}
	words = append(words, units.Duration(max(end.Time.Sub(x.began), 0)))
	if task := t.state.Task(x.call.Agent, x.call.TaskID); x.call.TaskID != "" && task != nil {
		words = append(words, task.State.String())
	}
	if end.End != nil && end.End.Reason != a2a.Ended {
		words = append(words, string(end.End.Reason))
	}
	if end.End != nil && end.End.Sentence != "" {
		words = append(words, end.End.Sentence)
	}
	return strings.Join(words, " · ")
}
