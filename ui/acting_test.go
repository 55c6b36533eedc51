package ui

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/a2a/curl"
	"parley/session/log"
	"parley/ui/control"
)

// byHand plays the booking to its end.
func (d *desk) byHand() *fakeEngine {
	d.t.Helper()
	d.book(allBooked)
	return d.engine
}

func TestACapturedRequestIsChangedAndSentAgain(t *testing.T) {
	t.Parallel()
	bubble(t, 120, 40, Options{}, func(d *desk) {
		e := d.byHand()
		d.press("tab", "tab", "k", "k", "e") // on an event: its exchange's request is meant
		d.sees("request", "POST http", "SendStreamingMessage", "unchanged from #", "with new ids", "fresh-1")
		d.press("right")
		d.write(`"mine": 1,`)
		d.press("alt+enter")
		if len(e.Requests) != 1 || !strings.Contains(string(e.Requests[0].Body), `"mine": 1`) || e.Requests[0].Method != "POST" {
			t.Fatalf("sent requests %+v, want one POST with \"mine\": 1", e.Requests)
		}
		if d.model.screen.over != noOverlay || d.model.screen.at != control.OnWire {
			t.Errorf("got overlay %q and focus %v after sending, want none and the wire", d.model.screen.over, d.model.screen.at)
		}
		d.sees("sent to Travel Desk as it was written", "tab pane")
		d.press("e", "alt+up")
		d.sees(`"mine": 1`)
	})
}

func TestARequestIsCheckedByTheRulesWhileItIsWritten(t *testing.T) {
	t.Parallel()
	bubble(t, 140, 60, Options{}, func(d *desk) {
		d.byHand()
		d.press("tab", "tab", "e")
		clean := strings.Contains(d.text(), "METH-")
		d.press("alt+>")
		d.model.records.SetRequest("POST http://a.example/\nContent-Type: application/json\n\n" + `{"jsonrpc":"2.0","id":"1","method":"tasks/bogus","params":{}}`)
		d.send(nil)
		d.model.touch()
		d.draw()
		if clean || !strings.Contains(d.text(), "METH-") {
			t.Errorf("before: no finding %v, want true; then want a METH- finding:\n%s", clean, d.text())
		}
	})
}

func TestARequestIsBegunWithAMethodOfTheAgent(t *testing.T) {
	t.Parallel()
	bubble(t, 120, 40, Options{}, func(d *desk) {
		e := d.byHand()
		d.press("ctrl+p")
		d.write("write a request")
		d.press("enter")
		d.sees("choose template of a request to Travel Desk", "method", "GetTask", "ListTasks")
		d.press("enter", "alt+enter")
		if len(e.Requests) != 1 || e.Requests[0].URL != "http://agent1.example/get" {
			t.Errorf("sent requests %+v, want one to http://agent1.example/get", e.Requests)
		}
		d.model.records.WriteRequest() // again, since nothing unsent is left
		d.press("enter", "right")
		d.write("half")
		d.press("esc")
		d.sees("conversation")
		d.model.records.WriteRequest()
		d.model.touch()
		d.draw()
		d.sees("half")
	})
}

func TestTheConversationOfARequestWrittenByHandIsShown(t *testing.T) {
	t.Parallel()
	bubble(t, 120, 40, Options{}, func(d *desk) {
		d.byHand()
		d.press("ctrl+n")
		d.model.records.WriteRequest()
		d.press("enter", "alt+enter")
		if d.model.cur.Conversation != 0 {
			t.Fatal("got a conversation on the screen before any record names it, want none")
		}
		d.send(batchMsg{Items: []log.Item{{Record: a2a.Record{
			ID: allBooked + 1, Exchange: allBooked + 1, Kind: a2a.KindRequest, Dir: a2a.Out, Time: d.clock,
			Call: &a2a.Call{Agent: 1, Conversation: 77, Turn: 1_000, Op: a2a.OpGet, Raw: true}, Head: &a2a.Head{Method: "POST", URL: "http://h/"},
		}}}})
		if d.model.cur.Conversation != 77 {
			t.Errorf("got conversation %d on the screen, want 77", d.model.cur.Conversation)
		}
		d.sees("wrote a request by hand: POST /")
	})
}

func TestTheEditorIsGivenTheRequestWithoutSecrets(t *testing.T) {
	t.Parallel()
	bubble(t, 120, 40, Options{}, func(d *desk) {
		d.byHand()
		d.send(batchMsg{Items: []log.Item{{Record: a2a.Record{
			ID: allBooked + 1, Exchange: allBooked + 1, Kind: a2a.KindRequest, Dir: a2a.Out, Time: d.clock, Call: &a2a.Call{Agent: 1, Op: a2a.OpGet},
			Head:       &a2a.Head{Method: "POST", URL: "http://h/", Header: http.Header{"Authorization": {"Bearer •••"}}},
			Redactions: []a2a.Redaction{{Name: "header Authorization", Size: 6, Original: "s3cret"}},
		}}}})
		d.press("tab", "tab", "e")
		d.sees("Authorization: Bearer •••", "fills it in when it sends")
		if strings.Contains(d.text(), "s3cret") {
			t.Errorf("frame shows the secret:\n%s", d.text())
		}
		e := d.engine
		d.send(control.EditedMsg{Text: "POST http://h/x\nAuthorization: Bearer •••\n\n{}", Request: true})
		d.press("alt+enter")
		if len(e.Requests) != 1 || e.Requests[0].Header.Get("Authorization") != "Bearer s3cret" || e.Requests[0].URL != "http://h/x" {
			t.Errorf("sent requests %+v, want one to http://h/x with the real Authorization header", e.Requests)
		}
	})
}

