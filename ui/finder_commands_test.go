package ui

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"parley/internal/config"
	"parley/ui/control"
	"parley/ui/keys"
	"parley/ui/palette"
)

func TestEveryCommandCanBeDoneOrSaysWhy(t *testing.T) {
	t.Parallel()
	word := regexp.MustCompile(`^[a-z]+$`)
	for _, s := range spots {
		t.Run(s.name, func(t *testing.T) {
			bubble(t, 120, 40, s.o, func(d *desk) {
				s.play(d)
				words := map[string]bool{}
				for _, c := range d.model.commands() {
					if c.Name == "" || c.Run == nil && (c.With == nil || c.Slash == "") && c.Why == "" {
						t.Errorf("command %q (/%s) has no action, want one or a reason", c.Name, c.Slash)
					}
					if c.Slash == "" {
						continue
					}
					if !word.MatchString(c.Slash) || words[c.Slash] {
						t.Errorf("/%s is no valid word, or stands for two commands", c.Slash)
					}
					if words[c.Slash] = true; (c.Takes == "") != (c.With == nil) {
						t.Errorf("/%s: got argument %q and With %v, want both or neither", c.Slash, c.Takes, c.With != nil)
					}
				}
				for _, want := range []string{"new", "cancel", "task", "agent", "card", "theme", "export", "help", "quit"} {
					if !words[want] {
						t.Errorf("there is no command /%s", want)
					}
				}
			})
		})
	}
}

// A listed command may have become impossible when it is run.
func TestARefusedCommandDoesNoHarm(t *testing.T) {
	t.Parallel()
	for _, o := range []Options{{}, {Name: "b"}} {
		bubble(t, 120, 40, o, func(d *desk) {
			for _, c := range d.model.commands() {
				if c.Why == "" || c.Run == nil {
					continue
				}
				c.Run()
				if d.engine != nil && len(d.engine.Calls) > 0 {
					t.Errorf("%q: got engine calls %q, want none", c.Name, d.engine.Calls)
					d.engine.Calls = nil
				}
			}
		})
	}
}

// The finder names the keys that the user chose, also those of the panes.
func TestTheFinderNamesTheKeysOfPanes(t *testing.T) {
	t.Parallel()
	rows := []struct{ action, name string }{
		{"writing.search-history", "Search message history"}, {"writing.hide-text", "Hide the text"}, {"writing.set-send-options", "Set send options"},
		{"writing.attach-file", "Attach a file"}, {"writing.edit-attachment", "Edit an attachment"}, {"conversation.search-text", "Search the conversation"},
		{"conversation.save-file", "Save the file under"}, {"conversation.save-and-open", "Save and open the file"}, {"conversation.preview-file", "Preview the file under"},
		{"wire.filter-records", "Filter the wire"}, {"wire.mark-record", "Mark the selected"},
	}
	var o Options
	for i, r := range rows {
		o.Keys = append(o.Keys, config.Keys{Action: r.action, Press: []string{fmt.Sprintf("alt+f%d", i+1)}})
	}
	bubble(t, 120, 40, o, func(d *desk) {
		for i, r := range rows {
			if got, want := keys.Name(d.finderCommand(r.name).Keys), fmt.Sprintf("alt+f%d", i+1); got != want {
				t.Errorf("%s: got key %q, want %s", r.name, got, want)
			}
		}
	})
}

func TestACommandWrittenInTheComposerIsDone(t *testing.T) {
	t.Parallel()
	bubble(t, 120, 40, Options{}, func(d *desk) {
		d.book(asksWhere)
		calls := len(d.engine.Calls)
		d.write("/theme mono")
		d.sees("Choose a theme  /theme [NAME]")
		d.press("enter")
		if d.model.st.Theme.Name != "mono" || !d.model.panes.composer.Empty() {
			t.Errorf("got theme %s with text left over, want mono and an empty composer", d.model.st.Theme.Name)
		}
		d.write("/theme purple")
		d.press("enter")
		d.sees("There is no theme purple")
		d.write("/ag")
		d.press("tab")
		d.write("scr")
		d.sees("Scribe")
		d.press("tab", "enter")
		if a := d.model.agent(); a == nil || a.Name() != "Scribe" {
			t.Errorf("got agent %v, want Scribe", a)
		}
		d.write("/task " + d.model.tasks.All()[0].ID[:6])
		d.press("enter")
		if d.model.cur != (control.Place{Agent: 1, Conversation: 1}) {
			t.Errorf("/task went to %v, want conversation 1 of agent 1", d.model.cur)
		}
		d.write("/task zzz")
		d.press("enter")
		d.sees("has no task zzz")
		d.write("/agent nobody")
		d.press("enter")
		d.sees("No agent has the name nobody")
		d.write("/card")
		d.press("enter")
		d.sees("Travel Desk", "skills")
		d.press("esc")
		d.write("/nonsense")
		d.press("enter")
		d.sees("There is no command /nonsense", "/nonsense")
		d.press("ctrl+c")
		d.write("/new")
		d.press("enter")
		if d.model.cur != (control.Place{Agent: 1}) || len(d.engine.Calls) != calls {
			t.Errorf("got place %v and engine calls %v, want agent 1 and no calls", d.model.cur, d.engine.Calls[calls:])
		}
	})
}

