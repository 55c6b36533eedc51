package ui

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"parley/internal/panetest"
	"parley/ui/control"
	"parley/ui/control/cards"
	"parley/ui/control/credentials"
	"parley/ui/control/findings"
	"parley/ui/control/records"
	"parley/ui/control/tasks"
	"parley/ui/control/webhooks"
	"parley/ui/palette"
)

// A spot is a state of the screen in which keys are pressed.
type spot struct {
	name  string
	o     Options
	play  func(d *desk)
	types bool // characters are text
}

// spots are all states whose footers name keys.
var spots = []spot{
	{"composer, no agent", Options{}, func(*desk) {}, true},
	{"composer, suggestion", Options{}, func(d *desk) { d.book(allFound) }, true},
	{"composer, refused", Options{}, func(d *desk) { d.replay("refused.jsonl"); d.upTo(100) }, true},
	{"composer, draft", Options{}, func(d *desk) { d.book(allFound); d.write("hello") }, true},
	{"composer, asked", Options{}, func(d *desk) { d.book(asksWhere) }, true},
	{"composer, asked elsewhere", Options{}, func(d *desk) { d.book(asksWhere); d.press("ctrl+n") }, true},
	{"composer, streaming", Options{}, func(d *desk) { d.book(midStream) }, true},
	{"composer, commands", Options{}, func(d *desk) { d.book(allFound); d.write("/t") }, true},
	{"composer, searching", Options{}, func(d *desk) { d.book(allBooked); d.write("hello"); d.press("ctrl+r", "o"); d.press("ctrl+r") }, true},
	{"composer, a command", Options{}, func(d *desk) { d.book(allFound); d.write("/theme mono") }, true},
	{"composer, attached", Options{}, func(d *desk) { d.book(allFound); d.write("hello"); d.model.panes.composer.Attach(attached) }, true},
	{"composer, queued", Options{}, func(d *desk) { d.book(midStream); d.write("one"); d.press("enter"); d.write("two"); d.press("enter") }, true},
	{"composer, held", Options{}, func(d *desk) {
		d.book(midStream)
		d.write("one")
		d.press("enter")
		d.turnOver(3, "It broke.")
	}, true},
	{"composer, zoomed", Options{}, func(d *desk) { d.book(midStream); d.press("alt+z") }, true},
	{"composer, two conversations", Options{}, func(d *desk) { d.pairs(allBooked); d.press("f8") }, true},
	{"chat, two conversations", Options{}, func(d *desk) { d.pairs(allBooked); d.press("f8", "f9", "tab") }, false},
	{"chat, no agent", Options{}, func(d *desk) { d.press("tab") }, false},
	{"chat, greeting", Options{}, func(d *desk) { d.book(allFound); d.press("tab") }, false},
	{"chat", Options{}, func(d *desk) { d.book(allBooked); d.press("tab", "k", "k", "k", "k") }, false},
	{"chat, streaming", Options{}, func(d *desk) { d.book(midStream); d.press("tab", "g", "k") }, false},
	{"chat, search", Options{}, func(d *desk) { d.book(allBooked); d.press("tab", "/"); d.write("PY") }, true},
	{"chat, found", Options{}, func(d *desk) { d.book(allBooked); d.press("tab", "/"); d.write("PY"); d.press("enter") }, false},
	{"wire, empty", Options{}, func(d *desk) { d.press("tab", "tab") }, false},
	{"wire", Options{}, func(d *desk) { d.book(allBooked); d.press("tab", "tab", "k", "k", "k") }, false},
	{"wire, following", Options{}, func(d *desk) { d.book(midStream); d.press("tab", "tab") }, false},
	{"wire, reading", Options{}, func(d *desk) { d.book(allBooked); d.press("tab", "tab", "k", "k", "k", "d", "j", "j") }, false},
	{"wire, filter", Options{}, func(d *desk) { d.book(allBooked); d.press("tab", "tab", "/"); d.write("fares") }, true},
	{"wire, filtered", Options{}, func(d *desk) { d.book(allBooked); d.press("tab", "tab", "/"); d.write("itin"); d.press("enter") }, false},
	{"agents, none", Options{}, func(d *desk) { d.press("shift+tab") }, false},
	{"agents", Options{}, func(d *desk) { d.book(asksWhere); d.press("shift+tab") }, false},
	{"agents, refused", Options{}, func(d *desk) { d.replay("refused.jsonl"); d.upTo(100); d.press("shift+tab") }, false},
	{"palette", Options{}, func(d *desk) { d.book(asksWhere); d.press("ctrl+p", "down", "down", "down") }, true},
	{"palette, text", Options{}, func(d *desk) { d.book(asksWhere); d.press("ctrl+p"); d.write("th"); d.press("down") }, true},
	{"card", Options{}, func(d *desk) { d.book(allFound); d.press("f2") }, false},
	{"card, example", Options{}, func(d *desk) { d.book(allFound); d.press("f2", "n") }, false},
	{"card, raw", Options{}, func(d *desk) { d.book(allFound); d.press("f2", "v") }, false},
	{"card, refused", Options{}, func(d *desk) { d.replay("refused.jsonl"); d.upTo(100); d.press("f2") }, false},
	{"findings", Options{}, func(d *desk) { d.wrong(); d.press("tab", "F") }, false},
	{"findings, none", Options{}, func(d *desk) { d.press("tab", "F") }, false},
	{"request", Options{}, func(d *desk) { d.byHand(); d.press("tab", "tab", "e") }, true},
	{"request, begin", Options{}, func(d *desk) { d.byHand(); d.press("tab", "tab", "e", "ctrl+t", "down") }, true},
	{"copy", Options{}, func(d *desk) { d.book(allBooked); d.press("tab", "tab", "c") }, false},
	{"findings, filter", Options{}, func(d *desk) { d.wrong(); d.press("tab", "F", "/"); d.write("stat") }, true},
	{"tasks", Options{}, func(d *desk) { d.tasked(); d.press("f3", "j") }, false},
	{"tasks, none", Options{}, func(d *desk) {
		d.book(allFound)
		d.press("f3")
	}, false},
	{"tasks, filter", Options{}, func(d *desk) { d.tasked(); d.press("f3", "/"); d.write("work") }, true},
	{"tasks, any id", Options{}, func(d *desk) { d.tasked(); d.press("f3", "i"); d.write("task") }, true},
	{"webhooks", Options{}, func(d *desk) { d.hooked(); d.press("f4") }, false},
	{"webhooks, no task", Options{}, func(d *desk) {
		d.book(allFound)
		d.press("f4")
	}, false},
	{"webhooks, another", Options{}, func(d *desk) { d.hooked(); d.press("f4", "a") }, true},
	{"form", Options{}, func(d *desk) { d.asksForData(); d.press("alt+i") }, false},
	{"form, a value", Options{}, func(d *desk) { d.asksForData(); d.press("alt+i", "down") }, true},
	{"form, a group", Options{}, func(d *desk) { d.asksForData(); d.press("alt+i", "down", "down", "down") }, false},
	{"form, as JSON", Options{}, func(d *desk) { d.asksForData(); d.press("alt+i", "alt+r") }, true},
	{"help", Options{}, func(d *desk) { d.book(asksWhere); d.press("f1", "j", "j") }, false},
	{"recording, chat", Options{Name: "b"}, func(d *desk) { d.replay("booking.jsonl"); d.upTo(allBooked); d.press("k", "k") }, false},
	{"recording, wire", Options{Name: "b"}, func(d *desk) { d.replay("booking.jsonl"); d.upTo(allBooked); d.press("tab", "k") }, false},
	{"recording, agents", Options{Name: "b"}, func(d *desk) { d.replay("booking.jsonl"); d.upTo(allBooked); d.press("shift+tab") }, false},
	{"recording, card", Options{Name: "b"}, func(d *desk) { d.replay("booking.jsonl"); d.upTo(allBooked); d.press("f2", "n") }, false},
}

