package card

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/internal/panetest"
	"parley/session/model"
)

// known is an agent whose card says 1.0 and whose wire shows 0.3.
func known() *model.Agent {
	return &model.Agent{
		ID: 3, Phase: model.Ready, Card: &a2a.Card{Name: "Desk", Skills: []a2a.Skill{{Name: "S", Examples: []a2a.Example{{Text: "Book it"}}}}},
		Profile: a2a.Profile{
			Dialect: a2a.V10, Binding: a2a.BindingJSONRPC, Endpoint: "http://h/rpc", Streaming: true,
			Evidence: []a2a.Evidence{
				{Field: "dialect", Value: "v0.3", Reason: "a part has a kind", Confidence: a2a.Certain, Record: 17},
				{Field: "dialect", Value: "v1.0", Reason: "the card says so", Confidence: a2a.Likely, Record: 4},
				{Field: "binding", Value: "JSONRPC", Reason: "chosen by the user", Confidence: a2a.Pinned},
				{Field: "streaming", Value: "yes", Reason: "the card is silent", Confidence: a2a.Guess},
				{Field: "dialect", Value: "v1.0", Reason: "SendMessage was answered", Confidence: a2a.Certain, Record: 9},
			},
		},
		Attempts: []a2a.Lookup{
			{URL: "http://h/card.json", Record: 2, Sentence: "http://h/card.json answered with a web page titled “Sign in”."},
			{URL: "http://h/", Probe: "GetTask of 1.0"},
		},
	}
}

// below returns the rows of a pane from a heading on.
func below(p *Pane, heading string) string {
	_, text, _ := strings.Cut(panetest.Text(p.Lines()), heading)
	return text
}

// In the list of a field the value in use comes first, the surest reason first, and what contradicts
// it is marked. A value that nothing proves says so.
func TestTheValueInUseComesBeforeWhatContradictsIt(t *testing.T) {
	got := below(paneOf(known()), "How Parley knows this")
	at := 0
	for _, want := range []string{
		"dialect         1.0: SendMessage was answered #9",
		"1.0: the card says so (likely) #4",
		"0.3, not in use: a part has a kind #17",
		"binding         JSON-RPC: chosen by the user (pinned, no record)",
		"endpoint        http://h/rpc: nothing in this session says why (no record)",
		"streaming       yes: the card is silent (a guess, no record)",
		"not found     http://h/card.json #2",
		"  answered with a web page titled “Sign in”.",
		"probe           GetTask of 1.0 at http://h/",
	} {
		i := strings.Index(got[at:], want)
		if i < 0 {
			t.Fatalf("got no %q after what comes before it:\n%s", want, got)
		}
		at += i
	}
}

// Nothing is in use while nothing can be sent to the agent: no dialect of the list is the right one.
func TestNoDialectIsInUseIfNothingCanBeSent(t *testing.T) {
	a := known()
	a.Phase, a.Profile.Problem = model.Failed, "The card says 9.9."
	a.Profile.Evidence = append(a.Profile.Evidence, a2a.Evidence{Field: "dialect", Reason: "the card says 9.9", Record: 4})
	a.Profile.Claim = "9.9"
	got := panetest.Text(paneOf(a).Lines())
	panetest.Sees(t, got, "1.0, not in use: SendMessage was answered #9", "unknown: the card says 9.9", "could be tried  1.0 JSON-RPC")
	if strings.Contains(got, "agent speaks") {
		t.Errorf("got a dialect that the agent speaks, want none:\n%s", got)
	}
}

// The arrows go from entry to entry, and enter goes to the record of each or says why there is none.
func TestEnterGoesToTheRecordThatProvesAFact(t *testing.T) {
	for _, h := range []int{3, 8, 24, 60} {
		p := paneOf(known())
		p.SetSize(80, h)
		p.Key(panetest.Key("v")) // no card has evidence in its JSON
		p.Key(panetest.Key("w"))
		for _, want := range []Intent{
			Show{Record: 9}, Show{Record: 4}, Show{Record: 17}, Show{Why: "You pinned that, so no record proves it."}, Show{Why: "No record of this session proves that."},
			Show{Why: "That is a guess of Parley: no record proves it."}, Show{Record: 2}, Show{Why: "Parley sent no request there."},
		} {
			p.Lines()
			if got := p.Key(panetest.Key("enter")); got != want {
				t.Errorf("%d rows: enter means %#v, want %#v", h, got, want)
			}
			if rows := p.Lines(); !strings.Contains(strings.Join(rows, ""), p.lines[p.entries[p.at].from]) {
				t.Errorf("%d rows: the chosen entry is not on the screen:\n%s", h, panetest.Text(rows))
			}
			for at := p.at; p.at == at && at < len(p.entries)-1; p.Lines() { // rows without an entry scroll
				p.Key(panetest.Key("down"))
			}
		}
		for p.at > 0 {
			p.Lines()
			p.Key(panetest.Key("up"))
		}
		if got, ok := p.Key(panetest.Key("enter")).(UseExample); !ok || got.Example.Text != "Book it" {
			t.Errorf("%d rows: got %#v above the evidence, want the example", h, got)
		}
	}
}

