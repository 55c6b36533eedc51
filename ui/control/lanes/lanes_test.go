package lanes

import (
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/internal/panetest"
	"parley/themes"
	"parley/ui/control"
	"parley/ui/control/controltest"
	"parley/ui/styles"
	"parley/ui/wire"
)

// newController returns a controller of a session with a task of an agent, its host and its wire.
func newController(t *testing.T) (*Controller, *controltest.Host, *wire.Pane) {
	t.Helper()
	host := newHost()
	st := styles.New(themes.Mono(), styles.Unicode())
	w := wire.New(st)
	w.SetLog(host.State().Log)
	w.SetSize(80, 30)
	w.SetView(1, 1)
	c := New(host, st, Options{
		Now: func() time.Time { return controltest.Noon.Add(time.Second) }, Wire: w,
		Filter: func(text string) tea.Cmd {
			w.Filter(text)
			return nil
		},
	})
	c.pane.SetSize(100, 20)
	return c, host, w
}

func press(c *Controller, names ...string) {
	sheet := c.Sheet()
	for _, name := range names {
		sheet.Refresh()
		sheet.Key(panetest.Key(name))
	}
}

func screen(c *Controller) string { return panetest.Text(c.pane.Lines()) }

func TestTheLanesHaveTheNamesOfTheSession(t *testing.T) {
	c, host, w := newController(t)
	w.Select(7)
	c.Open()
	if host.Shown != SheetName {
		t.Fatalf("got sheet %q, want %q", host.Shown, SheetName)
	}
	panetest.Sees(t, screen(c), "▌ Clerk", "▌ help me", "▸ 1 card request", "#7 ", "SendMessage · Clerk · help me")
	if cmds := controltest.Commands(c.Actions()); len(cmds) != 1 || cmds[0].Name != "Show the lanes of the session" {
		t.Errorf("got commands %+v, want one that shows the lanes", cmds)
	}
}

func TestEnterGoesToTheRecord(t *testing.T) {
	c, host, w := newController(t)
	c.Open()
	press(c, "g", "enter")
	if host.Covered() || host.FocusOn != control.OnWire || host.State().Log.ExchangeOf(w.Selected()) != 5 {
		t.Errorf("got record %d in pane %d, want one of exchange 5 in the wire", w.Selected(), host.FocusOn)
	}
	press(c, "esc")
	if host.Covered() {
		t.Error("got a sheet after esc, want none")
	}
}

func TestASpanJoinsTheFilterOfTheWire(t *testing.T) {
	c, host, w := newController(t)
	w.SetView(1, 0)
	before := w.Scope()
	w.Filter("dir:in or dir:out")
	w.SetScope(before)
	c.Open()
	press(c, "v", "enter")
	if host.Covered() {
		t.Error("got a sheet after the filter, want the wire")
	}
	if w.Scope() != wire.OfAll {
		t.Errorf("got scope %s, want all as in the lanes", w.Scope())
	}
	first := w.FilterText()
	if !strings.HasPrefix(first, "until:") || !strings.HasSuffix(first, " (dir:in or dir:out)") {
		t.Errorf("got filter %q, want the span and the old filter in brackets", first)
	}
	c.Open()
	press(c, "w")
	if got := w.FilterText(); got != first {
		t.Errorf("got filter %q for the same span, want %q", got, first)
	}
	if w.Filter(""); w.Scope() != before {
		t.Errorf("got scope %s after the filter was cleared, want %s again", w.Scope(), before)
	}
	c.Open()
	press(c, "w")
	if got := w.FilterText(); got+" (dir:in or dir:out)" != first {
		t.Errorf("got filter %q, want the span alone", got)
	}
}

func TestMarksAreThoseOfTheWire(t *testing.T) {
	c, host, w := newController(t)
	w.Select(6)
	c.Open()
	press(c, "m")
	if !w.Marked(6) || host.LastNotice().Text != "marked #6" {
		t.Errorf("got %q and mark %v, want record 6 marked", host.LastNotice().Text, w.Marked(6))
	}
	panetest.Sees(t, screen(c), "◆")
	press(c, "m")
	if w.Marked(6) || host.LastNotice().Text != "unmarked #6" {
		t.Errorf("got %q and mark %v, want record 6 unmarked", host.LastNotice().Text, w.Marked(6))
	}
}

func TestTheFilterOfTheWireHidesLanes(t *testing.T) {
	c, _, w := newController(t)
	c.Open()
	w.Filter("kind:card")
	if text := screen(c); strings.Contains(text, "help me") || !strings.Contains(text, "no conversation") {
		t.Errorf("got lanes that the filter hides:\n%s", text)
	}
	w.Filter("")
	panetest.Sees(t, screen(c), "▌ help me")
}

func TestALaneOfADeliveryBelongsToItsTask(t *testing.T) {
	c, host, _ := newController(t)
	r := a2a.Record{ID: a2a.RecordID(host.State().Log.Len() + 1), Kind: a2a.KindDelivery, Dir: a2a.In, Time: controltest.Noon,
		Call: &a2a.Call{Agent: 1, Op: a2a.OpDelivery, Dialect: a2a.V10, TaskID: "t1"}, Raw: []byte(`{}`)}
	r.Exchange = r.ID
	apply(host, r)
	c.Open()
	if text := screen(c); strings.Index(text, "delivery") < strings.Index(text, "▌ help me") || !strings.Contains(text, "▌ Clerk delivery") {
		t.Errorf("got a delivery outside of the conversation of its task:\n%s", text)
	}
}

func TestInARecordingTheTimeStands(t *testing.T) {
	c, host, _ := newController(t)
	host.Refuses = "This is a recording."
	if n := c.Sheet().Next(); n != 0 {
		t.Errorf("the sheet changes in %v, want never in a recording", n)
	}
	c.Open()
	panetest.Sees(t, screen(c), "SendMessage")
}

func TestTheCopyGoesToTheClipboard(t *testing.T) {
	c, host, _ := newController(t)
	c.Open()
	press(c, "y")
	if len(host.Copied) != 1 || !strings.Contains(host.Copied[0], "Clerk, help me") {
		t.Errorf("got copies %q, want one with the lanes", host.Copied)
	}
}
