package request

import (
	"fmt"
	"strings"
	"testing"

	"parley/a2a"
)

const sentMessage = `{"jsonrpc":"2.0","id":"old-1","method":"SendMessage","params":{"message":{"messageId":"old-2","role":"ROLE_USER","parts":[{"text":"old-1 old-2"}]}}}`

// captured returns the draft of a captured request and sets a source of new ids.
func captured(b *bench) Draft {
	n := 0
	b.pane.SetNewID(func() string { n++; return fmt.Sprintf("fresh-%d", n) })
	d := draft()
	d.Request.Body, d.Request.From = []byte(sentMessage), 6
	return d
}

func idsIn(body []byte) a2a.RequestIDs {
	r := a2a.RawRequest{Body: body}
	return r.IDs()
}

func TestACapturedRequestIsSentAgainWithIDsOfItsOwn(t *testing.T) {
	b := newBench(t)
	b.pane.Open(captured(b))
	b.sees("unchanged from #6, with new ids", `"id": "fresh-1"`, `"messageId": "fresh-2"`, `"text": "old-1 old-2"`)
	got := b.press("alt+enter").(Send).Request
	want := strings.Replace(strings.Replace(sentMessage, `"id":"old-1"`, `"id":"fresh-1"`, 1), `"messageId":"old-2"`, `"messageId":"fresh-2"`, 1)
	if string(got.Body) != want || got.From != 6 {
		t.Errorf("sent from #%d\n%s\nwant\n%s", got.From, got.Body, want)
	}
	b.press("alt+up") // sends the same request again
	again := b.press("alt+enter").(Send).Request
	if ids := idsIn(again.Body); ids.RPC == `"fresh-1"` || ids.Message == `"fresh-2"` || ids.RPC == `"old-1"` {
		t.Errorf("sent again with ids %+v, want new ones", ids)
	}
}

func TestOneKeyKeepsTheIDs(t *testing.T) {
	b := newBench(t)
	b.pane.Open(captured(b))
	b.press("alt+i")
	b.sees("unchanged from #6, with its ids", `"id": "old-1"`, `"messageId": "old-2"`)
	b.press("alt+i")
	b.sees("unchanged from #6, with new ids")
	b.press("right")
	b.write(`"mine": 1,`)
	b.sees("edited from #6, with new ids")
	b.press("alt+i")
	b.sees("edited from #6, with its ids", `"id": "old-1"`, `"messageId": "old-2"`, `"mine": 1,`)
	got := b.press("alt+enter").(Send).Request
	if ids := idsIn(got.Body); ids.RPC != `"old-1"` || ids.Message != `"old-2"` || !strings.Contains(string(got.Body), `"mine": 1`) {
		t.Errorf("sent %s, want the captured ids and the edit", got.Body)
	}
	b.press("alt+up")
	b.sees("with its ids", `"id": "old-1"`)
}

func TestARequestWithoutIDsHasNoneToKeep(t *testing.T) {
	for _, body := range []string{"", "{", `{"statuses":[]}`, "no JSON", `{"jsonrpc":"2.0","method":"x","id":"tor`} {
		b := newBench(t)
		d := captured(b)
		d.Request.Body = []byte(body)
		b.pane.Open(d)
		b.press("alt+i")
		if text := b.text(); !strings.Contains(text, "unchanged from #6") || strings.Contains(text, " ids") {
			t.Errorf("body %s: got ids in the draft, want none:\n%s", body, text)
		}
		if got := b.press("alt+enter").(Send).Request; string(got.Body) != body {
			t.Errorf("sent body %[2]s, want %[1]s", body, got.Body)
		}
	}
	b := newBench(t)
	b.pane.Open(captured(b))
	b.pane.Edited("POST http://h/\n\nno JSON")
	if _, ok := b.press("alt+i").(Refused); !ok {
		t.Error("alt+i in a body without ids was accepted, want Refused")
	}
}
