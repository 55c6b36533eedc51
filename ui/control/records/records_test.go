package records_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/internal/panetest"
	"parley/session/log"
	"parley/session/model"
	"parley/themes"
	"parley/ui/action"
	"parley/ui/control"
	"parley/ui/control/controltest"
	"parley/ui/control/records"
	"parley/ui/menu"
	"parley/ui/styles"
	"parley/ui/wire"
)

// A fixture is a controller with the panes that it works on.
type fixture struct {
	*controltest.Host
	*records.Controller
	wire     *wire.Pane
	chat     chatCursor
	arranged int
}

// A chatCursor is the record under the cursor of the conversation.
type chatCursor a2a.RecordID

func (c *chatCursor) Selected() a2a.RecordID { return a2a.RecordID(*c) }

// The exchanges of the fixture: a note without one, a stream that is open, and a plain answer.
const (
	note a2a.RecordID = iota + 1
	streamRequest
	streamEvent
	plainRequest
	plainBody
)

// newFixture returns a controller of a session with an agent and two exchanges. The wire pane
// has the focus.
func newFixture() *fixture {
	f := &fixture{Host: controltest.NewHost(model.NewState())}
	f.add(a2a.Record{Kind: a2a.KindNote, Note: &a2a.Note{Type: log.NoteOpening, Attrs: map[string]string{"agent": "1", "ref": "http://desk", "name": "Desk"}}})
	stream := &a2a.Call{Agent: 1, Conversation: 1, Turn: 1, Op: a2a.OpStream, Dialect: a2a.V10, Binding: a2a.BindingJSONRPC}
	head := &a2a.Head{Method: "POST", URL: "http://desk/rpc", Header: http.Header{"Content-Type": {"application/json"}}}
	f.add(a2a.Record{Kind: a2a.KindRequest, Dir: a2a.Out, Exchange: streamRequest, Call: stream, Head: head, Raw: []byte(message)})
	data := `{"jsonrpc":"2.0","id":"1","result":{"statusUpdate":{"taskId":"task-1","contextId":"c","status":{"state":"TASK_STATE_WORKING"}}}}`
	f.add(a2a.Record{Kind: a2a.KindEvent, Dir: a2a.In, Exchange: streamRequest, Call: stream, Raw: []byte("data: " + data + "\n\n"), Data: []byte(data)})
	get := &a2a.Call{Agent: 1, Conversation: 1, Turn: 2, Op: a2a.OpGet, Dialect: a2a.V10, TaskID: "task-2"}
	f.add(a2a.Record{Kind: a2a.KindRequest, Dir: a2a.Out, Exchange: plainRequest, Call: get, Head: &a2a.Head{Method: "GET", URL: "http://desk/tasks/2"}})
	f.add(a2a.Record{Kind: a2a.KindBody, Dir: a2a.In, Exchange: plainRequest, Call: get, Raw: []byte(`{"id":"task-2"}`)})
	f.At, f.FocusOn = control.Place{Agent: 1, Conversation: 1}, control.OnWire

	st := styles.New(themes.Mono(), styles.ASCII())
	f.wire = wire.New(st)
	f.wire.SetLog(f.Session.Log)
	f.wire.SetSize(80, 24)
	f.Controller = records.New(f.Host, st, records.Panes{Wire: f.wire, Chat: &f.chat, Arrange: func() { f.arranged++ }})
	return f
}

const message = `{"jsonrpc":"2.0","id":"1","method":"SendStreamingMessage","params":{"message":{"messageId":"m","role":"ROLE_USER","parts":[{"text":"hi"}]}}}`

// add adds a record to the session.
func (f *fixture) add(r a2a.Record) {
	r.ID, r.Time = a2a.RecordID(f.Session.Log.Len()+1), controltest.Noon
	it := log.Item{Record: r}
	if r.Kind == a2a.KindEvent || r.Kind == a2a.KindBody {
		it.Update = a2a.Decode(r.Call, a2a.Input{Body: r.Payload(), Status: 200, Stream: r.Kind == a2a.KindEvent})
	}
	f.Session.Apply(it)
}

// press presses a key for the record under the cursor, and reports whether it was one.
func (f *fixture) press(name string) bool {
	_, taken := controltest.Press(f.Actions(), name)
	return taken
}

// lastMenu returns the items of the last menu by their keys.
func (f *fixture) lastMenu(t *testing.T) map[string]menu.Item {
	t.Helper()
	if len(f.Menus) == 0 {
		t.Fatalf("got no menu, want one; notice %+v", f.LastNotice())
	}
	items := map[string]menu.Item{}
	for _, it := range f.Menus[len(f.Menus)-1].Items {
		items[it.Key] = it
	}
	return items
}

