package ui

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/session/log"
	"parley/ui/control"
	"parley/ui/looks"
)

var attached = a2a.Part{Kind: a2a.PartBytes, Filename: "map.png", MediaType: "image/png", Content: []byte("png")}

func TestWhatGoesWithADraftStaysInItsConversation(t *testing.T) {
	t.Parallel()
	bubble(t, 120, 40, Options{}, func(d *desk) {
		d.book(asksWhere)
		c := d.model.panes.composer
		d.write("here")
		c.Attach(attached)
		d.press("ctrl+n")
		if !c.Empty() {
			t.Errorf("new conversation begins with draft %+v, want an empty one", c.Draft())
		}
		d.press("ctrl+g")
		d.sees("map.png", "image/png", "3 B", "here")
		d.press("ctrl+c")
		d.press("up")
		d.sees("map.png", "here")
		d.press("alt+x")
		d.sees("map.png is removed from the message")
		if c.Attached() != 0 {
			t.Errorf("got %d attachments, want none", c.Attached())
		}
	})
}

func TestARefusedMessageComesBackWithWhatWentWithIt(t *testing.T) {
	t.Parallel()
	bubble(t, 120, 40, Options{}, func(d *desk) {
		d.book(allFound)
		c := d.model.panes.composer
		d.write("look")
		c.Attach(attached)
		d.press("enter")
		if !c.Empty() {
			t.Fatal("the message was not sent")
		}
		call := &a2a.Call{Agent: 1, Conversation: 1, Turn: 1, Op: a2a.OpStream, Dialect: a2a.V10}
		body := `{"jsonrpc":"2.0","id":"1","method":"SendStreamingMessage","params":{"message":{"messageId":"m","role":"ROLE_USER","parts":[{"text":"•••"}]}}}`
		now := d.model.opts.Now()
		d.send(batchMsg{Items: []log.Item{
			{Record: a2a.Record{ID: 29, Exchange: 29, Kind: a2a.KindRequest, Dir: a2a.Out, Call: call, Raw: []byte(body), Time: now}},
			{Record: a2a.Record{ID: 30, Exchange: 29, Kind: a2a.KindEnd, Time: now, End: &a2a.End{Reason: a2a.Refused, Class: a2a.ClassRefused, Sentence: "Nobody listens."}}},
			{Signal: &log.Signal{Kind: log.SignalTurnOver, Agent: 1, Conversation: 1, Turn: 1}},
		}})
		if got := c.Draft(); got.Text != "look" || len(got.Parts) != 1 || string(got.Parts[0].Content) != "png" {
			t.Errorf("got draft %+v, want the refused message with its attachment", got)
		}
		if sent, _ := d.model.outbox.Counts(); sent != 0 {
			t.Errorf("got %d sent messages after the turn, want none", sent)
		}
	})
}

func TestTheEditorsTextGoesWhereItWasBegun(t *testing.T) {
	t.Parallel()
	bubble(t, 120, 40, Options{}, func(d *desk) {
		d.book(asksWhere)
		c := d.model.panes.composer
		here := d.model.cur
		d.write("here")
		c.Attach(attached)
		d.press("ctrl+n")
		d.write("there")
		d.send(control.EditedMsg{Text: "here, edited", At: here})
		if c.Value() != "there" {
			t.Errorf("got draft %q of the other place, want it unchanged", c.Value())
		}
		d.says("the draft where it was begun")
		d.press("ctrl+g")
		if got := c.Draft(); got.Text != "here, edited" || len(got.Parts) != 1 {
			t.Errorf("got draft %+v, want the edited text with its attachment", got)
		}
		d.send(control.EditedMsg{Text: "here, again", At: here})
		if c.Value() != "here, again" {
			t.Errorf("got draft %q, want the edited text", c.Value())
		}
		d.send(control.EditedMsg{Err: os.ErrNotExist, At: here})
		if d.says("the draft is unchanged"); c.Value() != "here, again" {
			t.Errorf("got draft %q, want it unchanged", c.Value())
		}
	})
}

func TestTheEditorGetsTheDraftInTheFolderForTemporaryFiles(t *testing.T) {
	t.Parallel()
	bubble(t, 120, 40, Options{TempDir: t.TempDir()}, func(d *desk) {
		d.book(asksWhere)
		d.write("London")
		d.press("alt+e")
		d.send(tea.CursorPositionMsg{X: 1, Y: 1}) // the terminal answers the probe
		names, err := filepath.Glob(filepath.Join(d.model.opts.TempDir, "*"))
		if err != nil || len(names) != 1 || filepath.Ext(names[0]) != ".md" {
			t.Fatalf("got files %q and error %v, want one .md file", names, err)
		}
		if text, err := os.ReadFile(names[0]); err != nil || string(text) != "London" {
			t.Errorf("got draft %q and error %v, want the text of the text field", text, err)
		}
	})
}

func TestCtrlCClearsThenQuitsAndNamesWhatGoesOn(t *testing.T) {
	t.Parallel()
	bubble(t, 160, 40, Options{}, func(d *desk) {
		d.book(midStream)
		d.send(tea.CursorPositionMsg{X: 1, Y: 1}) // the terminal answers the probe
		d.write("half a thought")
		d.press("ctrl+c")
		id := d.model.tasks.All()[0].ID
		d.says("cleared, up restores it; ctrl+c again quits; task " + looks.ShortID(id) + " of Travel Desk continues")
		d.press("up", "ctrl+c")
		if len(d.outside) > 0 && d.outside[len(d.outside)-1] == "tea.QuitMsg" {
			t.Fatal("ctrl+c quit although a draft was there")
		}
		d.press("ctrl+c")
		if d.outside[len(d.outside)-1] != "tea.QuitMsg" {
			t.Errorf("got messages %v, want a quit last", d.outside)
		}
		if left := d.model.tasks.Left(); len(left) != 1 || left[0].ID != id || left[0].Says != "Task "+looks.ShortID(id)+" of Travel Desk is still working" || left[0].Ref == "" {
			t.Errorf("got running tasks %+v, want the one of Travel Desk", left)
		}
	})
	bubble(t, 160, 40, Options{}, func(d *desk) {
		d.book(allBooked)
		d.press("ctrl+c")
		if d.sees("ctrl+c again quits"); strings.Contains(d.text(), "go on") || len(d.model.tasks.Left()) != 0 {
			t.Errorf("got %d tasks that continue, want none:\n%s", len(d.model.tasks.Left()), d.text())
		}
		d.press("x", "backspace", "ctrl+c")
		if slices.Contains(d.outside, "tea.QuitMsg") {
			t.Error("ctrl+c quit although another key was pressed in between")
		}
	})
}

// The tasks of agents that run inside the program end with it.
func TestTasksOfAgentsInsideTheProgramEndWithIt(t *testing.T) {
	t.Parallel()
	bubble(t, 160, 40, Options{}, func(d *desk) {
		d.book(midStream)
		task := d.model.tasks.All()[0]
		d.model.agents.OnOpen(task.Conversation.Agent.ID, true)
		d.press("ctrl+c")
		d.says("ctrl+c again quits; task " + looks.ShortID(task.ID) + " of Travel Desk ends with Parley")
		if left := d.model.tasks.Left(); len(left) != 0 {
			t.Errorf("got running tasks %+v, want none, because they end with Parley", left)
		}
	})
}