func TestWhatIsCopiedOfAnExchange(t *testing.T) {
	t.Parallel()
	bubble(t, 120, 40, Options{}, func(d *desk) {
		d.book(allBooked)
		d.press("tab", "tab", "k", "k", "c")
		d.sees("copy", "c  curl", "j  JSON-RPC request", "r  raw request", "b  response body")
		all := d.model.state.Log
		it := all.At(all.At(d.model.panes.wire.Selected()).Record.Exchange)
		var body strings.Builder
		for _, id := range all.Exchange(it.Record.ID)[1:] {
			body.Write(all.At(id).Record.Raw)
		}
		d.press("esc")
		line := curl.Command(&it.Record, all.SentHead(it.Record.ID))
		for key, want := range map[string]string{"c": line, "j": string(it.Record.Raw), "b": body.String()} {
			d.press("c", key)
			if d.copied != want || want == "" {
				t.Errorf("%s copied %.200q, want %.200q", key, d.copied, want)
			}
			if d.model.screen.over != noOverlay {
				t.Errorf("%s: got overlay %q, want the menu closed", key, d.model.screen.over)
			}
		}
		if !strings.HasPrefix(line, "curl ") || !strings.Contains(line, "SendStreamingMessage") {
			t.Errorf("got curl command %s, want one that starts with curl and sends SendStreamingMessage", line)
		}
		d.press("c", "r")
		if raw := d.copied; !strings.HasPrefix(raw, "POST http") || !strings.HasSuffix(raw, "\r\n\r\n"+string(it.Record.Raw)) || !strings.Contains(raw, "Content-Type: application/json\r\n") {
			t.Errorf("got raw request\n%s\nwant head and body as they were sent", raw)
		}
	})
}

func TestWhatIsNotThereIsNotCopied(t *testing.T) {
	t.Parallel()
	bubble(t, 120, 40, Options{}, func(d *desk) {
		d.byHand()
		put := func(r a2a.Record) {
			r.ID, r.Time, r.Exchange = a2a.RecordID(d.model.state.Log.Len()+1), d.clock, allBooked+1
			d.send(batchMsg{Items: []log.Item{{Record: r}}})
		}
		put(a2a.Record{Kind: a2a.KindRequest, Call: &a2a.Call{Agent: 1, Op: a2a.OpCard}, Head: &a2a.Head{Method: "GET", URL: "http://h/"}})
		d.press("tab", "tab", "c")
		d.sees("this request has no body", "there is no response yet")
		d.press("b")
		if slices.Contains(d.outside, "tea.setClipboardMsg") {
			t.Error("got a copy to the clipboard, want none")
		}
		d.press("esc")
		put(a2a.Record{Kind: a2a.KindBody, Raw: []byte("the beginning"), Omitted: 1 << 30})
		d.press("G", "c")
		d.sees("it was not recorded completely")
	})
}

func TestWhyNothingCanBeDoneIsSaid(t *testing.T) {
	t.Parallel()
	bubble(t, 120, 40, Options{}, func(d *desk) {
		d.press("tab", "tab", "c")
		d.sees("belongs to no request")
		d.model.opts.Engine = RecordingEngine()
		d.press("e")
		d.sees("This is a recording")
		d.model.opts.Engine = d.engine
		d.press("e")
		d.sees("belongs to no request")
		d.press("ctrl+p")
		d.write("edit and resend")
		d.sees("no record of a request is selected")
		d.press("esc")
		d.model.records.WriteRequest()
		d.send(tea.WindowSizeMsg{Width: 120, Height: 40})
		d.sees("No agent is open")
	})
}

func TestATextThatNoTerminalTakesIsNotHalfCopied(t *testing.T) {
	t.Parallel()
	bubble(t, 120, 40, Options{}, func(d *desk) {
		for _, c := range []struct {
			size   int
			copies bool
			says   string
		}{{10, true, "copied"}, {1 << 20, true, "terminal may accept less"}, {control.MaxClipboard + 1, false, "the limit of a terminal's clipboard"}} {
			d.outside = nil
			d.run(d.model.copy(strings.Repeat("x", c.size), "record 1"))
			d.settle()
			d.draw()
			d.says(c.says)
			d.wait(unreadTime)
			if slices.Contains(d.outside, "tea.setClipboardMsg") != c.copies {
				t.Errorf("%d bytes: got messages %q; a copy to the clipboard is unexpected or missing", c.size, d.outside)
			}
		}
	})
}