// command returns the command with a name.
func (f *fixture) command(t *testing.T, name string) control.Command {
	t.Helper()
	for _, c := range controltest.Commands(slices.Concat(f.Actions(), f.FilterActions())) {
		if c.Name == name {
			return c
		}
	}
	t.Fatalf("got no command %q", name)
	return control.Command{}
}

func TestTheExchangeOfARecordIsCopied(t *testing.T) {
	f := newFixture()
	f.wire.Select(streamEvent)
	f.press("c")
	items := f.lastMenu(t)
	for _, key := range []string{"c", "j", "r", "b"} {
		if items[key].Why != "" {
			t.Errorf("%s is refused: %s", key, items[key].Why)
			continue
		}
		items[key].Value.(control.Action)()
	}
	if len(f.Copied) != 4 {
		t.Fatalf("got %d copies, want 4", len(f.Copied))
	}
	if items["j"].Name != "JSON-RPC request" || f.Copied[1] != message {
		t.Errorf("got %q under the name %q, want the JSON-RPC request", f.Copied[1], items["j"].Name)
	}
	for i, want := range []string{"curl", message, "POST http://desk/rpc HTTP/1.1\r\n", `data: {"jsonrpc"`} {
		if !strings.Contains(f.Copied[i], want) {
			t.Errorf("copy %d: got %q, want %q in it", i, f.Copied[i], want)
		}
	}
}

func TestWhatCannotBeCopiedSaysWhy(t *testing.T) {
	f := newFixture()
	f.wire.Select(note)
	f.press("c")
	if got := f.LastNotice(); f.Menus != nil || !got.Bad || !strings.Contains(got.Text, "belongs to no request") {
		t.Errorf("got menus %+v and notice %+v, want a refusal", f.Menus, got)
	}
	f.wire.Select(plainBody)
	f.press("c")
	if items := f.lastMenu(t); items["j"].Why != "this request has no body" || items["b"].Why != "" {
		t.Errorf("got reasons %q and %q, want only that the request has no body", items["j"].Why, items["b"].Why)
	}
	f.add(a2a.Record{Kind: a2a.KindRequest, Exchange: 6, Call: &a2a.Call{Agent: 1, Op: a2a.OpCard}, Head: &a2a.Head{Method: "READ", URL: "file:///card.json"}})
	f.CopyMenu(f.Session.Log.At(6))
	if items := f.lastMenu(t); items["c"].Why != "this was not an HTTP request" || items["b"].Why != "there is no response yet" {
		t.Errorf("got reasons %q and %q, want that there is no HTTP and no response", items["c"].Why, items["b"].Why)
	}
	f.add(a2a.Record{Kind: a2a.KindBody, Dir: a2a.In, Exchange: 6, Call: &a2a.Call{Agent: 1, Op: a2a.OpCard}, Raw: []byte("{"), Omitted: 9})
	f.CopyMenu(f.Session.Log.At(7))
	if items := f.lastMenu(t); items["b"].Why != "it is too large: it was not recorded completely" {
		t.Errorf("got reason %q, want that the response is not complete", items["b"].Why)
	}
	f.add(a2a.Record{Kind: a2a.KindRequest, Exchange: 8, Call: &a2a.Call{Agent: 1, Op: a2a.OpSend}, Head: &a2a.Head{Method: "POST", URL: "http://desk"}, Raw: make([]byte, control.MaxClipboard+1)})
	f.CopyMenu(f.Session.Log.At(8))
	for _, key := range []string{"c", "j", "r"} {
		if got := f.lastMenu(t)[key].Why; !strings.Contains(got, "limit of a terminal's clipboard") {
			t.Errorf("%s: got reason %q, want the limit of the clipboard", key, got)
		}
	}
}

func TestTheCursorOfThePaneWithTheFocusCounts(t *testing.T) {
	f := newFixture()
	f.wire.Select(streamEvent)
	f.chat = chatCursor(plainBody)
	for _, c := range []struct {
		focus control.Focus
		title string
	}{{control.OnWire, "Desk, hi, #2"}, {control.OnChat, "Desk, hi, #4"}} {
		f.FocusOn, f.Menus = c.focus, nil
		if got := f.press("c"); !got || len(f.Menus) != 1 || f.Menus[0].Note != c.title {
			t.Errorf("focus %v: got menus %+v, want that of %s", c.focus, f.Menus, c.title)
		}
	}
	if f.FocusOn = control.OnWire; f.press("x") {
		t.Error("x is taken, want only the keys for records")
	}
}

