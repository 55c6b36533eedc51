package chat

import (
	"encoding/json"
	"strings"
	"unicode/utf8"

	"parley/a2a"
	"parley/internal/units"
	"parley/session/model"
	"parley/ui/canvas"
)

// A fact is one line of a detail: a name with a value, or with JSON, or with steps of the agent,
// or the states of a task.
type fact struct {
	name, value string
	data        json.RawMessage
	steps       []model.TraceStep
	task        *model.Task
}

// facts draws the details of a row. They begin with a rule, so that the agent's own text cannot
// pass for them.
func (k *renderer) facts(facts []fact, w int) []string {
	out := []string{canvas.Rule(k.st, min(w, 24))}
	column := 0
	facts = withTraceSteps(facts)
	for _, f := range facts {
		column = max(column, utf8.RuneCountInString(f.name))
	}
	column = min(column+2, max(w/2, 1))
	none := true
	for _, f := range facts {
		if f.task != nil && len(f.task.Transitions) > 0 {
			none = false
			out = append(out, k.timeline(f.task, w)...)
			continue
		}
		if f.value == "" && empty(f.data) && len(f.steps) == 0 {
			continue
		}
		none = false
		if len(f.steps) > 0 {
			out = append(out, hangingIndent(column, k.st.Faint.S(k.truncate(f.name, max(column-1, 1))), k.traceSteps(f.steps, w-column))...)
			continue
		}
		lines := k.text(k.st.Text, f.value, w-column)
		if f.value == "" {
			lines = k.pretty(f.data, w-column)
		}
		out = append(out, hangingIndent(column, k.st.Faint.S(k.truncate(f.name, max(column-1, 1))), k.capLines(lines))...)
	}
	if none {
		out = append(out, k.st.Faint.S("no metadata"))
	}
	return out
}

// withTraceSteps returns facts with the steps of an agent above the JSON that has them.
func withTraceSteps(facts []fact) []fact {
	var out []fact
	for _, f := range facts {
		if steps := model.TraceSteps(f.data); len(steps) > 0 {
			out = append(out, fact{name: "trace", steps: steps})
		}
		out = append(out, f)
	}
	return out
}

// messageFacts returns the members of a message besides its parts.
func messageFacts(m *a2a.Message) []fact {
	id := m.ID
	if m.IDMade {
		id = ""
	}
	facts := []fact{
		{name: "message", value: id},
		{name: "role", value: m.RoleWord},
		{name: "task", value: m.TaskID},
		{name: "context", value: m.ContextID},
		{name: "refers to", value: strings.Join(m.ReferenceTaskIDs, "\n")},
		{name: "extensions", value: strings.Join(m.Extensions, "\n")},
		{name: "metadata", data: m.Metadata},
	}
	for i := range m.Parts {
		facts = append(facts, partFacts(&m.Parts[i])...)
	}
	return facts
}

// maxExtras is how many pieces of metadata of events are listed: the newest.
const maxExtras = 20

// extraFacts returns the metadata of single events and chunks.
func extraFacts(extras []model.Extra) []fact {
	var facts []fact
	if more := len(extras) - maxExtras; more > 0 {
		facts = append(facts, fact{name: "metadata", value: units.Count(more) + " earlier ones are in the wire pane"})
		extras = extras[more:]
	}
	for _, e := range extras {
		facts = append(facts, fact{name: "metadata of " + e.Of.String() + " " + units.Count(int(e.Record)), data: e.Data})
	}
	return facts
}

// partFacts returns the members of a part besides its content.
func partFacts(p *a2a.Part) []fact {
	var facts []fact
	if p.Kind == a2a.PartText {
		facts = append(facts, fact{name: "text is", value: p.MediaType}, fact{name: "file name", value: p.Filename})
	} else if p.Kind != a2a.PartUnknown {
		facts = append(facts, fact{name: p.Kind.String(), value: p.Filename}, fact{name: "media type", value: p.MediaType},
			fact{name: "address", value: p.URL})
	}
	if p.Kind == a2a.PartData { // its JSON is in the conversation
		facts = append(facts, fact{name: "trace", steps: model.TraceSteps(p.Data)})
	}
	return append(facts, fact{name: "metadata of " + p.Kind.String(), data: p.Metadata})
}
