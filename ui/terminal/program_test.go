package terminal

import (
	"io"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"parley/internal/crash"
)

// A faulty is a model that panics in one place.
type faulty struct{ in string }

func oops() tea.Msg { panic("tok-s3cret") }

func (f faulty) Init() tea.Cmd {
	nothing := func() tea.Msg { return nil }
	switch f.in {
	case "command":
		return oops
	case "batch":
		return tea.Batch(nothing, oops)
	case "sequence":
		return tea.Sequence(nothing, tea.Batch(nothing, tea.Sequence(nothing, oops)))
	}
	return func() tea.Msg { return "go" }
}

func (f faulty) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	if msg == "go" && f.in == "update" {
		oops()
	}
	return f, nil
}

func (f faulty) View() tea.View {
	if f.in == "view" {
		oops()
	}
	return tea.NewView("")
}

func TestAPanicOfAProgramIsToldWithoutItsValue(t *testing.T) {
	for _, in := range []string{"command", "batch", "sequence", "update", "view"} {
		t.Run(in, func(t *testing.T) {
			told := make(chan crash.Panic, 1)
			p := NewProgram(faulty{in}, tea.WithInput(nil), tea.WithOutput(io.Discard), tea.WithoutSignalHandler(), tea.WithWindowSize(80, 24))
			defer crash.Handle(func(c crash.Panic) { told <- c })()
			over := make(chan struct{})
			go func() {
				defer close(over)
				_, _ = Run(p) // it ends when the panic was told
			}()
			got := <-told
			p.Kill()
			<-over
			if got.What != "panic with a value of type string" || !strings.Contains(got.Where[0], "oops") {
				t.Errorf("got %q in %q, want the type and the function", got.What, got.Where)
			}
		})
	}
}

func TestTheLastModelIsTheOneThatWasGiven(t *testing.T) {
	p := NewProgram(quitting{}, tea.WithInput(nil), tea.WithOutput(io.Discard), tea.WithoutSignalHandler(), tea.WithoutRenderer())
	if m, err := Run(p); m != (quitting{}) || err != nil {
		t.Errorf("got %v, %v, want the model", m, err)
	}
}

type quitting struct{}

func (quitting) Init() tea.Cmd                         { return tea.Quit }
func (q quitting) Update(tea.Msg) (tea.Model, tea.Cmd) { return q, nil }
func (quitting) View() tea.View                        { return tea.NewView("") }