// Every row of an entry can be clicked: once to choose it, again to enter it.
func TestAClickGoesToTheRecord(t *testing.T) {
	p := paneOf(known())
	p.Lines()
	for i := range p.entries {
		for y := p.entries[i].from; y < p.entries[i].to; y++ {
			p.at = -1
			click := tea.MouseClickMsg{X: 20, Y: y, Button: tea.MouseLeft}
			if in := p.Mouse(click, 20, y); in != nil || p.at != i {
				t.Errorf("row %d: the first click means %#v and chooses %d, want %d chosen", y, in, p.at, i)
			}
			if in := p.Mouse(click, 20, y); in == nil || !reflect.DeepEqual(in, p.enter(i)) {
				t.Errorf("row %d: the second click means %#v, want what enter does", y, in)
			}
		}
	}
}

// New evidence does not move the choice to another entry.
func TestTheChosenEntryStaysWhenEvidenceComes(t *testing.T) {
	a := known()
	p := paneOf(a)
	p.Key(panetest.Key("w"))
	p.Lines()
	p.Key(panetest.Key("down"))
	a.Profile.Evidence = append([]a2a.Evidence{{Field: "dialect", Value: "v1.0", Reason: "GetTask was answered", Confidence: a2a.Certain, Record: 20}}, a.Profile.Evidence...)
	p.Lines()
	if got := p.Key(panetest.Key("enter")); got != (Show{Record: 4}) {
		t.Errorf("enter means %#v, want the record that was chosen, 4", got)
	}
	a.Profile.Evidence, a.Attempts, a.Card = nil, nil, nil
	p.Lines()
	if got := p.Key(panetest.Key("enter")); got != nil {
		t.Errorf("enter means %#v in a sheet without entries, want nothing", got)
	}
}

func TestTheFooterNamesTheKeyOfTheEvidence(t *testing.T) {
	a := known()
	p := paneOf(a)
	first := func() (out []string) {
		for _, b := range p.ShortHelp() {
			if b.Enabled() {
				out = append(out, b.Help().Key+" "+b.Help().Desc)
			}
		}
		return out
	}
	if got := first()[0]; got != "w show evidence" {
		t.Errorf("got %q first in the footer, want the key of the evidence", got)
	}
	p.Key(panetest.Key("w"))
	if got := first()[0]; got != "enter show record" {
		t.Errorf("got %q first in the footer, want what enter does", got)
	}
	for range 3 {
		p.Lines()
		p.Key(panetest.Key("j"))
	}
	if got := first()[0]; got != "enter say why" {
		t.Errorf("got %q first in the footer of a pin, want what enter does", got)
	}
	a.Profile.Evidence, a.Attempts = nil, nil
	for _, words := range first() {
		if strings.HasSuffix(words, "evidence") {
			t.Errorf("got %q without evidence", words)
		}
	}
}

// Texts of agents and of recordings fit into any size, in a few rows each, and reach no terminal.
func TestHostileEvidenceIsDrawnInAnySize(t *testing.T) {
	for _, text := range []string{
		"\x1b]52;c;eA==\a\x1b[2J", strings.Repeat("x", 10_000), strings.Repeat("안녕", 3000), "a\u202eb\u2066c", strings.Repeat("👩‍👩‍👧‍👦", 400), "\xff\xfe", "a\n\nb\tc", "",
	} {
		a := known()
		for i := range a.Profile.Evidence {
			a.Profile.Evidence[i].Reason, a.Profile.Evidence[i].Value = text, text
		}
		for i := range 400 {
			a.Profile.Evidence = append(a.Profile.Evidence, a2a.Evidence{Field: fmt.Sprint(text, i%70), Value: text, Reason: text})
		}
		a.Profile.Endpoint = text
		for range 1000 {
			a.Attempts = append(a.Attempts, a2a.Lookup{URL: text, Sentence: "titled “" + text + "”", Probe: text, Record: 1})
		}
		p := paneOf(a)
		for _, size := range [][2]int{{0, 0}, {1, 1}, {8, 3}, {20, 5}, {80, 24}, {200, 60}} {
			p.SetSize(size[0], size[1])
			for _, key := range []string{"w", "j", "j", "k", "pgdown", "j", "G", "k", "n", "N"} {
				p.Key(panetest.Key(key))
				panetest.Exact(t, p.Lines(), size[0], size[1])
				panetest.Sanitized(t, p.Lines())
			}
		}
		for i := range p.entries {
			if e := &p.entries[i]; e.to-e.from > 2*maxFactRows {
				t.Fatalf("%.20q: an entry has %d rows, want at most %d", text, e.to-e.from, 2*maxFactRows)
			}
		}
	}
}