// go brings a desk to a spot; must be called in a bubble.
func (s spot) desk(t *testing.T) *desk {
	t.Helper()
	d := newDesk(t, s.o)
	d.send(tea.WindowSizeMsg{Width: 120, Height: 40})
	s.play(d)
	d.send(tea.CursorPositionMsg{X: 1, Y: 1}) // the terminal answers the probe
	return d
}

// state is everything that a key may change and that a user or an agent can notice.
func (d *desk) state() string {
	d.t.Helper()
	cursor := "none"
	if c := d.model.View().Cursor; c != nil {
		cursor = fmt.Sprint(c.X, c.Y)
	}
	var calls []string
	if d.engine != nil {
		calls = d.engine.Calls
	}
	return fmt.Sprintln(strings.Join(d.rows(), "\n"), cursor, calls, d.outside, d.model.screen.noMouse)
}

// named returns the keys that the footer names where there is room for all, in the words of the help.
func (m *Model) named() (all []key.Binding) {
	h := &m.screen.hints
	h.fill(m)
	for _, hint := range slices.Concat(h.left, h.pane, h.right) {
		all = append(all, hint.Keys)
	}
	return all
}

func TestEveryKeyThatTheFooterNamesActs(t *testing.T) {
	t.Parallel()
	for _, s := range spots {
		t.Run(s.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				for _, b := range s.desk(t).model.named() {
					if !b.Enabled() {
						continue
					}
					for _, name := range b.Keys() {
						d := s.desk(t)
						before, draft := d.state(), d.model.panes.composer.Value()
						d.press(name)
						if d.state() == before {
							t.Errorf("%s (%s) changes nothing:\n%s", name, b.Help().Desc, d.text())
						}
						if s.types && panetest.Key(name).Text != "" && b.Help().Desc != "commands" {
							t.Errorf("the footer names %s (%s), which types a character here", name, b.Help().Desc)
						}
						suggestion := d.model.outbox.Suggest(d.model.agent(), d.model.conversation())
						changes := strings.HasPrefix(draft, "/") || slices.Contains([]string{"composer, searching", "composer, queued", "composer, held"}, s.name) ||
							slices.Contains([]string{"quote text", "edit and resend message", "use example", "use numbered example", "commands"}, b.Help().Desc)
						if now := d.model.panes.composer.Value(); now != draft && !changes && !slices.Contains([]string{"", draft + "\n", suggestion}, now) {
							t.Errorf("%s (%s): got draft %q, want %q unchanged", name, b.Help().Desc, now, draft)
						}
					}
				}
			})
		})
	}
}