func TestFaultsAreInjectedIntoTheOpenStream(t *testing.T) {
	f := newFixture()
	f.wire.Select(streamEvent)
	f.press("!")
	items := f.lastMenu(t)
	for _, key := range []string{"x", "p", "d", "r", "c"} {
		items[key].Value.(control.NumberAction)(0)
	}
	items["k"].Value.(control.NumberAction)(12)
	want := []string{"2 cut 0", "2 stop reading 0", "2 duplicate 0", "2 re-attach 0", "2 cancel 0", "2 cut 12"}
	if got := f.Fake.CallsOf("fault"); !slices.Equal(got, want) {
		t.Errorf("got faults %q, want %q", got, want)
	}
	f.Fake.Paused, f.Fake.Calls = true, nil
	f.press("!")
	f.lastMenu(t)["p"].Value.(control.NumberAction)(0)
	if got := f.Fake.CallsOf("fault"); !slices.Equal(got, []string{"2 read on 0"}) || f.LastNotice().Text != "reading is resumed" {
		t.Errorf("got faults %q and notice %+v, want that reading is resumed", got, f.LastNotice())
	}
	f.Fake.FaultRefusal = "The agent's dialect has no subscription."
	items["d"].Value.(control.NumberAction)(0)
	if got := f.LastNotice(); got != (controltest.Notice{Text: f.Fake.FaultRefusal, Bad: true}) {
		t.Errorf("got notice %+v, want the refusal of the engine", got)
	}
}

func TestFaultsNeedAnOpenStream(t *testing.T) {
	f := newFixture()
	f.wire.Select(plainBody) // not a stream, but the conversation has one
	f.press("!")
	if len(f.Menus) != 1 || f.Menus[0].Note != "Desk, hi, #2" {
		t.Errorf("got menus %+v, want that of the stream, #2", f.Menus)
	}
	f.At, f.Menus = control.Place{Agent: 1}, nil
	f.press("!")
	if got := f.LastNotice(); f.Menus != nil || got.Text != "No stream is open here: fault injection needs an open stream." {
		t.Errorf("got menus %+v and notice %+v, want a refusal outside of the conversation", f.Menus, got)
	}
	const name = "Inject faults into the open stream"
	if got := f.command(t, name).Why; got != "no stream is open here" {
		t.Errorf("got reason %q, want that no stream is open", got)
	}
	f.wire.Select(streamEvent)
	if got := f.command(t, name).Why; got != "" {
		t.Errorf("got reason %q for an open stream, want none", got)
	}
	f.add(a2a.Record{Kind: a2a.KindEnd, Dir: a2a.In, Exchange: a2a.ExchangeID(streamRequest), Call: f.Session.Log.At(streamRequest).Record.Call, End: &a2a.End{Reason: a2a.Ended}})
	if got := f.command(t, name).Why; got != "no stream is open here" {
		t.Errorf("got reason %q after the stream ended, want that no stream is open", got)
	}
}

func TestAVerdictIsReportedInALiveSession(t *testing.T) {
	f := newFixture()
	verdict := &log.Item{Record: a2a.Record{Kind: a2a.KindNote, Note: &a2a.Note{Type: log.NoteVerdict, Attrs: map[string]string{"sentence": "The agent resumed."}}}}
	f.OnItem(verdict)
	f.OnItem(f.Session.Log.At(note))
	f.Refuses = "This is a recording."
	f.OnItem(verdict)
	if want := []controltest.Notice{{Text: "The agent resumed."}}; !slices.Equal(f.Said, want) {
		t.Errorf("got notices %+v, want %+v", f.Said, want)
	}
}

func TestARequestIsEditedSentAndFollowed(t *testing.T) {
	f := newFixture()
	f.wire.Select(streamEvent)
	f.press("e")
	if f.Shown != records.RequestSheet {
		t.Fatalf("got sheet %q, want %q", f.Shown, records.RequestSheet)
	}
	s := f.Controller.Sheet()
	s.Pane.SetSize(80, 24)
	panetest.Sees(t, panetest.Text(s.Pane.Lines()), "POST http://desk/rpc", "fresh-1")
	if s.Key(panetest.Key("alt+e")); len(f.Edited) != 1 || !strings.Contains(f.Edited[0], "POST http://desk/rpc") {
		t.Errorf("got texts %q in the editor, want the request", f.Edited)
	}
	f.SetRequest("POST http://desk/rpc\nContent-Type: application/json\n\n{\"mine\":1}")
	s.Key(panetest.Key("alt+enter"))
	if got := f.Fake.Requests; len(got) != 1 || string(got[0].Body) != `{"mine":1}` || got[0].Method != "POST" {
		t.Fatalf("got requests %+v, want the edited one", got)
	}
	if f.Shown != "" || f.FocusOn != control.OnWire || f.LastNotice().Bad {
		t.Errorf("got sheet %q, focus %v and notice %+v, want the wire without a sheet", f.Shown, f.FocusOn, f.LastNotice())
	}
	f.OnChange(model.Change{Agent: 1, Turn: 7, Conversation: 8}) // another turn
	f.OnChange(model.Change{Agent: 1, Turn: 1_000})              // the turn has no conversation yet
	if len(f.Visited) != 0 {
		t.Errorf("got visits %+v, want none before the conversation is known", f.Visited)
	}
	f.OnChange(model.Change{Agent: 1, Turn: 1_000, Conversation: 9})
	f.OnChange(model.Change{Agent: 1, Turn: 1_000, Conversation: 9})
	if want := []control.Place{{Agent: 1, Conversation: 9}}; !slices.Equal(f.Visited, want) {
		t.Errorf("got visits %+v, want %+v once", f.Visited, want)
	}
}

