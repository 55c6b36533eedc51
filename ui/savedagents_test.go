package ui

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/internal/config"
	"parley/internal/roster"
	"parley/session/log"
	"parley/ui/composer"
	"parley/ui/control"
	"parley/ui/control/controltest"
)

// keep returns the options with a file of saved agents in a new folder, with these in it.
func keep(t *testing.T, changes ...func(*roster.Content) error) *roster.File {
	t.Helper()
	f := roster.Open(filepath.Join(t.TempDir(), "agents.toml"))
	for _, change := range changes {
		if _, err := f.Update(change); err != nil {
			t.Fatal(err)
		}
	}
	return f
}

var noon = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

func recent(ref, name string) func(*roster.Content) error {
	return roster.AddRecent(roster.Recent{Ref: ref, Name: name, Time: noon})
}

func saved(name, ref string) func(*roster.Content) error {
	return roster.Save(config.Agent{Name: name, Ref: ref})
}

// command types a command and runs it.
func (d *desk) command(text string) {
	d.t.Helper()
	d.model.panes.composer.SetValue(text)
	d.press("enter")
}

// found plays the signal that an agent's card was found.
func (d *desk) found(id a2a.AgentID, ref, given string) {
	d.t.Helper()
	items := controltest.AgentItems(a2a.RecordID(d.model.state.Log.Len()+1), id, ref, "Found", given)
	items = append(items, log.Item{Signal: &log.Signal{Kind: log.SignalOpened, Agent: id, Ref: ref, Profile: &a2a.Profile{}}})
	d.send(batchMsg{Items: items})
}

func TestWithoutAnAgentTheSavedAndTheRecentOnesAreOneKeyAway(t *testing.T) {
	t.Parallel()
	f := keep(t, recent("http://old\x1b[2J", "bad"), recent("http://old", "Old\x1b[2J one"), saved("Desk", "https://desk.example/a?key=s3cret"))
	o := Options{
		Saved: SavedAgents{File: f, Written: []config.Agent{{Name: "Mine", Ref: "http://mine", Place: "/c.toml:3"}}},
		Demo:  func() ([]string, error) { return []string{"http://demo"}, nil },
	}
	bubble(t, 120, 30, o, func(d *desk) {
		d.sees("alt+1  ○ Mine  http://mine", "alt+2  ○ Desk  https://desk.example/a", "alt+3  ○ Old", "alt+4  try the demo agents", "saved", "recent")
		if text := d.text(); strings.Contains(text, "s3cret") || strings.Contains(d.model.View().Content, "\x1b[2J") {
			t.Errorf("frame shows a secret or an escape sequence:\n%q", text)
		}
		d.send(tea.KeyPressMsg{Code: '2', Mod: tea.ModAlt})
		if got := d.engine.Calls[len(d.engine.Calls)-1]; got != "open Desk" {
			t.Errorf("got last engine call %s, want open Desk", got)
		}
		d.found(1, "https://desk.example/a", "Desk")
		d.sees("▌Desk", "○ Mine", "○ Old")
		if strings.Contains(d.text(), "○ Desk") {
			t.Errorf("an open agent is offered too:\n%s", d.text())
		}
		d.command("/agent desk")
		if len(d.engine.Calls) != 1 {
			t.Errorf("got engine calls %v, want Desk opened once", d.engine.Calls)
		}
		d.command("/agent Old")
		d.press("ctrl+p")
		d.write("Mine")
		d.sees("saved")
		d.press("enter")
		if got := fmt.Sprint(d.engine.Calls); !strings.Contains(got, "open http://old") || !strings.Contains(got, "open Mine") {
			t.Errorf("got engine calls %s, want Mine and http://old opened", got)
		}
	})
}

