package agents

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/ui/canvas"
	"parley/ui/styles"
)

// A Kept agent is not open: it was saved under a name, or opened in an earlier run.
type Kept struct {
	Name  string
	Ref   string // where it is; never empty
	Saved bool   // under its name, which opens it
}

// recent reports whether it was only opened in an earlier run.
func (k Kept) recent() bool { return k.Ref != "" && !k.Saved }

// The intents about agents that are kept.
type (
	// Open opens an agent.
	Open struct{ Agent Kept }
	// Save keeps an agent under a name that is to be asked for: an open one, or one that is
	// not.
	Save struct {
		Agent a2a.AgentID // 0 for one that is not open
		Kept  Kept
	}
	// Rename gives a saved agent another name, which is to be asked for.
	Rename struct{ Name string }
	// Forget takes an agent off the list.
	Forget struct{ Kept Kept }
	// Close takes an open agent off the screen.
	Close struct{ Agent a2a.AgentID }
	// Undo brings back the agent that was closed last.
	Undo struct{}
)

func (Open) intent()   {}
func (Save) intent()   {}
func (Rename) intent() {}
func (Forget) intent() {}
func (Close) intent()  {}
func (Undo) intent()   {}

// SetKept shows agents that are not open, the saved ones before the others.
func (p *Pane) SetKept(list []Kept) {
	p.kept = list
	p.rebuild()
}

// keptRows appends the rows of what is not open.
func (p *Pane) keptRows() {
	heading := ""
	for _, k := range p.kept {
		word := "recent"
		if k.Saved {
			word = "saved"
		}
		if word != heading {
			if len(p.rows) > 0 {
				p.rows = append(p.rows, row{})
			}
			p.rows = append(p.rows, row{heading: word})
			heading = word
		}
		p.rows = append(p.rows, row{kept: k})
	}
}

// offline is the look of a row that belongs to no open agent. Nothing is known of how
// an agent does that nobody has asked in this run.
func (p *Pane) offline(r row) look {
	st := p.st
	if r.kept.Ref == "" {
		return look{{paint: st.Faint, text: r.heading}}
	}
	paint := st.Faint
	if r.kept.Saved {
		paint = st.Dim
	}
	const mark = 2
	name := canvas.SanitizeLine(r.kept.Name)
	return look{{paint: st.Faint, text: st.G[styles.Idle]}, {lead: " "}, {paint: paint, text: p.cut(name, mark)}}
}

// keep handles the keys by which agents are kept.
func (p *Pane) keep(msg tea.KeyPressMsg, k KeyMap, r row) Intent {
	kept := r.kept
	if r.agent != nil {
		kept = Kept{Name: r.agent.Given, Ref: r.agent.Ref, Saved: r.agent.Given != ""}
	}
	switch {
	case key.Matches(msg, k.Save):
		if r.agent != nil {
			return Save{Agent: r.agent.ID}
		}
		return Save{Kept: kept}
	case key.Matches(msg, k.Rename):
		return Rename{Name: kept.Name}
	case key.Matches(msg, k.Close):
		return Close{Agent: r.agent.ID}
	case key.Matches(msg, k.Undo):
		return Undo{}
	case key.Matches(msg, k.Forget):
		return Forget{Kept: kept}
	}
	return nil
}
