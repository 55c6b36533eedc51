package terminal

import (
	"reflect"

	tea "charm.land/bubbletea/v2"

	"parley/internal/crash"
)

// NewProgram returns a program of Bubble Tea whose panics end this one, as those of all other goroutines
// do: Bubble Tea would print their values. [Run] runs it.
func NewProgram(m tea.Model, options ...tea.ProgramOption) *tea.Program {
	return tea.NewProgram(guarded{m}, append(options, tea.WithoutCatchPanics())...)
}

// Run runs a program of [NewProgram] and returns its last model. Bubble Tea updates and draws the model on
// this goroutine.
func Run(p *tea.Program) (tea.Model, error) {
	defer crash.OnEnd(func() { _ = p.ReleaseTerminal() })() // there is nothing else to do about it
	defer crash.Guard()
	last, err := p.Run()
	if g, ok := last.(guarded); ok {
		last = g.Model
	}
	return last, err
}

// A guarded is a model whose commands are guarded, each of which has a goroutine of its own.
type guarded struct{ tea.Model }

func (g guarded) Init() tea.Cmd { return guard(g.Model.Init()) }

func (g guarded) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	m, cmd := g.Model.Update(msg)
	return guarded{m}, guard(cmd)
}

func guard(cmd tea.Cmd) tea.Cmd {
	if cmd == nil {
		return nil
	}
	return func() tea.Msg {
		defer crash.Guard()
		return guardAll(cmd())
	}
}

// guardAll guards the commands of a message of [tea.Batch] or [tea.Sequence], which has a type of its own.
func guardAll(msg tea.Msg) tea.Msg {
	list := reflect.ValueOf(msg)
	if list.Kind() != reflect.Slice || list.Type().Elem() != reflect.TypeFor[tea.Cmd]() {
		return msg
	}
	all := reflect.MakeSlice(list.Type(), list.Len(), list.Len())
	for i := range list.Len() {
		all.Index(i).Set(reflect.ValueOf(guard(list.Index(i).Interface().(tea.Cmd))))
	}
	return all.Interface()
}