func TestWhoIsOpenedIsRememberedWhenTheCardIsThere(t *testing.T) {
	t.Parallel()
	f := keep(t)
	bubble(t, 120, 30, Options{Saved: SavedAgents{File: f}, Refs: []string{"http://here"}}, func(d *desk) {
		for i, ref := range []string{"http://there", "http://gone", "http://h/?token=abc", "-"} {
			d.command("/open " + ref)
			if id := a2a.AgentID(i + 2); ref != "http://gone" {
				d.found(id, ref, "")
			}
		}
		d.found(1, "http://here", "")
		d.found(9, "http://sibling", "")
		c, err := f.Load()
		if err != nil || len(c.Recents) != 2 || c.Recents[0].Ref != "http://here" || c.Recents[1].Ref != "http://there" || c.Recents[1].Name != "Found" {
			t.Errorf("got recent agents %+v (%v), want here and there", c.Recents, err)
		}
	})
	for _, k := range []SavedAgents{{File: keep(t), NoRecents: true}, {File: keep(t), Temporary: true}} {
		bubble(t, 120, 30, Options{Saved: k, Refs: []string{"http://here"}}, func(d *desk) {
			d.found(1, "http://here", "")
			if c, _ := k.File.Load(); len(c.Recents) != 0 {
				t.Errorf("got recent agents %+v, want none", c.Recents)
			}
			d.command("/agent save Kept")
			c, _ := k.File.Load()
			if saved := len(c.Agents) == 1; saved == k.Temporary {
				t.Errorf("temporary %t: got saved %t, want %t", k.Temporary, saved, !k.Temporary)
			}
		})
	}
}

func TestAgentsAreSavedRenamedAndForgotten(t *testing.T) {
	t.Parallel()
	f := keep(t)
	written := []config.Agent{{Name: "Mine", Ref: "http://mine", Place: "/home/me/config.toml:3"}}
	bubble(t, 140, 30, Options{Saved: SavedAgents{File: f, Written: written}, Refs: []string{"http://here"}}, func(d *desk) {
		d.found(1, "http://here", "")
		d.command("/agent save")
		d.sees("saved as Found")
		d.command("/agent rename Found The Desk")
		d.sees("Found is now named The Desk")
		d.command("/agent add http://x:1 Mine")
		d.says("is in /home/me/config.toml:3")
		d.command("/agent forget Mine")
		d.command("/agent add http://x:1 Other One")
		d.found(2, "http://x:1", "")
		d.command("/agent rename Other One The Desk")
		d.sees("another agent has that name")
		d.command("/agent add http://y:1")
		d.found(3, "http://y:1", "")
		c, err := f.Load()
		if err != nil || len(c.Agents) != 3 || c.Agents[0].Name != "The Desk" || c.Agents[1].Name != "Other One" || c.Agents[2].Name != "Found" {
			t.Errorf("got saved agents %+v (%v), want The Desk, Other One and Found", c.Agents, err)
		}
		names := strings.Join(d.engine.Calls, "\n")
		for _, want := range []string{`name 1 "Found"`, `name 2 "Other One"`, `name 3 "Found"`} {
			if !strings.Contains(names, want) {
				t.Errorf("no call %s in\n%s", want, names)
			}
		}
		d.command("/agent forget other one")
		d.sees("forgot Other One")
		d.command("/agent forget nobody")
		d.says("no agent of that name is saved")
		d.command("/agent forget")
		d.sees("needs a name")
	})
}

// Keys and finder commands do the same.
func TestTheListOfAgentsSavesAndForgets(t *testing.T) {
	t.Parallel()
	f := keep(t, recent("http://old", "Old one"), saved("Desk", "http://desk"))
	bubble(t, 120, 30, Options{Saved: SavedAgents{File: f}, Refs: []string{"http://here"}}, func(d *desk) {
		d.found(1, "http://here", "")
		d.model.setFocus(control.OnAgents)
		d.press("g", "s")
		d.sees("save Found", "❯ Found")
		d.press("enter")
		d.sees("saved as Found")
		d.press("G", "s")
		d.write("!")
		d.press("enter")
		d.sees("saved as Old one!")
		d.model.setFocus(control.OnAgents)
		d.press("G", "R")
		d.write("?")
		d.press("enter")
		d.sees("Old one!?")
		d.model.setFocus(control.OnAgents)
		d.press("G", "d")
		d.sees("forgot Old one!?", "recent")
		d.press("G", "d")
		c, err := f.Load()
		if err != nil || len(c.Agents) != 2 || len(c.Recents) != 0 {
			t.Errorf("got %+v (%v), want two saved agents and no recent ones", c, err)
		}
		d.press("ctrl+p")
		d.write("forget a saved")
		d.press("enter")
		d.write("Desk")
		d.press("enter")
		d.sees("forgot Desk")
	})
}

