package chat

import (
	"strings"
	"time"

	"parley/a2a"
	"parley/internal/units"
	"parley/session/log"
	"parley/session/model"
	"parley/session/problem"
	"parley/ui/canvas"
	"parley/ui/looks"
	"parley/ui/styles"
)

// head is the beginning of a block: the agent, the task, and the states of the task since the
// turn began.
type head struct {
	plainBody
	agent   *model.Agent
	turn    *model.Turn
	block   *model.Block
	newest  bool // no later block belongs to the task
	history bool // the task's history is shown
}

// shortStay is the shortest duration of a state that is shown.
const shortStay = time.Second

func (h *head) draw(k *renderer, w int) drawing {
	task := h.block.Task
	name := k.speaker(h.turn)
	if task == nil {
		when := ""
		if len(h.block.Entries) > 0 {
			when = k.timeOfDay(h.block.Entries[0].Time)
		}
		return drawing{head: k.title(name, k.join(when, k.incomplete(h.incompleteBytes())), w)}
	}
	states := h.states()
	forgotten := ""
	if h.newest && task.Forgotten {
		forgotten = "the agent no longer knows the task"
	}
	about := k.join(k.task(task), k.worker(task, h.turn), h.duration(k, states), k.incomplete(h.incompleteBytes()), forgotten)
	d := drawing{head: k.title(name, about, w)}
	d.head = append(d.head, h.stateLines(k, states, w)...)
	if stall := h.stall(k, w); h.newest && stall != "" {
		d.head = append(d.head, k.truncate(stall, w))
	}
	if h.newest {
		for _, words := range []string{h.connectionState(k), h.pollState(), h.unknownState(), h.mergeNote(k), h.contradiction(k)} {
			if words != "" {
				d.head = append(d.head, hangingIndent(2, k.glyph(k.st.Agent, styles.Retry), k.cleanText(k.st.Dim, words, w-2))...)
			}
		}
	}
	if h.history {
		d.body = h.drawHistory(k, w)
	}
	return d
}

// speaker returns the name of the agent that answers a turn, in the colour of the agent.
func (k *renderer) speaker(t *model.Turn) string {
	return looks.Tag(k.st, t.Conversation.Agent.ID).Bold().S(k.clean(t.AgentName()))
}

// agentName returns the present name of an agent, in its colour.
func (k *renderer) agentName(a *model.Agent) string {
	return looks.Tag(k.st, a.ID).Bold().S(k.clean(a.Name()))
}

// worker names who works on the task, empty if that is the agent itself.
func (k *renderer) worker(task *model.Task, turn *model.Turn) string {
	const most = 32
	words := ""
	own := func(name string) bool {
		c := turn.Conversation.Agent.Card
		return c != nil && (name == c.Name || name == turn.AgentName())
	}
	if name := task.Worker.Agent; name != "" && !own(name) {
		words = "by " + k.truncate(k.clean(name), most)
	}
	if name := task.Worker.Workflow; name != "" {
		words += " in workflow " + k.truncate(k.clean(name), most)
	}
	return strings.TrimPrefix(words, " ")
}

// states returns the states of this block, a repeated one once.
func (h *head) states() []model.Transition {
	var states []model.Transition
	for i := range h.block.Entries {
		e := &h.block.Entries[i]
		if e.Kind != model.EntryState {
			continue
		}
		if n := len(states); n > 0 && states[n-1].State == e.State.State && states[n-1].Word == e.State.Word {
			continue
		}
		states = append(states, e.State)
	}
	return states
}

// breaks returns the problems that ended a stream of the task.
func (h *head) breaks() []*model.Entry {
	var breaks []*model.Entry
	for i := range h.block.Entries {
		if e := &h.block.Entries[i]; e.Kind == model.EntryProblem && e.Problem != nil && e.Problem.Stream != 0 {
			breaks = append(breaks, e)
		}
	}
	return breaks
}

// repairs returns how many streams ended early, and how many of them a subscription continued.
func (h *head) repairs() (breaks, repaired int) {
	for i := range h.block.Entries {
		if pr := h.block.Entries[i].Problem; pr != nil && pr.Stream != 0 {
			breaks++
			if pr.Resumed != 0 {
				repaired++
			}
		}
	}
	return breaks, repaired
}

// running reports whether the clock of the block still runs.
func (h *head) running() bool {
	task := h.block.Task
	return task != nil && h.newest && h.turn.Pending && task.Works() && !h.away()
}

// away reports whether the agent of a task at work cannot be reached.
func (h *head) away() bool {
	return h.newest && h.agent.Away() && h.block.Task.Works()
}

