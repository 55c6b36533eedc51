package sessions

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/internal/panetest"
	"parley/session/annotation"
	"parley/session/catalog"
	"parley/themes"
	"parley/ui/styles"
)

var noon = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

// session returns a session with a prompt.
func session(name, prompt string) catalog.Session {
	return catalog.Session{Path: "/s/" + name + ".jsonl", Size: 1200, Modified: noon, Summary: &catalog.Summary{
		Prompt: prompt, Agents: []string{"Desk"}, Tasks: map[string]int{"completed": 2, "failed": 1}, Records: 1204, Errors: 3, Warnings: 1, Began: noon, Ended: noon.Add(4 * time.Minute),
	}}
}

func newPane(all ...catalog.Session) *Pane {
	p := New(styles.New(themes.Mono(), styles.Unicode()))
	p.SetSize(160, 30)
	p.SetFolder("/s", "/s/own.jsonl", "/home/ann")
	p.SetNow(noon.Add(time.Hour))
	p.SetSessions(all)
	return p
}

func press(p *Pane, names ...string) (last Intent) {
	for _, n := range names {
		last = p.Key(panetest.Key(n))
	}
	return last
}

func write(p *Pane, text string) {
	for _, r := range text {
		p.Key(tea.KeyPressMsg{Code: r, Text: string(r)})
	}
}

func three() *Pane {
	a, b, c := session("20261120-120000-a", "Plan a trip"), session("20261119-120000-b", "Refund the hotel"), session("20261118-120000-c", "Write a poem")
	b.Annotations = annotation.Content{Title: "Money back", Tags: []string{"bug"}, Pinned: true, Note: "see later"}
	return newPane(a, b, c)
}

func TestHostileSessionsAreDrawnInAnySize(t *testing.T) {
	evil := "\x1b[2J\x1b]0;x\a" + strings.Repeat("語\u202e\n\xff ", 80)
	s := session(evil, evil)
	s.Annotations = annotation.Content{Title: evil, Tags: []string{evil, evil}, Note: evil}
	s.AnnotationProblem, s.Summary.Problem, s.Summary.Interrupted = evil, evil, 3
	s.Summary.Agents, s.Summary.Tasks = []string{evil}, map[string]int{evil: 2}
	held := catalog.Session{Path: evil, Held: true, Size: 1 << 40}
	for _, all := range [][]catalog.Session{nil, {s}, {s, held, session("x", "")}} {
		p := newPane(all...)
		p.SetSearch(evil)
		for i := range all {
			p.Found(all[i].Path, []catalog.Hit{{Record: 1 << 40, Excerpt: evil, Match: [2]int{3, 20}}})
		}
		for w := range 16 {
			for h := range 24 {
				p.SetSize(13*w, h)
				panetest.Exact(t, p.Lines(), 13*w, h)
				panetest.Sanitized(t, p.Lines())
				press(p, "j")
			}
		}
		for _, key := range []string{"R", "s", "/"} {
			press(p, key)
			for h := range 12 {
				p.SetSize(30, h)
				panetest.Exact(t, p.Lines(), 30, h)
				p.Cursor()
			}
			press(p, "esc")
		}
	}
}

func TestARowTellsWhatASessionContains(t *testing.T) {
	p := three()
	panetest.Sees(t, panetest.Text(p.Lines()), "Plan a trip", "Desk", "2 completed, 1 failed", "4 min", "1,204", "3E 1W", "1.2 kB",
		"Money back #bug", "1 h ago", "3 errors, 1 warning", "/s/20261120-120000-a.jsonl")
	if p.Note() != "3 sessions, 3.6 kB" {
		t.Errorf("got note %q, want the number and the size", p.Note())
	}
	press(p, "j")
	panetest.Sees(t, panetest.Text(p.Lines()), "see later", "pinned")
}

func TestTheFilterFindsWordsAndElseWhatIsLikeThem(t *testing.T) {
	p := three()
	press(p, "/")
	write(p, "hotel refund")
	if !p.Typing() || p.Cursor() == nil {
		t.Error("got no input after /, want one")
	}
	if got := press(p, "enter", "enter"); got != (Open{"/s/20261119-120000-b.jsonl"}) {
		t.Errorf("got %+v, want the only session with these words", got)
	}
	press(p, "esc", "/")
	write(p, "rfndhtl")
	if got := press(p, "enter", "enter"); got != (Open{"/s/20261119-120000-b.jsonl"}) {
		t.Errorf("got %+v, want the session whose name is like this", got)
	}
	press(p, "esc", "/")
	write(p, "zzzz")
	panetest.Sees(t, panetest.Text(p.Lines()), "No session here is called like this.")
	press(p, "esc")
	if press(p, "q") != (Close{}) {
		t.Error("q did not close the pane")
	}
}

