package card

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"parley/a2a"
	"parley/internal/panetest"
	"parley/session/card"
	"parley/session/model"
)

// both returns an agent whose extended card replaces the public one.
func both(public, extended string) *model.Agent {
	card := func(raw string) *a2a.Card {
		if cards, _, fault := a2a.ParseCard([]byte(raw), "http://h/"); fault == nil && len(cards) > 0 {
			return cards[0]
		}
		return &a2a.Card{Raw: []byte(raw)}
	}
	return &model.Agent{ID: 7, Card: card(extended), Extended: model.Extended{Stands: true, Public: card(public)}}
}

func press(p *Pane, names ...string) (last Intent) {
	for _, n := range names {
		last = p.Key(panetest.Key(n))
	}
	return last
}

func TestWhatTheExtendedCardSaysOtherwiseIsShownLineByLine(t *testing.T) {
	a := both(`{"name":"n","version":"1","skills":[],"url":"http://h/","big":12345678901234567890,"same":[1,2,3]}`,
		`{"version":"2","name":"n","url":"http://h/","skills":[],"same":[1,2,3],"big":12345678901234567891,"html":"<b>&"}`)
	a.Extended.Changes = []card.Change{{Sentence: `The version is now "2"; it was "1".`}}
	p := paneOf(a)
	p.SetSize(60, 30)
	panetest.Sees(t, panetest.Text(p.Lines()), "used until the login ends", `version is now "2"`)
	if p.Note() != "extended · 0 skills" {
		t.Errorf("got note %q, want %q", p.Note(), "extended · 0 skills")
	}
	press(p, "d")
	text := panetest.Text(p.Lines())
	panetest.Sees(t, text, `-   "big": 12345678901234567890`, `+   "big": 12345678901234567891`, `+   "html": "<b>&"`, `-   "version": "1"`, `+   "version": "2"`)
	if strings.Contains(text, `-   "url"`) || p.Note() != "difference" {
		t.Errorf("got note %q, want difference, without lines that are alike:\n%s", p.Note(), text)
	}
	press(p, "v") // one view at a time
	if p.differs() || p.Note() != "raw JSON" {
		t.Errorf("got note %q, want %q and no difference", p.Note(), "raw JSON")
	}
	press(p, "d", "d")
	if p.differs() || p.raw {
		t.Error("got a difference or raw JSON after d, want the card")
	}
}

func TestTheKeyAsksForTheOtherCard(t *testing.T) {
	a := both(`{"name":"n","url":"http://h/","skills":[]}`, `{"name":"n","url":"http://h/","skills":[]}`)
	p := paneOf(a)
	if got := press(p, "e"); !reflect.DeepEqual(got, OtherCard{7}) {
		t.Errorf("e on the extended card: got %+v, want the other card", got)
	}
	press(p, "d")
	panetest.Sees(t, panetest.Text(p.Lines()), "the cards are equal")
	a.Extended = model.Extended{Why: "Nobody is \x1b[2Jshown it."}
	panetest.Sees(t, panetest.Text(p.Lines()), "public card", "Nobody is ⟨ESC⟩shown it.")
	if got := press(p, "e"); !reflect.DeepEqual(got, OtherCard{7}) {
		t.Errorf("e on the public card: got %+v, want the other card", got)
	}
	if press(p, "d"); p.differs() {
		t.Error("got a difference without an extended card, want none")
	}
}

func TestCardsThatCannotBeComparedSaySo(t *testing.T) {
	for _, c := range []struct{ public, extended, want string }{
		{`{`, `{}`, "not valid JSON"},
		{`{"a":"` + strings.Repeat("x", maxCompared) + `"}`, `{}`, "too large"},
		{strings.Repeat("[", 20000) + strings.Repeat("]", 20000), `{}`, "not valid JSON"},
	} {
		p := paneOf(both(c.public, c.extended))
		p.SetSize(60, 20)
		press(p, "d")
		panetest.Sees(t, panetest.Text(p.Lines()), c.want)
	}
	var skills []string
	for i := range 10000 {
		skills = append(skills, fmt.Sprintf(`{"id":"%d"}`, i))
	}
	a := both(`{"skills":[`+strings.Join(skills, ",")+`]}`, `{"skills":[`+strings.Join(skills[5000:], ",")+","+strings.Join(skills[:5000], ",")+`]}`)
	for range 100 {
		a.Extended.Changes = append(a.Extended.Changes, card.Change{Sentence: "changed"})
	}
	p := paneOf(a)
	p.SetSize(60, 40)
	panetest.Sees(t, panetest.Text(p.Lines()), "and 88 more")
	press(p, "d")
	if len(p.Lines()) != 40 || len(p.lines) < 10000 {
		t.Errorf("got %d lines of difference, want at least 10000 in a window of 40", len(p.lines))
	}
}

func FuzzDifference(f *testing.F) {
	files, _ := filepath.Glob(vectors + "/*/*card*.json")
	for _, file := range files {
		if body, err := os.ReadFile(file); err == nil {
			f.Add(body, []byte(`{"name":"n","url":"http://h/","skills":[]}`), 60)
		}
	}
	f.Add([]byte(`{"\u001b]0;x\u0007":"\u202e","a":[1,"\n"]}`), []byte(`{"a":[1,"\u009b1m",2e400]}`), 9)
	f.Fuzz(func(t *testing.T, public, extended []byte, w int) {
		if len(public)+len(extended) > 1<<14 {
			t.Skip()
		}
		p := paneOf(both(string(public), string(extended)))
		p.SetSize(w&127, 50)
		press(p, "d")
		panetest.Exact(t, p.Lines(), w&127, 50)
		panetest.Sanitized(t, p.Lines())
	})
}
