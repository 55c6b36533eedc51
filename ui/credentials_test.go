package ui

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"parley/a2a"
	"parley/session/log"
	"parley/ui/control"
)

// identified opens an agent that takes pins and has refused the last message.
func (d *desk) identified() *fakeEngine {
	d.t.Helper()
	d.book(allFound)
	return d.engine
}

// refuses answers a message with a 401.
func (d *desk) refuses(text string) {
	d.t.Helper()
	d.write(text)
	d.press("enter")
	call := &a2a.Call{Agent: 1, Conversation: 1, Turn: 1, Op: a2a.OpSend, Dialect: a2a.V10}
	meanwhile := d.meanwhile
	if meanwhile == nil {
		meanwhile = func() {}
	}
	head := &a2a.Head{Status: 401, Header: http.Header{}}
	if d.challenge != "" {
		head.Header.Set("WWW-Authenticate", d.challenge)
	}
	id, now := a2a.RecordID(d.model.state.Log.Len()+1), d.model.opts.Now()
	said := "h:1 requires credentials (401 Unauthorized): give them with --bearer or --api-key."
	d.send(batchMsg{Items: []log.Item{
		{Record: a2a.Record{ID: id, Exchange: id, Kind: a2a.KindRequest, Dir: a2a.Out, Call: call, Time: now,
			Raw: []byte(`{"jsonrpc":"2.0","id":"1","method":"SendMessage","params":{"message":{"messageId":"m1","role":"ROLE_USER","parts":[{"text":"` + text + `"}]}}}`)}},
	}})
	meanwhile()
	d.send(batchMsg{Items: []log.Item{
		{Record: a2a.Record{ID: id + 1, Exchange: id, Kind: a2a.KindHead, Dir: a2a.In, Time: now, Head: head, Call: call}},
		{Record: a2a.Record{ID: id + 2, Exchange: id, Kind: a2a.KindEnd, Time: now, End: &a2a.End{Reason: a2a.Ended, Class: a2a.ClassNoCredentials, Sentence: said}}},
	}})
	d.turnOver(1, said)
}

const typedSecret = "s3cr3t-t0ken"

func TestARefusedMessageIsSentAgainWithCredentials(t *testing.T) {
	t.Parallel()
	bubble(t, 120, 40, Options{}, func(d *desk) {
		e := d.identified()
		d.refuses("hello there")
		d.sees("f5 signs in")
		d.press("f5")
		for _, r := range typedSecret {
			d.write(string(r))
			if strings.Contains(d.text(), "s3c") {
				t.Fatalf("frame shows the secret:\n%s", d.text())
			}
		}
		d.press("enter")
		if want := []a2a.HeaderPair{{Name: "Authorization", Value: "Bearer " + typedSecret}}; !slices.Equal(e.Pinned.Headers, want) {
			t.Fatalf("got pinned headers %+v, want the bearer token", e.Pinned.Headers)
		}
		d.says("enter sends the message again")
		d.sees("hello there")
		before := len(e.Calls)
		d.press("enter")
		if len(e.Calls) == before || !strings.Contains(e.Calls[len(e.Calls)-1], `send "hello there"`) {
			t.Errorf("got engine calls %q, want the refused message sent again", e.Calls)
		}
		d.press("f5")
		d.sees("Authorization: Bearer •••")
		d.press("tab", "d")
		if len(e.Pinned.Headers) != 0 {
			t.Errorf("got pinned headers %+v, want none\n%s", e.Pinned.Headers, d.text())
		}
	})
}

// The form is that of the scheme in the agent's 401, whatever the card declares.
func TestTheFieldIsThatOfTheSchemeThatWasAskedFor(t *testing.T) {
	t.Parallel()
	bubble(t, 120, 40, Options{}, func(d *desk) {
		e := d.identified()
		d.model.agent().Card.SecuritySchemes = []a2a.SecurityScheme{{Key: "k", Type: "apiKey", In: "header", Name: "X-Key"}}
		d.challenge = "Bearer realm=\"desk\""
		d.refuses("hello there")
		d.press("f5")
		d.write(typedSecret)
		d.press("enter")
		if want := []a2a.HeaderPair{{Name: "Authorization", Value: "Bearer " + typedSecret}}; !slices.Equal(e.Pinned.Headers, want) {
			t.Errorf("got pinned headers %+v, want the bearer token\n%s", e.Pinned.Headers, d.text())
		}
	})
}