func TestASearchListsTheSessionsThatContainTheText(t *testing.T) {
	p := three()
	press(p, "j", "s")
	write(p, "lisbon")
	if got := press(p, "enter"); got != (Search{"lisbon"}) {
		t.Fatalf("got %+v, want a search", got)
	}
	p.SetSearch("lisbon")
	panetest.Sees(t, panetest.Text(p.Lines()), "Nothing was found yet.", "searching")
	p.Found("/s/20261118-120000-c.jsonl", []catalog.Hit{{Record: 118, Excerpt: "to Lisbon on", Match: [2]int{3, 9}}})
	p.Found("/s/20261119-120000-b.jsonl", nil)
	if got := press(p, "enter"); got != (Open{"/s/20261118-120000-c.jsonl"}) {
		t.Errorf("got %+v, want the session that was found first still selected", got)
	}
	panetest.Sees(t, panetest.Text(p.Lines()), "record 118", "to Lisbon on", "Money back")
	p.EndSearch()
	if text := panetest.Text(p.Lines()); strings.Contains(text, "searching") || p.Note() != "2 of 3 sessions, 3.6 kB" {
		t.Errorf("got note %q and\n%s\nwant two found sessions", p.Note(), text)
	}
	if got := press(p, "esc"); got != (Search{}) {
		t.Errorf("got %+v for esc, want the end of the search", got)
	}
	p.SetSearch("")
	if press(p, "esc") != (Close{}) {
		t.Error("the second esc did not close the pane")
	}
}

func TestASessionIsDeletedOnlyAfterAQuestion(t *testing.T) {
	p := three()
	if got := press(p, "d"); got != nil {
		t.Fatalf("got %+v for the first d, want a question", got)
	}
	panetest.Sees(t, panetest.Text(p.Lines()), "Delete this session for ever? d deletes it")
	if got := press(p, "j", "d"); got != nil {
		t.Errorf("got %+v after another key, want another question", got)
	}
	if got := press(p, "d"); got != (Delete{"/s/20261119-120000-b.jsonl"}) {
		t.Errorf("got %+v for the second d, want the selected session deleted", got)
	}
	p.Remove("/s/20261119-120000-b.jsonl")
	if got := press(p, "enter"); got != (Open{"/s/20261118-120000-c.jsonl"}) {
		t.Errorf("got %+v, want the next session selected", got)
	}
	own, held := session("own", "now"), session("held", "x")
	held.Held = true
	p = newPane(own, held)
	press(p, "g") // this session is not selected at first
	for _, name := range []string{"d", "enter", "j", "d"} {
		got := press(p, name)
		if _, refused := got.(Refused); refused != (name != "j") {
			t.Errorf("%s: got %+v, want a refusal for this session and for one that is being recorded", name, got)
		}
	}
}

// A session names the one that it continues and the one that it goes on in.
func TestASessionNamesItsStory(t *testing.T) {
	first, second, third := session("20261118-120000-a", "Plan"), session("20261119-120000-b", "Plan"), session("20261120-120000-c", "Plan")
	third.Continues, second.Continues = second.Name(), first.Name()
	second.ContinuedIn, first.ContinuedIn = third.Name(), second.Name()
	p := newPane(third, second, first)
	text := panetest.Text(p.Lines())
	if panetest.Sees(t, text, "It begins with all of 20261119-120000-b."); strings.Contains(text, "It goes on") {
		t.Errorf("got\n%s\nwant no session after the last", text)
	}
	press(p, "j")
	panetest.Sees(t, panetest.Text(p.Lines()), "It begins with all of 20261118-120000-a. It goes on in 20261120-120000-c, which has all of it.")
	press(p, "j")
	panetest.Sees(t, panetest.Text(p.Lines()), "It goes on in 20261119-120000-b, which has all of it.")
}