// abandoned reports whether the newest state of the task is only where it was: its agent forgot
// the task before it ended, or cannot be reached while the task is at work.
func (h *head) abandoned() bool {
	return h.away() || h.newest && h.block.Task.Forgotten && !h.block.Task.State.Terminal()
}

// duration returns how long the task needed until its newest state, while it runs until now in whole seconds,
// as the clock ticks. Of a task at work that nothing follows any more, the end is not known: it took at least
// until the newest that came. It is empty for an abandoned task.
func (h *head) duration(k *renderer, states []model.Transition) string {
	if h.turn.Time.IsZero() || h.abandoned() {
		return ""
	}
	if h.running() {
		if d := k.now.Sub(h.turn.Time); d >= shortStay {
			return units.Seconds(d)
		}
		return ""
	}
	if len(states) == 0 {
		return ""
	}
	lead, end := "", states[len(states)-1].Time
	if t := h.block.Task; h.newest && t.Works() {
		lead = "at least "
		if heard := k.recordTime(t.Heard()); heard.After(end) {
			end = heard
		}
	}
	if d := end.Sub(h.turn.Time); d > 0 && !end.IsZero() {
		return lead + units.Duration(d)
	}
	return ""
}

// incompleteBytes returns how many bytes of the turn's incomplete event arrived: 0 in all
// blocks but the last.
func (h *head) incompleteBytes() int64 {
	if n := len(h.turn.Blocks); !h.turn.Pending || n == 0 || h.turn.Blocks[n-1] != h.block {
		return 0
	}
	return h.turn.Incomplete
}

// incomplete describes how many bytes arrived, empty for none.
func (k *renderer) incomplete(bytes int64) string {
	if bytes == 0 || k.calm {
		return ""
	}
	return units.Bytes(bytes) + " received"
}

// maxStates is how many states of a block are shown: the newest.
const maxStates = 20

// A stage is a state of the task, or the end of a stream before the task ended, in the order of
// records.
type stage struct {
	state model.Transition
	stay  time.Duration
	last  bool // the newest state
	cut   *problem.Problem
}

// stages returns the states with the breaks of streams between them.
func (h *head) stages(k *renderer, states []model.Transition) []stage {
	var out []stage
	breaks := h.breaks()
	for i, s := range states {
		at := stage{state: s, last: i == len(states)-1}
		if !at.last {
			at.stay = states[i+1].Time.Sub(s.Time)
		} else if h.running() {
			at.stay = k.now.Sub(s.Time).Truncate(time.Second) // the clock ticks once a second
		}
		out = append(out, at)
		for len(breaks) > 0 && (at.last || breaks[0].Record < states[i+1].Record) {
			out, breaks = append(out, stage{cut: breaks[0].Problem}), breaks[1:]
		}
	}
	return out
}

// stateLines draws the states: ✓ submitted ── ✓ working 2.4 s ── ◐ input-required. The end of a
// stream follows the state in which it happened: ↯ cut after #41 ── resumed.
func (h *head) stateLines(k *renderer, states []model.Transition, w int) []string {
	var lines []string
	stages := h.stages(k, states)
	if more := len(stages) - maxStates; more > 0 {
		lines = append(lines, k.cleanText(k.st.Faint, units.Plural(more, "earlier state"), w)...)
		stages = stages[more:]
	}
	var words []string
	put := func(word string) { words = append(words, k.truncate(word, w)) }
	for _, s := range stages {
		if s.cut == nil {
			put(h.state(k, s))
			continue
		}
		put(k.st.Dim.S(k.st.G[styles.Cut] + " " + log.BreakWords(s.cut.Class, k.number(s.cut.After))))
		if s.cut.Resumed != 0 {
			put(k.st.Dim.S("resumed"))
		}
	}
	return append(lines, k.linked(words, w)...)
}

// linked puts words, joined by short rules, into lines of w cells. The last word is not alone in
// its line if the one before it can be there too.
func (k *renderer) linked(words []string, w int) (lines []string) {
	link := " " + canvas.Rule(k.st, 2) + " "
	const gap = 4 // cells of a link
	for len(words) > 0 {
		n, used := 1, canvas.Width(words[0])
		for n < len(words) && used+gap+canvas.Width(words[n]) <= w {
			used += gap + canvas.Width(words[n])
			n++
		}
		if rest := words[n:]; len(rest) == 1 && n > 1 && canvas.Width(words[n-1])+gap+canvas.Width(rest[0]) <= w {
			n--
		}
		lines, words = append(lines, strings.Join(words[:n], link)), words[n:]
	}
	return lines
}