func TestTheKeysOfTheListAreNotThoseOfTheScreen(t *testing.T) {
	t.Parallel()
	bubble(t, 120, 40, Options{}, func(d *desk) {
		d.book(asksWhere)
		d.press("alt+z")
		d.write("/")
		d.sees("/agent", "/attach")
		d.press("esc")
		if !d.model.screen.zoom {
			t.Error("esc left the zoom, want it to close the list")
		}
		if strings.Contains(d.text(), "/attach") {
			t.Errorf("esc left the list open:\n%s", d.text())
		}
		d.press("esc")
		if d.model.screen.zoom {
			t.Error("the second esc did not leave the zoom")
		}
		d.write("ne")
		d.press("tab", "tab") // the list, and its word
		if d.model.screen.at != control.OnComposer || d.model.panes.composer.Value() != "/new" {
			t.Errorf("tab moved the focus or changed the text: got %q, want /new", d.model.panes.composer.Value())
		}
		d.press("tab")
		if d.model.screen.at != control.OnComposer || d.model.panes.composer.Value() != "/new " {
			t.Errorf("tab behind a complete word moved the focus or added no space: got %q, want a space behind /new", d.model.panes.composer.Value())
		}
		d.press("tab")
		if d.model.screen.at == control.OnComposer {
			t.Error("tab did not go to the next pane although nothing can be completed")
		}
	})
}

func TestAClickInTheListTakesIt(t *testing.T) {
	t.Parallel()
	bubble(t, 120, 40, Options{}, func(d *desk) {
		d.book(asksWhere)
		d.write("/")
		for y, row := range strings.Split(d.text(), "\n") {
			if x := strings.Index(row, "/card"); x >= 0 {
				x = len([]rune(row[:x]))
				d.send(tea.MouseClickMsg{Button: tea.MouseLeft, X: x, Y: y})
				break
			}
		}
		if got := d.model.panes.composer.Value(); got != "/card" {
			t.Errorf("the click wrote %q, want /card", got)
		}
	})
}

// The finder asks for the argument of a command.
func TestTheFinderAsksForWhatACommandTakes(t *testing.T) {
	t.Parallel()
	bubble(t, 120, 40, Options{}, func(d *desk) {
		d.book(allFound)
		d.press("ctrl+p")
		d.write("Go to an agent")
		d.press("enter")
		d.sees("Go to an agent", "Scribe", "Old Clerk")
		d.write("old")
		d.press("enter")
		if a := d.model.agent(); a == nil || a.Name() != "Old Clerk" {
			t.Errorf("got agent %v, want Old Clerk", a)
		}
		d.press("ctrl+p")
		d.write("Open an agent")
		d.press("enter")
		d.write("http://elsewhere.example")
		d.press("enter")
		if last := d.engine.Calls[len(d.engine.Calls)-1]; last != "open http://elsewhere.example" {
			t.Errorf("got last engine call %s, want open http://elsewhere.example", last)
		}
		d.press("ctrl+p")
		d.sees("─ find")
	})
}

// A text that is neither an entry nor an address is never opened as an agent, wherever it is
// typed.
func TestAMisspelledWordOpensNoAgent(t *testing.T) {
	t.Parallel()
	bubble(t, 120, 40, Options{}, func(d *desk) {
		d.book(allFound)
		opened := len(d.engine.Calls)
		for _, text := range []string{"scirbe", "/nosuch", "/nosuch word", "/nosuch.json", "./nosuch", "hello there.you", "xyzzy"} {
			d.press("ctrl+p")
			d.write(text)
			d.sees("nothing matches")
			d.press("enter")
			d.sees("─ find")
			d.press("esc")
		}
		d.write("/open scirbe")
		d.press("enter")
		d.sees("scirbe is not an address")
		if calls := d.engine.Calls[opened:]; slices.ContainsFunc(calls, func(c string) bool { return strings.HasPrefix(c, "open ") }) {
			t.Errorf("got engine calls %q, want no open", calls)
		}
		d.press("ctrl+p")
		d.write("desk.example:81")
		d.sees("Open desk.example:81 as an agent")
		d.press("enter")
		if last := d.engine.Calls[len(d.engine.Calls)-1]; last != "open desk.example:81" {
			t.Errorf("got last engine call %s, want open desk.example:81", last)
		}
	})
}

func TestTheFinderRunsCommandsByTheirWord(t *testing.T) {
	t.Parallel()
	bubble(t, 120, 40, Options{}, func(d *desk) {
		d.book(allFound)
		d.press("ctrl+p")
		d.write("/theme mono")
		d.press("enter")
		if d.model.st.Theme.Name != "mono" {
			t.Errorf("got theme %s, want mono", d.model.st.Theme.Name)
		}
		d.press("ctrl+p")
		d.write("/agent")
		d.press("enter")
		d.sees("Go to an agent", "Scribe", "Old Clerk")
	})
}

func TestEverySlashCommandIsInTheFinder(t *testing.T) {
	t.Parallel()
	bubble(t, 120, 40, Options{}, func(d *desk) {
		d.book(asksWhere)
		entries := d.model.entries()
		for _, c := range d.model.slashes() {
			if !slices.ContainsFunc(entries, func(e palette.Entry) bool { return e.Name == c.About }) {
				t.Errorf("/%s is not in the finder", c.Word)
			}
		}
	})
}
