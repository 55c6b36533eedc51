package approval

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"parley/a2a"
	"parley/internal/panetest"
	"parley/session/card"
	"parley/themes"
	"parley/ui/styles"
)

var approved = time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)

func newPane(entries ...Entry) *Pane {
	p := New(styles.New(themes.Mono(), styles.Unicode()))
	p.SetSize(100, 24)
	p.SetEntries(entries, "")
	return p
}

func press(p *Pane, names ...string) (last Intent) {
	for _, n := range names {
		last = p.Key(panetest.Key(n))
	}
	return last
}

func held() Entry {
	return Entry{Ref: "https://desk.example", Name: "Desk", Agent: 1, Card: &a2a.Card{}, Approved: approved, How: card.ByUser, Signature: Unsigned, Drift: []card.Difference{
		{Pointer: "/securitySchemes/key", Severity: card.Security, New: `{"type":"http"}`},
		{Pointer: "/url", Severity: card.Address, Old: `"https://desk.example/rpc"`, New: `"https://evil.example/rpc"`},
		{Pointer: "/description", Old: `"one"`},
	}}
}

func TestEntriesSayWhatTheyWaitFor(t *testing.T) {
	p := newPane(held(),
		Entry{Ref: "https://b.example", Name: "Bureau", Agent: 2, Card: &a2a.Card{}, Approved: approved, How: card.ByUser, Signature: Broken, Drift: []card.Difference{{Pointer: "/name"}}},
		Entry{Ref: "https://c.example", Name: "Clerk", Agent: 3, Card: &a2a.Card{}, Signature: Verified},
		Entry{Ref: "https://d.example", Name: "Gone", Approved: approved})
	panetest.Sees(t, panetest.Text(p.Lines()), "1 agent held", "held: 2 changes to approve · unsigned", "1 other change · signature broken", "not approved · signature verified", "not open",
		"https://desk.example", "4 Mar 2026", "/securitySchemes/key")
	if in, ok := press(p, "a").(Approve); !ok || in.Entry.Agent != 1 {
		t.Errorf("got %#v, want the approval of the first", in)
	}
	if in, ok := press(p, "f").(Forget); !ok || in.Entry.Ref != "https://desk.example" {
		t.Errorf("got %#v, want the first to be forgotten", in)
	}
	if _, no := press(p, "j", "j", "f").(Refused); !no {
		t.Error("a card that was not approved is forgotten, want a refusal")
	}
	if _, ok := press(p, "a").(Approve); !ok {
		t.Error("a card that was not approved cannot be approved")
	}
	if _, no := press(p, "j", "a").(Refused); !no {
		t.Error("the card of an agent that is not open is approved, want a refusal")
	}
	press(p, "g", "enter")
	panetest.Sees(t, panetest.Text(p.Lines()), "Nothing is sent to the agent", "security   /securitySchemes/key", "address    /url", `other      /description  is gone`, "approved   (none)")
	press(p, "j")
	panetest.Sees(t, panetest.Text(p.Lines()), `approved   "https://desk.example/rpc"`, `now        "https://evil.example/rpc"`)
	if in, ok := press(p, "y").(Copy); !ok || !strings.Contains(in.Text, "address: /url is now") {
		t.Errorf("got %#v, want the differences", in)
	}
	if in := press(p, "esc"); in != nil {
		t.Errorf("got %#v, want the list of all agents", in)
	}
	if _, ok := press(p, "esc").(Close); !ok {
		t.Error("esc on the list does not close the sheet")
	}
	e := held()
	e.Drift = nil
	p.SetEntries([]Entry{e}, "Not every approved card could be read.")
	p.Select(1)
	if _, no := press(p, "a").(Refused); !no {
		t.Error("an unchanged card is approved, want a refusal")
	}
	panetest.Sees(t, panetest.Text(p.Lines()), "as approved", "Not every approved card could be read.")
}

// A card that nobody approved is not told as approved: Parley saw it first.
func TestAFirstCardIsToldAsSeen(t *testing.T) {
	e := Entry{Ref: "https://b.example", Name: "Bureau", Agent: 2, Card: &a2a.Card{}, Approved: approved, How: card.AtFirstSight, Drift: []card.Difference{{Pointer: "/name"}}}
	p := newPane(e)
	panetest.Sees(t, panetest.Text(p.Lines()), "first seen")
	press(p, "enter")
	panetest.Sees(t, panetest.Text(p.Lines()), "changed since Parley first saw it on")
}

func TestHostileCardsAreDrawnInAnySize(t *testing.T) {
	evil := "\x1b[2J\x1b]0;x\a" + strings.Repeat("語\u202e\n", 20)
	var entries []Entry
	for i := range 30 {
		e := Entry{Ref: fmt.Sprint(evil, i), Name: evil, Agent: a2a.AgentID(i + 1), Card: &a2a.Card{}, Approved: approved, How: card.ByUser, Signature: evil}
		for range i {
			e.Drift = append(e.Drift, card.Difference{Pointer: evil, Severity: card.Severity(i % 3), Old: evil, New: strings.Repeat(evil, 20)})
		}
		entries = append(entries, e)
	}
	p := newPane(entries...)
	for _, name := range []string{"", "G", "enter", "G"} {
		if name != "" {
			press(p, name)
		}
		for w := range 12 {
			for h := range 20 {
				p.SetSize(10*w, h)
				panetest.Exact(t, p.Lines(), 10*w, h)
				panetest.Sanitized(t, p.Lines())
				panetest.Sanitized(t, []string{p.Title(), p.Note()})
			}
		}
	}
	p.SetEntries(nil, evil)
	p.SetSize(80, 10)
	panetest.Exact(t, p.Lines(), 80, 10)
	panetest.Sanitized(t, p.Lines())
}