// state draws one state. The newest one of an abandoned task is what it was: neither is it the
// task's state now, nor did it come to its end.
func (h *head) state(k *renderer, s stage) string {
	if s.last && h.abandoned() {
		return k.st.Dim.S(k.st.G[styles.Unknown] + " was " + k.truncate(k.clean(h.block.Task.StateWord()), 40))
	}
	look := looks.Past
	if h.newest && !h.block.Task.Answered {
		look = looks.State
	}
	if s.last && h.running() {
		_, paint := look(k.st, s.state.State)
		return paint.S(k.spin() + " " + k.stateWord(s.state, s.stay))
	}
	return k.state(s.state, look, s.last, s.stay)
}

// state draws one state: as current if it is the last, otherwise as over.
func (k *renderer) state(s model.Transition, look func(*styles.Styles, a2a.State) (styles.Glyph, styles.Paint), last bool, stay time.Duration) string {
	glyph, paint := look(k.st, s.State)
	word := k.stateWord(s, stay)
	if last {
		return paint.S(k.st.G[glyph] + " " + word)
	}
	if !s.State.Terminal() && s.State != a2a.StateOther && s.State != a2a.StateUnknown {
		glyph, paint = styles.Done, k.st.OK
	}
	return paint.S(k.st.G[glyph]) + k.st.Dim.S(" "+word)
}

// stateWord returns the words of a state: its name, and how long the task stayed in it.
func (k *renderer) stateWord(s model.Transition, stay time.Duration) string {
	word := s.State.String()
	if s.State == a2a.StateOther || s.State == a2a.StateUnknown && s.Word != "" {
		word = k.truncate(k.clean(s.Word), 40)
	}
	if stay >= shortStay {
		word += " " + units.Duration(stay)
	}
	return word
}

// drawHistory draws the messages of the task's newest snapshot.
func (h *head) drawHistory(k *renderer, w int) []string {
	history := h.block.Task.History
	out := []string{k.st.Faint.S("history " + k.st.G[styles.Separator] + " " + units.Plural(len(history), "message"))}
	for i := range history {
		m := &history[i]
		mark := k.glyph(k.st.Agent, styles.Receive)
		if m.Role == a2a.RoleUser {
			mark = k.glyph(k.st.User, styles.Send)
		}
		var lines []string
		for j := range m.Parts {
			if p := &m.Parts[j]; p.Kind != a2a.PartText {
				lines = append(lines, k.chip(p, "", false, nil, w-2)...)
			} else {
				lines = append(lines, k.capLines(k.text(k.st.Dim, p.Text, w-2))...)
			}
		}
		if len(lines) == 0 {
			lines = []string{k.st.Faint.S("no content")}
		}
		out = append(out, hangingIndent(2, mark, lines)...)
	}
	return out
}

func (h *head) record() a2a.RecordID {
	for i := len(h.block.Entries) - 1; i >= 0; i-- {
		if e := &h.block.Entries[i]; e.Kind == model.EntryState {
			return e.Record
		}
	}
	if len(h.block.Entries) > 0 {
		return h.block.Entries[0].Record
	}
	return 0
}

func (h *head) copyText() string {
	if h.block.Task == nil {
		return h.turn.AgentName()
	}
	return h.block.Task.ID
}

func (h *head) facts() []fact {
	task := h.block.Task
	if task == nil {
		return []fact{{name: "agent", value: h.turn.AgentName()}}
	}
	facts := []fact{
		{name: "task", value: task.ID},
		{name: "context", value: task.ContextID},
		{name: "metadata", data: task.Metadata},
	}
	facts = append(facts, extraFacts(h.block.Extras)...)
	return append(facts, fact{task: task})
}

// pendingAnswer is shown where an answer will be.
type pendingAnswer struct {
	plainBody
	turn *model.Turn
}

func (p *pendingAnswer) draw(k *renderer, w int) drawing {
	words := "gave no answer"
	if p.turn.Written != "" { // such as a get of something known
		words = "sent nothing new; the wire has the records"
	}
	if p.turn.Pending {
		words = "no answer yet"
		if d := k.now.Sub(p.turn.Time); d >= shortStay && !p.turn.Time.IsZero() {
			words = k.join(words, units.Seconds(d))
		}
		if s := p.turn.Stalled; s != nil {
			words = k.join(words, s.StallWords(k.now))
		}
		words = k.join(words, k.incomplete(p.turn.Incomplete))
	}
	return drawing{head: k.title(k.speaker(p.turn), words, w)}
}

func (p *pendingAnswer) record() a2a.RecordID { return p.turn.Record }