func TestAHeaderTypedIntoTheFinderIsMasked(t *testing.T) {
	t.Parallel()
	for name, enter := range map[string]func(d *desk, text string){
		"typed":  func(d *desk, text string) { d.write(text) },
		"pasted": func(d *desk, text string) { d.paste(text) },
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, 120, 40, Options{}, func(d *desk) {
				e := d.identified()
				e.Pinned.Headers = []a2a.HeaderPair{{Name: "authorization", Value: "Bearer previous-one"}, {Name: "X-Team", Value: "blue"}}
				d.press("ctrl+p")
				enter(d, "Pin header Authorization: Bearer "+typedSecret)
				if text := d.text(); strings.Contains(text, "s3c") || strings.Contains(text, "previous-one") {
					t.Fatalf("frame shows the secret:\n%s", text)
				}
				d.sees("credentials for ", "Authorization")
				d.press("enter")
				want := []a2a.HeaderPair{{Name: "X-Team", Value: "blue"}, {Name: "Authorization", Value: "Bearer " + typedSecret}}
				if !slices.Equal(e.Pinned.Headers, want) {
					t.Errorf("got pinned headers %+v, want %+v", e.Pinned.Headers, want)
				}
				d.press("ctrl+p")
				d.sees("find")
				if text := d.text(); strings.Contains(text, "s3c") {
					t.Errorf("finder shows the secret:\n%s", text)
				}
			})
		})
	}
}

func TestCredentialsInOtherWordsLeadToTheMaskedSheetToo(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"  /pin  header\tX-Pass:" + typedSecret:               "X-Pass: " + typedSecret,
		"pin token " + typedSecret:                            "Authorization: Bearer " + typedSecret,
		"pin bearer  " + typedSecret:                          "Authorization: Bearer " + typedSecret,
		"Authorization: Bearer " + typedSecret:                "Authorization: Bearer " + typedSecret,
		"x-api-key:" + typedSecret:                            "x-api-key: " + typedSecret,
		"https://auth:81/x":                                   "",
		"auth:8080":                                           "",
		"pin tenant token: " + strings.Repeat("x", 3):         "",
		"Say the following: a question about tokens and such": "",
	} {
		for _, paste := range []bool{false, true} {
			bubble(t, 120, 40, Options{}, func(d *desk) {
				e := d.identified()
				d.press("ctrl+p")
				if paste {
					d.paste(text)
				} else {
					d.write(text)
				}
				if want == "" {
					d.sees("─ find")
					return
				}
				if text := d.text(); strings.Contains(text, "s3c") {
					t.Fatalf("frame shows the secret:\n%s", text)
				}
				d.press("enter")
				if got := e.Pinned.Headers; len(got) != 1 || got[0].Name+": "+got[0].Value != want {
					t.Errorf("%q: got pinned headers %+v, want %q", text, got, want)
				}
			})
		}
	}
}

func TestATokenTypedIntoTheFinderIsMasked(t *testing.T) {
	t.Parallel()
	bubble(t, 120, 40, Options{}, func(d *desk) {
		d.identified()
		d.press("ctrl+p")
		d.paste("ghp_0123456789abcdefghijABCDEFGHIJ456789")
		if text := d.text(); strings.Contains(text, "ghp_") {
			t.Errorf("frame shows the token:\n%s", text)
		}
	})
}

func TestCredentialsAreOfferedInTheFinder(t *testing.T) {
	t.Parallel()
	bubble(t, 120, 40, Options{}, func(d *desk) {
		e := d.identified()
		e.Pinned = a2a.Pins{Headers: []a2a.HeaderPair{{Name: "X-Team", Value: "blue-blue"}, {Name: "Authorization", Value: "Basic abcdef"}}, APIKey: "key-key-key"}
		all := d.model.entries()
		for _, name := range []string{"Unpin X-Team: •••", "Unpin Authorization: Basic •••", "Unpin API key: •••"} {
			at := named(all, name)
			if at < 0 {
				t.Fatalf("the finder has no entry %q", name)
			}
			all[at].Value.(control.Command).Run()
		}
		if len(e.Pinned.Headers) != 0 || e.Pinned.APIKey != "" {
			t.Errorf("got pins %+v, want none", e.Pinned)
		}
	})
}