// keysHere returns all bindings that the help lists for a spot.
func keysHere(m *Model, types bool) []key.Binding {
	var groups [][]key.Binding
	switch m.screen.over {
	case overPalette:
		groups = m.panes.palette.FullHelp()
	case cards.SheetName:
		groups = m.cards.Sheet().Keys()
	case findings.SheetName:
		groups = m.findings.Sheet().Keys()
	case tasks.SheetName:
		groups = m.tasks.Sheet().Keys()
	case webhooks.SheetName:
		groups = m.webhooks.Sheet().Keys()
	case credentials.SheetName:
		groups = m.credentials.Sheet().Keys()
	case records.RequestSheet:
		groups = append(m.records.Sheet().Keys(), m.st.Editing.Help()...)
	case overMenu:
		groups = append(m.panes.menu.FullHelp(), m.panes.menu.Bindings())
	case overHelp:
		groups = m.sheet().Keys()
	default:
		groups = m.keys.everywhere.FullHelp()
		if !types {
			groups = append(groups, m.keys.outside.FullHelp()...)
			if m.screen.at == control.OnChat || m.screen.at == control.OnWire {
				groups = append(groups, m.keys.record.FullHelp()...)
			}
		}
		groups = append(groups, map[control.Focus][][]key.Binding{
			control.OnComposer: m.panes.composer.FullHelp(), control.OnChat: m.panes.chat.FullHelp(),
			control.OnWire: m.panes.wire.FullHelp(), control.OnAgents: m.panes.agents.FullHelp(),
		}[m.screen.at]...)
		if m.screen.at == control.OnComposer {
			shared := []string{"up", "down", "right", "line end"} // the history and the suggestion leave these to the text at times
			groups = append(groups, slices.DeleteFunc(m.st.Editing.Help()[0], func(b key.Binding) bool { return slices.Contains(shared, b.Help().Desc) }))
		}
	}
	return slices.Concat(groups...)
}

func TestNoKeyMeansTwoThings(t *testing.T) {
	t.Parallel()
	for _, s := range spots {
		t.Run(s.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				means := map[string]string{}
				for _, b := range keysHere(s.desk(t).model, s.types) {
					if !b.Enabled() {
						continue
					}
					for _, name := range b.Keys() {
						if other, twice := means[name]; twice && other != b.Help().Desc {
							t.Errorf("%s: got meanings %q and %q, want one", name, other, b.Help().Desc)
						}
						means[name] = b.Help().Desc
					}
				}
			})
		})
	}
}

func TestHelpNamesOnlyKeysThatAreBound(t *testing.T) {
	t.Parallel()
	for _, s := range spots {
		synctest.Test(t, func(t *testing.T) {
			for _, b := range keysHere(s.desk(t).model, s.types) {
				name := b.Help().Key
				if from, _, isRange := strings.Cut(name, "-"); isRange && from != "" {
					name = from
				}
				if name == "pgdn" {
					name = "pgdown"
				}
				if b.Enabled() && name != "" && !slices.Contains(b.Keys(), name) {
					t.Errorf("%s: got key %q in the help, want one of %q", s.name, b.Help().Key, b.Keys())
				}
			}
		})
	}
}

func TestThePaletteNamesEveryKeyOfItsCommands(t *testing.T) {
	t.Parallel()
	bubble(t, 120, 60, Options{}, func(d *desk) {
		d.book(allFound)
		for _, b := range slices.Concat(d.model.keys.everywhere.FullHelp()...) {
			moves := slices.Contains([]string{"tab", "shift+tab", "ctrl+p", "ctrl+z", "ctrl+o"}, b.Help().Key)
			named := slices.ContainsFunc(d.model.entries(), func(e palette.Entry) bool { return e.Note == b.Help().Key })
			if !moves && !named {
				t.Errorf("%s (%s) has no entry in the finder", b.Help().Key, b.Help().Desc)
			}
		}
	})
}
