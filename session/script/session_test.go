package script_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"parley/a2a"
	"parley/session/export/excerpt"
	"parley/session/log"
	"parley/session/script"
	"parley/session/sessiontest"
)

// written returns the steps of a session, and fails unless they can be read again.
func written(t *testing.T, tape *sessiontest.Tape) string {
	t.Helper()
	p, err := excerpt.Choose(tape.State, "talk", excerpt.Choice{})
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := script.Write(t.Context(), &b, p, func(int, int) {}); err != nil {
		t.Fatal(err)
	}
	_, steps, _ := strings.Cut(b.String(), "verbs.\n")
	if strings.Contains(steps, "Say") {
		if _, err := script.Parse("x", b.Bytes()); err != nil {
			t.Errorf("%v in\n%s", err, b.String())
		}
	}
	return strings.TrimSpace(steps)
}

// open notes that an agent was opened.
func open(tape *sessiontest.Tape, ref string) {
	tape.Put(a2a.Record{Kind: a2a.KindNote, Note: &a2a.Note{Type: log.NoteOpening, Attrs: map[string]string{log.AttrAgent: "1", log.AttrRef: ref}}})
}

// turn sends a text and puts the answer.
func turn(tape *sessiontest.Tape, n a2a.TurnID, task, text string, events ...string) {
	call := sessiontest.CallOf(a2a.OpStream, n)
	call.TaskID = task
	x := tape.Ask(call, text)
	for _, e := range events {
		tape.Event(x, call, e)
	}
	tape.End(x, call, a2a.End{Reason: a2a.Ended})
}

func TestASessionBecomesAScript(t *testing.T) {
	tape := sessiontest.NewTape()
	open(tape, "http://agent.example")
	turn(tape, 1, "", "hi", begins, asksForMore)
	tape.At = tape.At.Add(time.Minute)
	turn(tape, 2, "t", "to \"Lisbon\"", sessiontest.StatusWord("COMPLETED"))
	tape.At = tape.At.Add(1234 * time.Millisecond)
	turn(tape, 3, "", "and now?", `{"message":{"messageId":"m","contextId":"c","role":"ROLE_AGENT","parts":[{"text":"by the way"}]}}`)
	want := `Open http://agent.example
Say "hi"
Wait input-required
Pause 5s
Answer 'to "Lisbon"'
Wait completed
Pause 1.3s
Say "and now?"
Wait`
	if got := written(t, tape); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// A script names the agent of a mesh, whichever announced itself first.
func TestAScriptNamesTheAgentOfAMesh(t *testing.T) {
	tape := sessiontest.NewTape()
	open(tape, "mqtt://broker.example/n")
	call := &a2a.Call{Agent: 1, Op: a2a.OpCard, Endpoint: "mqtt://broker.example:1883/n/a2a/v1/discovery/agentcards", Binding: a2a.BindingMQTT}
	card := []byte(`{"name":"Billing","url":"solace:n/a2a/v1/agent/request/Billing","version":"1","protocolVersion":"0.3.0","capabilities":{},"skills":[]}`)
	x := tape.Put(a2a.Record{Kind: a2a.KindRequest, Dir: a2a.Local, Call: call})
	record := tape.Put(a2a.Record{Kind: a2a.KindBody, Dir: a2a.In, Exchange: x, Call: call, Raw: card})
	tape.Put(a2a.Record{Kind: a2a.KindNote, Note: &a2a.Note{Type: log.NoteOpened, Attrs: map[string]string{log.AttrAgent: "1", log.AttrRecord: log.IDText(record)}}})
	turn(tape, 1, "", "hi", begins)
	if got := written(t, tape); !strings.HasPrefix(got, "Open mqtt://broker.example:1883/n#Billing") {
		t.Errorf("got\n%s\nwant the address of the agent", got)
	}
}

func TestCommentsSayWhatAScriptCannot(t *testing.T) {
	tape := sessiontest.NewTape()
	open(tape, "http://user:password@agent.example")
	turn(tape, 1, "", "hold a seat", begins)
	cancel := sessiontest.CallOf(a2a.OpCancel, 1)
	cancel.TaskID = "t"
	x := tape.Put(a2a.Record{Kind: a2a.KindRequest, Dir: a2a.Out, Call: cancel, Raw: []byte(`{}`)})
	tape.Put(a2a.Record{Kind: a2a.KindBody, Dir: a2a.In, Exchange: x, Call: cancel, Raw: []byte(`{"jsonrpc":"2.0","id":"r","result":{"id":"t","contextId":"c","status":{"state":"TASK_STATE_CANCELED"}}}`)})
	tape.End(x, cancel, a2a.End{Reason: a2a.Ended})
	turn(tape, 2, "", "the password is "+a2a.Mask, begins)
	turn(tape, 3, "", strings.Repeat("long ", 20_000), begins)
	tape.Put(a2a.Record{Kind: a2a.KindNote, Note: &a2a.Note{Type: log.NoteVerdict, Attrs: map[string]string{log.AttrTurn: "4", log.AttrFault: "cut"}}})
	turn(tape, 4, "", "again\u202e", strings.ReplaceAll(begins, `"t"`, `"u"`), strings.ReplaceAll(sessiontest.StatusWord("FAILED"), `"t"`, `"u"`))
	got := written(t, tape)
	for _, want := range []string{
		"# The address contains a secret: name the agent in a variable.\nOpen $AGENT",
		"Say \"hold a seat\"\n# Left out: the request to cancel the task.",
		"Left out: a message that was masked as a secret, “the password is •••”, record ", "Left out: a message that is longer than a line of a script can be, record ",
		`Say "again\u202e"` + "\n# Left out: the injected fault “cut”.\nWait failed",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("got no %q in\n%.2000s", want, got)
		}
	}
	if strings.Contains(got, "password@") {
		t.Errorf("got the password in\n%s", got)
	}
}

func TestASessionWithoutMessagesIsAComment(t *testing.T) {
	if got := written(t, sessiontest.NewTape()); got != "# There is no message that a script can send." {
		t.Errorf("got %s", got)
	}
}

// A script of a session is never larger than one that can be read.
func TestAScriptOfALongSessionEnds(t *testing.T) {
	tape := sessiontest.NewTape()
	open(tape, "http://agent.example")
	for n := range a2a.TurnID(30) {
		turn(tape, n+1, "", strings.Repeat("x", 40_000), begins)
	}
	if got := written(t, tape); !strings.HasSuffix(got, "# The rest of the session is left out: a script has at most 1 MB.") {
		t.Errorf("got the end %q", got[len(got)-100:])
	}
}