func TestWhatFollowsAgentIsCompleted(t *testing.T) {
	t.Parallel()
	f := keep(t, saved("Front Desk", "http://desk"))
	bubble(t, 120, 30, Options{Saved: SavedAgents{File: f}, Refs: []string{"http://here"}}, func(d *desk) {
		d.found(1, "http://here", "")
		d.write("/agent ")
		d.sees("Found", "Front Desk", "add", "rename", "forget")
		d.write("for")
		d.press("tab", "tab")
		if got := d.model.panes.composer.Value(); got != "/agent forget Front Desk" {
			t.Errorf("completed to %q, want /agent forget Front Desk", got)
		}
	})
}

func TestAFileThatCannotBeUsedIsSaidAndNothingIsLost(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "agents.toml")
	if err := os.WriteFile(path, []byte("[[agent]\nmine"), 0o600); err != nil {
		t.Fatal(err)
	}
	bubble(t, 140, 30, Options{Saved: SavedAgents{File: roster.Open(path)}, Refs: []string{"http://here"}}, func(d *desk) {
		d.sees("list of saved agents is not used", "line 1")
		d.found(1, "http://here", "")
		d.command("/agent save Desk")
		d.sees("saved as Desk")
		if kept, err := os.ReadFile(path + ".broken-1"); err != nil || !strings.Contains(string(kept), "mine") {
			t.Errorf("the broken file's copy holds %q (%v), want the old content", kept, err)
		}
	})
	bubble(t, 140, 30, Options{Saved: SavedAgents{File: roster.Open(filepath.Join(path, "agents.toml"))}, Refs: []string{"http://here"}}, func(d *desk) {
		d.found(1, "http://here", "")
		d.command("/agent save Desk")
		d.sees("Nothing could be saved")
		d.write("and goes on")
		d.sees("and goes on")
	})
	bubble(t, 140, 30, Options{Warnings: []string{"/c.toml:3: there is no setting colour."}}, func(d *desk) {
		d.sees("/c.toml:3: there is no setting colour")
		d.command("/agent save Desk")
		d.sees("No agent is open")
	})
}

// The engine knows which agent is on the screen, also when the user comes back to the terminal;
// the card is got again by command and by key.
func TestTheAgentOnTheScreenIsTheOneThatIsLookedFor(t *testing.T) {
	t.Parallel()
	bubble(t, 120, 30, Options{Refs: []string{"http://one", "http://two"}}, func(d *desk) {
		d.found(1, "http://one", "")
		d.found(2, "http://two", "")
		d.engine.Shown = nil
		d.model.goTo(control.Place{Agent: 2})
		d.send(tea.FocusMsg{})
		if len(d.engine.Shown) != 2 || d.engine.Shown[0] != 2 || d.engine.Shown[1] != 2 {
			t.Errorf("got shown agents %v, want agent 2 twice", d.engine.Shown)
		}
		d.command("/reconnect")
		d.model.setFocus(control.OnAgents)
		d.press("r")
		if got := d.engine.Calls[len(d.engine.Calls)-2:]; got[0] != "reopen 2" || got[1] != "reopen 2" {
			t.Errorf("got engine calls %v, want reopen 2 twice", got)
		}
		d.send(batchMsg{Items: []log.Item{{Signal: &log.Signal{Kind: log.SignalWatch, Agent: 2, After: time.Second, Sentence: "Found is not reachable."}}}})
		d.sees("every 1 s · r now", "Found Fou2   ✕ away")
		d.send(batchMsg{Items: []log.Item{{Signal: &log.Signal{Kind: log.SignalAway, Agent: 2, After: 4 * time.Second}}}})
		d.sees("every 4 s · r now")
	})
}

