package agents

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/ui/canvas"
	"parley/ui/styles"
)

// A Kept agent is saved or recent, and not open.
type Kept struct {
	Name  string
	Ref   string // its address; never empty
	Saved bool   // under its name, which opens it
}

// recent reports whether it was only opened in an earlier run.
func (k Kept) recent() bool { return k.Ref != "" && !k.Saved }

// The intents about saved and recent agents.
type (
	// Open opens an agent.
	Open struct{ Agent Kept }
	// Save saves an agent under a name that the user will be asked for: an open one, or one
	// that is not.
	Save struct {
		Agent a2a.AgentID // 0 for one that is not open
		Kept  Kept
	}
	// Rename gives a saved agent another name, which the user will be asked for.
	Rename struct{ Name string }
	// Forget removes an agent from the list.
	Forget struct{ Kept Kept }
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

// SetKept shows agents that are not open, the saved ones before the others.
func (p *Pane) SetKept(list []Kept) {
	p.kept = list
	p.rebuild()
}

// keptRows appends the rows of agents that are not open.
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

// offline is the style of a row of an agent that is not open. Its state is unknown in this run.
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

// keep handles the keys for saved agents.
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
