package agents

import (
	"time"

	"parley/a2a"
	"parley/ui/canvas"
	"parley/ui/styles"
)

// An Entry is a saved or recent agent that is not open.
type Entry struct {
	Name    string
	Ref     string    // its address; never empty
	Dialect string    // the version and the binding that it spoke last, empty if unknown
	Saved   bool      // under its name, which opens it
	Used    time.Time // when it was opened last, zero if unknown
}

// recent reports whether it was only opened in an earlier run.
func (e Entry) recent() bool { return e.Ref != "" && !e.Saved }

// The intents about saved and recent agents.
type (
	// Open opens an agent.
	Open struct{ Entry Entry }
	// Save saves an agent under a name that the user will be asked for: an open one, or one
	// that is not.
	Save struct {
		Agent a2a.AgentID // 0 for one that is not open
		Entry Entry
	}
	// Rename gives a saved agent another name, which the user will be asked for.
	Rename struct{ Name string }
	// Forget removes an agent from the list.
	Forget struct{ Entry Entry }
	// Close closes an open agent.
	Close struct{ Agent a2a.AgentID }
	// Undo reopens the agent that was closed last.
	Undo struct{}
)

func (Open) intent()   {}
func (Save) intent()   {}
func (Rename) intent() {}
func (Forget) intent() {}
func (Close) intent()  {}
func (Undo) intent()   {}

// SetEntries shows agents that are not open, the saved ones before the others.
func (p *Pane) SetEntries(list []Entry) {
	p.entries = list
	p.rebuild()
}

// entryRows appends the rows of agents that are not open.
func (p *Pane) entryRows() {
	heading := ""
	for _, e := range p.entries {
		word := "recent"
		if e.Saved {
			word = "saved"
		}
		if word != heading {
			if len(p.rows) > 0 {
				p.rows = append(p.rows, row{})
			}
			p.rows = append(p.rows, row{heading: word})
			heading = word
		}
		p.rows = append(p.rows, row{entry: e})
	}
}

// offline is the style of a row of an agent that is not open. Its state is unknown in this run.
func (p *Pane) offline(r row) look {
	st := p.st
	if r.entry.Ref == "" {
		return look{{paint: st.Faint, text: r.heading}}
	}
	paint := st.Faint
	if r.entry.Saved {
		paint = st.Dim
	}
	const mark = 2
	name := canvas.SanitizeLine(r.entry.Name)
	return look{{paint: st.Faint, text: st.G[styles.Idle]}, {lead: " "}, {paint: paint, text: p.cut(name, mark)}}
}