// One key reopens a closed agent, with its conversations, its draft and its waiting tasks.
func TestAClosedAgentComesBackByOneKey(t *testing.T) {
	t.Parallel()
	bubble(t, 120, 30, Options{}, func(d *desk) {
		d.book(asksWhere)
		note := func(kind string) {
			t.Helper()
			n := a2a.RecordID(d.model.state.Log.Len() + 1)
			d.send(batchMsg{Items: []log.Item{{Record: a2a.Record{
				ID: n, Kind: a2a.KindNote, Note: &a2a.Note{Type: kind, Attrs: map[string]string{"agent": "1"}},
			}}}})
		}
		was := d.model.cur
		d.model.focusComposer()
		d.write("half a sent")
		d.model.setFocus(control.OnAgents)
		d.press("x")
		d.sees("u reopens it")
		note(log.NoteClosed)
		if strings.Contains(d.text(), "half a sent") || d.model.cur == was {
			t.Errorf("the closed agent is still on the screen:\n%s", d.text())
		}
		d.press("u")
		if got := d.engine.Calls[len(d.engine.Calls)-1]; got != "restore 1" {
			t.Fatalf("got last engine call %s, want restore 1", got)
		}
		note(log.NoteReopened)
		d.sees("▌Travel Desk", "half a sent", "1 waiting")
		if d.model.cur != was || len(d.model.state.Waiting()) != 1 {
			t.Errorf("at %+v with %d waiting, want the earlier place and 1", d.model.cur, len(d.model.state.Waiting()))
		}
		d.press("u")
		if got := d.engine.Calls[len(d.engine.Calls)-1]; got != "restore 1" {
			t.Errorf("got last engine call %s, want no second restore", got)
		}
		d.model.focusComposer()
		d.press("ctrl+u")
		d.command("/agent undo")
		d.sees("No agent was closed in this run")
	})
}

// A closed agent that is opened again has its earlier history.
func TestWhatWasWrittenToAClosedAgentIsFoundAgain(t *testing.T) {
	t.Parallel()
	bubble(t, 120, 30, Options{}, func(d *desk) {
		d.book(asksWhere)
		m := d.model
		old := m.agent()
		m.history.Of(old.ID).Add(composer.Draft{Text: "what I wrote"})
		d.press("esc")
		m.setFocus(control.OnAgents)
		d.press("g", "x")
		again := *old
		again.ID = 77
		old.Closed = true
		m.history.Recall(&again)
		if m.history.Of(77).Len() != m.history.Of(old.ID).Len() {
			t.Errorf("got %d messages of the reopened agent, want %d", m.history.Of(77).Len(), m.history.Of(old.ID).Len())
		}
		m.history.Recall(&again) // once
		if n := m.history.Of(77).Len(); n != m.history.Of(old.ID).Len() {
			t.Errorf("the reopened agent has %d messages after a second Recall, want each once", n)
		}
	})
}

func TestAnAgentIsClosedWhenItHasNothingUnderWay(t *testing.T) {
	t.Parallel()
	bubble(t, 120, 30, Options{}, func(d *desk) {
		d.book(asksWhere)
		closes := func(id int, want string) {
			t.Helper()
			n := a2a.RecordID(d.model.state.Log.Len() + 1)
			if got := d.engine.Calls[len(d.engine.Calls)-1]; got != want {
				t.Fatalf("the engine was asked to %s, want %s", got, want)
			}
			d.send(batchMsg{Items: []log.Item{{Record: a2a.Record{
				ID: n, Kind: a2a.KindNote, Note: &a2a.Note{Type: log.NoteClosed, Attrs: map[string]string{"agent": fmt.Sprint(id)}},
			}}}})
		}
		d.command("/agent close Travel Desk")
		d.says("still waits for an answer")
		d.sees(" Scribe  A2A 0.3")
		closes(1, "dismiss 1")
		if strings.Contains(d.text(), "▌Travel Desk") || strings.Contains(d.text(), "1 waiting") || len(d.model.state.Waiting()) != 0 {
			t.Errorf("the closed agent is still on the screen:\n%s", d.text())
		}
		d.command("/agent close nobody")
		d.sees("No open agent has this name")
		d.model.setFocus(control.OnAgents)
		d.press("G", "x")
		closes(4, "dismiss 4")
		d.model.focusComposer()
		d.command("/agent close")
		closes(2, "dismiss 2")
		d.press("ctrl+p")
		d.write("Close this agent")
		d.press("enter")
		closes(3, "dismiss 3")
		d.sees("No agent is open")
		if d.model.cur != (control.Place{}) {
			t.Errorf("at %+v, want no place", d.model.cur)
		}
	})
	bubble(t, 120, 30, Options{}, func(d *desk) {
		d.book(midStream)
		calls := len(d.engine.Calls)
		d.command("/agent close")
		d.sees("is working")
		if len(d.engine.Calls) != calls {
			t.Errorf("got engine calls %v, want none while the agent works", d.engine.Calls[calls:])
		}
	})
}