func TestAnUnsentRequestStays(t *testing.T) {
	f := newFixture()
	f.WriteRequest()
	s := f.Controller.Sheet()
	s.Pane.SetSize(80, 24)
	panetest.Sees(t, panetest.Text(s.Pane.Lines()), "GetTask", "ListTasks")
	s.Key(panetest.Key("enter"))
	s.Paste(tea.PasteMsg{Content: "half-written"})
	s.Key(panetest.Key("esc"))
	if f.Shown != "" {
		t.Fatalf("got sheet %q after esc, want none", f.Shown)
	}
	f.WriteRequest()
	panetest.Sees(t, panetest.Text(s.Pane.Lines()), "half-written")
}

func TestRequestsNeedAnAgentAndALiveSession(t *testing.T) {
	f := newFixture()
	f.wire.Select(note)
	f.press("e")
	if got := f.LastNotice(); f.Shown != "" || !strings.Contains(got.Text, "belongs to no request") {
		t.Errorf("got sheet %q and notice %+v, want that the note has no request", f.Shown, got)
	}
	f.At = control.Place{}
	f.WriteRequest()
	if got := f.LastNotice(); f.Shown != "" || got.Text != control.NoAgent(f) {
		t.Errorf("got sheet %q and notice %+v, want %q", f.Shown, got, control.NoAgent(f))
	}
	f.Refuses = "This is a recording."
	f.wire.Select(streamEvent)
	for _, key := range []string{"e", "!"} {
		f.Said = nil
		f.press(key)
		if got := f.LastNotice(); f.Shown != "" || f.Menus != nil || got.Text != f.Refuses {
			t.Errorf("%s: got sheet %q, menus %+v and notice %+v, want %q", key, f.Shown, f.Menus, got, f.Refuses)
		}
	}
	if f.press("c"); len(f.Menus) != 1 {
		t.Errorf("got menus %+v, want that of copies in a recording too", f.Menus)
	}
	var enabled []string
	for _, k := range action.New(nil, f.Actions()...).ShortHelp() {
		if k.Enabled() {
			enabled = append(enabled, k.Help().Key)
		}
	}
	if !slices.Equal(enabled, []string{"c"}) {
		t.Errorf("got keys %q in the footer of a recording, want c alone", enabled)
	}
}

func TestCommandsFilterTheWire(t *testing.T) {
	f := newFixture()
	f.FocusOn = control.OnChat
	f.wire.Select(plainBody)
	for name, want := range map[string]string{
		"Wire: failures": "error", "Wire: this agent": "agent:Desk", "Wire: this task": "task:task-2",
	} {
		c := f.command(t, name)
		if c.Why != "" || c.Note != want {
			t.Errorf("%s: got reason %q and filter %q, want %q", name, c.Why, c.Note, want)
		}
	}
	f.command(t, "Wire: this agent").Run()
	if !f.wire.Filtered() || f.FocusOn != control.OnWire || f.arranged != 1 {
		t.Errorf("got filtered %v, focus %v and %d arrangements, want the wire filtered and arranged", f.wire.Filtered(), f.FocusOn, f.arranged)
	}
	f.command(t, "Wire: all records").Run()
	if f.wire.Filtered() {
		t.Error("the wire is filtered after all records were chosen")
	}
	f.wire.Select(note)
	if got := f.command(t, "Wire: this task").Why; got != "the selected record names no task" {
		t.Errorf("got reason %q, want that the record names no task", got)
	}
	f.At = control.Place{}
	if got := f.command(t, "Wire: this agent").Why; got != "no agent is open" {
		t.Errorf("got reason %q, want that no agent is open", got)
	}
}
