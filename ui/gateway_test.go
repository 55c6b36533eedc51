package ui

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"parley/a2a"
	"parley/session/journal"
	"parley/session/log"
	"parley/ui/control"
	"parley/ui/palette"
)

// mesh plays a conversation in which an agent with a dialect, and more members of its profile,
// refers to files of its mesh, and returns the recorder for more.
func (d *desk) mesh(dialect a2a.DialectName, members ...string) *journal.Recorder {
	d.t.Helper()
	rec := journal.NewRecorder(d.feed, nil)
	rec.Put(a2a.Record{Kind: a2a.KindNote, Time: d.clock, Note: &a2a.Note{Type: log.NoteOpened, Attrs: map[string]string{
		"agent": "1", "ref": "http://mesh.example",
		"profile": fmt.Sprintf(`{"Dialect":%q,"Endpoint":"http://mesh.example"%s}`, dialect, strings.Join(members, "")),
	}}}, a2a.Update{})
	call := &a2a.Call{Agent: 1, Conversation: 1, Turn: 1, Op: a2a.OpSend, Dialect: dialect}
	request := rec.Put(a2a.Record{Kind: a2a.KindRequest, Dir: a2a.Out, Call: call, Time: d.clock, Raw: []byte(`{}`)}, a2a.Update{})
	file := func(uri string) string { return `{"kind":"file","file":{"uri":"` + uri + `"}}` }
	body := []byte(`{"jsonrpc":"2.0","id":1,"result":{"kind":"task","id":"t","contextId":"c","status":{"state":"completed","message":` +
		`{"kind":"message","messageId":"m","role":"agent","parts":[` + file("artifact://session_1/x.pdf") + `,` + file("https://a.example/y") + `]}},` +
		`"artifacts":[{"artifactId":"a","parts":[` + file("artifact://Orders/ann/s/r.pdf?version=2") + `,` + file("artifact://Orders/ann/s/r.pdf?version=2") + `]}]}}`)
	rec.Put(a2a.Record{Exchange: request, Kind: a2a.KindBody, Dir: a2a.In, Call: call, Time: d.clock, Raw: body},
		a2a.Decode(call, a2a.Input{Body: body, Status: 200}))
	rec.Put(a2a.Record{Exchange: request, Kind: a2a.KindEnd, Call: call, Time: d.clock, End: &a2a.End{Reason: a2a.Ended}}, a2a.Update{})
	d.wait(100 * time.Millisecond) // batches are a frame apart
	d.model.goTo(control.Place{Agent: 1, Conversation: 1})
	d.send(nil)
	return rec
}

// offered returns the commands that download, by name, with the reason if they are refused.
func (d *desk) offered() map[string]palette.Entry {
	out := map[string]palette.Entry{}
	for _, e := range d.model.entries() {
		if strings.HasPrefix(e.Name, "Download ") {
			out[e.Name] = e
		}
	}
	return out
}

const report = "Download r.pdf version 2 from the gateway"

func TestAnArtifactOfAMeshIsFetchedOnlyWhenItIsChosen(t *testing.T) {
	t.Parallel()
	bubble(t, 200, 40, Options{}, func(d *desk) {
		e := d.engine
		rec := d.mesh(a2a.SAMHTTP)
		all := d.offered()
		if got := all["Download artifact://session_1/x.pdf"].Why; len(all) != 2 || !strings.Contains(got, "does not name an agent, a user") {
			t.Errorf("got offers %+v, want 2, one of which is refused without an agent and a user", all)
		}
		if got := e.CallsOf("artifact"); len(got) > 0 {
			t.Fatalf("downloaded without being asked: %q", got)
		}
		d.press("ctrl+p")
		d.write("download r.pdf")
		d.press("enter")
		if got := strings.Join(e.CallsOf("artifact"), ","); got != "1 artifact://Orders/ann/s/r.pdf?version=2" {
			t.Fatalf("got downloads %q, want the second artifact once", got)
		}
		d.sees("asking http://mesh.example for r.pdf version 2")

		call := &a2a.Call{Agent: 1, Turn: 9, Op: a2a.OpArtifact, Dialect: a2a.SAMHTTP, URI: "artifact://Orders/ann/s/r.pdf?version=2"}
		request := rec.Put(a2a.Record{Kind: a2a.KindRequest, Dir: a2a.Out, Call: call, Time: d.clock,
			Head: &a2a.Head{Method: "GET", URL: "http://mesh.example/api/v1/artifacts/s/r.pdf/versions/2"}}, a2a.Update{})
		file := []byte("twelve ships \x1b[2J")
		came := rec.Put(a2a.Record{Exchange: request, Kind: a2a.KindBody, Dir: a2a.In, Call: call, Time: d.clock, Raw: file},
			a2a.Decode(call, a2a.Input{Body: file, Status: 200}))
		rec.Put(a2a.Record{Exchange: request, Kind: a2a.KindEnd, Call: call, Time: d.clock, End: &a2a.End{Reason: a2a.Ended}}, a2a.Update{})
		d.wait(unreadTime)
		if got := d.model.panes.wire.Selected(); got != came {
			t.Errorf("record %d is selected, want %d", got, came)
		}
		d.sees("artifact r.pdf version 2 17 B is in the wire pane", "GET artifact r.pdf version 2", "twelve ships")

		rec.Signal(log.Signal{Kind: log.SignalTurnOver, Agent: 1, Turn: 10, Sentence: "The gateway has no such artifact."})
		d.wait(unreadTime)
		d.sees("The gateway has no such artifact.")
	})
}

func TestWhyAnArtifactCannotBeFetchedIsSaid(t *testing.T) {
	t.Parallel()
	bubble(t, 120, 40, Options{}, func(d *desk) {
		e := d.engine
		d.mesh(a2a.V03)
		if got := d.offered()[report].Why; got != "only a Solace Agent Mesh gateway can download it" {
			t.Errorf("got reason %q, want that only a gateway can download it", got)
		}
		d.press("ctrl+p")
		d.write("download r.pdf")
		d.press("enter")
		d.sees("only a Solace Agent Mesh gateway")
		if got := e.CallsOf("artifact"); len(got) > 0 {
			t.Errorf("got downloads %q, want none", got)
		}
		d.model.opts.Engine = RecordingEngine()
		if got := d.offered()[report].Why; got != "This is a recording; nothing can be sent." {
			t.Errorf("got reason %q in a recording", got)
		}
	})
}

func TestFilesOfAMeshOnABrokerNeedItsGateway(t *testing.T) {
	t.Parallel()
	for gateway, want := range map[string]string{"false": "name an HTTP gateway of the mesh with artifact-gateway", "true": ""} {
		bubble(t, 200, 40, Options{}, func(d *desk) {
			d.mesh(a2a.SAMBroker, `,"Binding":"MQTT","ArtifactGateway":`+gateway)
			got := d.offered()[report].Why
			if want == "" && got != "" || !strings.Contains(got, want) {
				t.Errorf("gateway %s: got reason %q, want %q", gateway, got, want)
			}
		})
	}
}
