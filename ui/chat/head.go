package chat

import (
	"strings"
	"time"

	"parley/a2a"
	"parley/internal/units"
	"parley/session/model"
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
	name := k.st.Agent.Bold().S(k.clean(h.agent.Name()))
	if task == nil {
		when := ""
		if len(h.block.Entries) > 0 {
			when = k.timeOfDay(h.block.Entries[0].Time)
		}
		return drawing{head: k.title(name, k.join(when, incomplete(h.incompleteBytes())), w)}
	}
	states := h.states()
	forgotten := ""
	if h.newest && task.Forgotten {
		forgotten = "the agent no longer knows the task"
	}
	about := k.join(k.task(task), k.worker(task, h.agent), h.duration(k, states), incomplete(h.incompleteBytes()), forgotten)
	d := drawing{head: k.title(name, about, w)}
	d.head = append(d.head, h.stateLines(k, states, h.repairs(), w)...)
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

// worker names who works on the task, empty if that is the agent itself.
func (k *renderer) worker(task *model.Task, agent *model.Agent) string {
	const most = 32
	words := ""
	if name := task.Worker.Agent; name != "" && name != agent.CardName() {
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

// repairs returns the records of cuts after which a subscription continued the stream: such a
// cut is only a sign between the states.
func (h *head) repairs() []a2a.RecordID {
	var repairs []a2a.RecordID
	for i := range h.block.Entries {
		if e := &h.block.Entries[i]; e.Kind == model.EntryProblem && e.Problem != nil && e.Problem.Resumed != 0 {
			repairs = append(repairs, e.Record)
		}
	}
	return repairs
}

// running reports whether the clock of the block still runs.
func (h *head) running() bool {
	task := h.block.Task
	return task != nil && h.newest && h.turn.Pending && task.Works()
}

// duration returns how long the task needed until its newest state.
func (h *head) duration(k *renderer, states []model.Transition) string {
	if h.turn.Time.IsZero() {
		return ""
	}
	end := k.now
	if !h.running() {
		if len(states) == 0 {
			return ""
		}
		end = states[len(states)-1].Time
	}
	if d := end.Sub(h.turn.Time); d > 0 && !end.IsZero() {
		return units.Duration(d)
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
func incomplete(bytes int64) string {
	if bytes == 0 {
		return ""
	}
	return units.Bytes(bytes) + " received"
}

// forgotten reports whether the agent has forgotten the task of the newest block, so that its last
// work is over.
func (h *head) forgotten() bool { return h.newest && h.block.Task != nil && h.block.Task.Forgotten }

// maxStates is how many states of a block are shown: the newest.
const maxStates = 20

// stateLines draws the states: ✓ submitted ── ✓ working 2.4 s ── ◐ input-required. A repaired
// cut follows the state in which it happened.
func (h *head) stateLines(k *renderer, states []model.Transition, repairs []a2a.RecordID, w int) []string {
	var lines []string
	if more := len(states) - maxStates; more > 0 {
		lines = append(lines, k.cleanText(k.st.Faint, units.Plural(more, "earlier state"), w)...)
		states = states[more:]
	}
	link := " " + canvas.Rule(k.st, 2) + " "
	line, used := "", 0
	for i, s := range states {
		last := i == len(states)-1
		var stay time.Duration
		if !last {
			stay = states[i+1].Time.Sub(s.Time)
		} else if h.running() {
			stay = k.now.Sub(s.Time)
		}
		word := k.state(s, last && !h.forgotten(), stay)
		for len(repairs) > 0 && (last || repairs[0] < states[i+1].Record) {
			word, repairs = word+" "+k.glyph(k.st.Dim, styles.Retry), repairs[1:]
		}
		word = k.truncate(word, w)
		size := canvas.Width(word)
		switch {
		case i == 0:
			line, used = word, size
		case used+4+size <= w:
			line, used = line+link+word, used+4+size
		default:
			lines = append(lines, line)
			line, used = word, size
		}
	}
	if line != "" {
		lines = append(lines, line)
	}
	return lines
}

// state draws one state: as current if it is the last, otherwise as over.
func (k *renderer) state(s model.Transition, last bool, stay time.Duration) string {
	glyph, paint := looks.State(k.st, s.State)
	word := s.State.String()
	if s.State == a2a.StateOther || s.State == a2a.StateUnknown && s.Word != "" {
		word = k.truncate(k.clean(s.Word), 40)
	}
	if stay >= shortStay {
		word += " " + units.Duration(stay)
	}
	if last {
		return paint.S(k.st.G[glyph] + " " + word)
	}
	if !s.State.Terminal() && s.State != a2a.StateOther && s.State != a2a.StateUnknown {
		glyph, paint = styles.Done, k.st.OK
	}
	return paint.S(k.st.G[glyph]) + k.st.Dim.S(" "+word)
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
		return h.agent.Name()
	}
	return h.block.Task.ID
}

func (h *head) facts() []fact {
	task := h.block.Task
	if task == nil {
		return []fact{{name: "agent", value: h.agent.Name()}}
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
	agent *model.Agent
	turn  *model.Turn
}

func (p *pendingAnswer) draw(k *renderer, w int) drawing {
	words := "gave no answer"
	if p.turn.Written != "" { // such as a get of something known
		words = "sent nothing new; the wire has the records"
	}
	if p.turn.Pending {
		words = "no answer yet"
		if d := k.now.Sub(p.turn.Time); d >= shortStay && !p.turn.Time.IsZero() {
			words = k.join(words, units.Duration(d))
		}
		words = k.join(words, incomplete(p.turn.Incomplete))
	}
	name := k.st.Agent.Bold().S(k.clean(p.agent.Name()))
	return drawing{head: k.title(name, words, w)}
}

func (p *pendingAnswer) record() a2a.RecordID { return p.turn.Record }