// Going on with a session asks first if it ends something here.
func TestASessionGoesOnAfterAQuestionIfThatEndsAnother(t *testing.T) {
	p := three()
	if got := press(p, "r"); got != (Resume{"/s/20261120-120000-a.jsonl"}) {
		t.Errorf("got %+v, want the session to go on at once where nothing ends", got)
	}
	p.SetEnds(true, "; 1 task continues")
	if got := press(p, "r"); got != nil {
		t.Errorf("got %+v for the first r, want a question", got)
	}
	panetest.Sees(t, panetest.Text(p.Lines()), "r again ends this session and goes on with the selected one; 1 task continues.")
	if got := press(p, "j", "r"); got != nil {
		t.Errorf("got %+v after another key, want another question", got)
	}
	if got := press(p, "r"); got != (Resume{"/s/20261119-120000-b.jsonl"}) {
		t.Errorf("got %+v for the second r, want the selected session to go on", got)
	}
	own, held := session("own", "now"), session("held", "x")
	held.Held = true
	p = newPane(own, held)
	press(p, "g")
	for _, name := range []string{"r", "j", "r"} {
		got := press(p, name)
		if _, refused := got.(Refused); refused != (name != "j") {
			t.Errorf("%s: got %+v, want a refusal for this session and for one that is being recorded", name, got)
		}
	}
}

// The footer names no key that the session of this run refuses; pressed, such a key says why.
func TestTheOwnSessionIsNeitherOpenedNorDeleted(t *testing.T) {
	own := session("own", "Plan a trip")
	own.Path = "/s/own.jsonl"
	p := newPane(own)
	for _, b := range p.ShortHelp() {
		if words := b.Help().Desc; slices.Contains([]string{"open session", "go on", "delete session"}, words) && b.Enabled() {
			t.Errorf("the footer names %q, want no key that is refused", words)
		}
	}
	for _, name := range []string{"enter", "r", "d"} {
		if got, ok := press(p, name).(Refused); !ok || !strings.Contains(got.Why, "the session that you are in") {
			t.Errorf("%s: got %+v, want a refusal", name, got)
		}
	}
}

func TestTheUserAnnotatesASession(t *testing.T) {
	for _, c := range []struct {
		key, text string
		want      string
	}{
		{"R", " again", "Money back again [bug] see later true"},
		{"t", " x,y", "Money back [bug x y] see later true"},
		{"n", "!", "Money back [bug] see later! true"},
		{"p", "", "Money back [bug] see later false"},
	} {
		p := three()
		press(p, "j")
		got := press(p, c.key)
		if c.text != "" {
			write(p, c.text)
			got = press(p, "enter")
		}
		in, ok := got.(Annotate)
		content := p.all[1].Annotations
		if !ok || in.Path != p.all[1].Path || in.Change(&content) != nil {
			t.Fatalf("%s: got %+v, want a change of the selected session", c.key, got)
		}
		if have := fmt.Sprint(content.Title, " ", content.Tags, " ", content.Note, " ", content.Pinned); have != c.want {
			t.Errorf("%s: got %s, want %s", c.key, have, c.want)
		}
	}
	p := three()
	if press(p, "R"); press(p, "esc") != nil || p.Typing() {
		t.Error("got a change after esc, want none")
	}
}

func TestWhatArrivesLaterMovesNoRow(t *testing.T) {
	a, b := session("20261120-120000-a", ""), session("20261119-120000-b", "")
	a.Summary, b.Summary = nil, nil
	p := newPane(a, b)
	press(p, "j")
	panetest.Sees(t, panetest.Text(p.Lines()), "Reading 2 new sessions")
	p.Update(session("20261119-120000-b", "Refund"))
	p.Update(session("20261120-120000-a", "Plan"))
	p.Update(session("unknown", "x"))
	text := panetest.Text(p.Lines())
	panetest.Sees(t, text, "Recorded in /s", "Plan", "Refund")
	if got := press(p, "enter"); got != (Open{b.Path}) {
		t.Errorf("got %+v, want the selected session", got)
	}
}

// The cost of a frame depends on the visible rows, not on all.
func TestAFrameOfTheListCostsItsWindow(t *testing.T) {
	draw := func(n int) float64 {
		var all []catalog.Session
		for i := range n {
			all = append(all, session(fmt.Sprint("20261120-120000-", i), "Plan a trip"))
		}
		p := newPane(all...)
		return testing.AllocsPerRun(20, func() { press(p, "G", "g"); p.Note(); p.Lines() })
	}
	if few, many := draw(100), draw(5_000); many > few*1.2 {
		t.Errorf("got %.0f allocations per frame with 100 sessions and %.0f with 5,000, want them nearly equal", few, many)
	}
}
