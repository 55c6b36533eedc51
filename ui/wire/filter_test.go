package wire

import (
	"fmt"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/internal/panetest"
	"parley/internal/tape"
	"parley/themes"
	"parley/ui/styles"
)

// pump runs the pane's jobs until there are none, at most n rounds, and returns the number of
// rounds.
func pump(p *Pane, n int) int {
	for i := range n {
		jobs := p.Jobs()
		if len(jobs) == 0 {
			return i
		}
		for _, job := range jobs {
			job()()
		}
	}
	return n
}

func TestFilterListsWhatIsWrittenAsItIsWritten(t *testing.T) {
	f := booking()
	p := openPane(f, themes.Mono(), 62, 30)
	press(p, "g", "/")
	if !p.Typing() || p.Cursor() == nil {
		t.Fatal("got no focus on the filter line after /, want a cursor")
	}
	for _, c := range []struct{ text, note string }{
		{"I", "9 of 11 · held"}, {"Iti", "3 of 11 · held"}, {`"ITINERARY.md +71"`, "1 of 11 · held"}, {"zone of its own", "0 of 11 · held"},
		{"itinerary", "3 of 11 · held"}, {`"closed by AGENT"`, "1 of 11 · held"}, {"task_state_working", "1 of 11 · held"}, {"é", "0 of 11 · held"}, {"", "11 records · held"},
		{"dir:out or state:working", "2 of 11 · held"}, {"finding:W gap>2s", "1 of 11 · held"}, {"artifact:map size>10k", "1 of 11 · held"}, {"  ", "11 records · held"},
	} {
		p.setFilter(c.text)
		if got := p.Note(); got != c.note {
			t.Errorf("filter %q: note is %q, want %q", c.text, got, c.note)
		}
		exact(t, p, 62, 30)
	}
	p.setFilter("")
	press(p, "f", "o", "u", "n", "d")
	if p.filter.input.Value() != "found" {
		t.Errorf("filter line is %q, want %q", p.filter.input.Value(), "found")
	}
	has(t, p, "/ found", "no record")
	p.AddRecords(f.Event(5, result(`{"found":"ME"}`)))
	if p.Note() != "1 of 12 · held · 1 new" || p.Selected() != 12 {
		t.Errorf("note is %q, record %d; want 1 new match, record 12", p.Note(), p.Selected())
	}
	has(t, p, "  12    +5 ms") // the number is the same as without the filter
	press(p, "esc")
	if p.Typing() || p.Note() != "12 records · held · 1 new" || p.Selected() != 1 {
		t.Errorf("after esc: note is %q, record %d; want all records, record 1", p.Note(), p.Selected())
	}
}

func TestAWrongFilterIsMarkedAndChangesNothing(t *testing.T) {
	p := openPane(booking(), themes.Mono(), 80, 30)
	press(p, "/")
	write(p, "kind:status")
	if p.Note() != "2 of 11 · follow" {
		t.Fatalf("note is %q, want %q", p.Note(), "2 of 11 · follow")
	}
	write(p, " stat:x")
	has(t, p, "/ kind:status stat:x", "              ^^^^ there is no field stat; state: or status: may be meant")
	if p.Note() != "2 of 11 · follow" {
		t.Errorf("invalid filter: got note %q, want the previous one", p.Note())
	}
	press(p, "enter")
	if !p.Typing() {
		t.Error("enter accepted an invalid filter, want an open line")
	}
	exact(t, p, 80, 30)
	p.SetSize(30, 30)
	has(t, p, "^^^^") // the marker scrolls with the line
	for _, w := range []int{3, 8, 12, 20} {
		p.SetSize(w, 12)
		exact(t, p, w, 12)
	}
	p.SetSize(80, 30)
	for range len("stat:x") {
		press(p, "backspace")
	}
	press(p, "enter")
	has(t, p, "/ kind:status  esc clears")
	if p.Typing() || p.Note() != "2 of 11 · follow" {
		t.Errorf("after enter the note is %q, typing %v; want 2 of 11, false", p.Note(), p.Typing())
	}
}

// write types text, one key at a time.
func write(p *Pane, text string) {
	for _, r := range text {
		name := string(r)
		if r == ' ' {
			name = "space"
		}
		msg := panetest.Key(name)
		msg.Text = string(r)
		p.Key(msg)
	}
}

func TestAWordThatMayBecomeAFieldIsNotLookedForYet(t *testing.T) {
	p := openPane(booking(), themes.Mono(), 80, 30)
	press(p, "/")
	for _, c := range []struct{ typed, note string }{
		{"st", "11 records"}, {"ate", "11 records"}, {":working", "1 of 11"}, {" or k", "1 of 11"}, {"ind:task", "2 of 11"}, {" art", "2 of 11"}, {"x", "1 of 11"},
	} {
		write(p, c.typed)
		if got := p.Note(); got != c.note+" · follow" {
			t.Errorf("after %q: note is %q, want %q", c.typed, got, c.note)
		}
	}
	p.setFilter("")
	write(p, "st")
	has(t, p, "tab completes, enter searches for st")
	write(p, " ")
	if got := p.Note(); got != "5 of 11 · follow" {
		t.Errorf("behind the word: note is %q, want 5 of 11", got)
	}
	press(p, "backspace")
	if got := p.Note(); got != "11 records · follow" {
		t.Errorf("inside the word: note is %q, want all records", got)
	}
	press(p, "enter")
	if got := p.Note(); got != "5 of 11 · follow" || p.Typing() {
		t.Errorf("after enter: note is %q, typing %v; want 5 of 11, false", got, p.Typing())
	}
}

func TestCompletionIsOfferedTakenAndLeft(t *testing.T) {
	f := booking()
	p := openPane(f, themes.Mono(), 80, 30)
	p.SetNames(func(a2a.AgentID) string { return "Travel Desk" }, func(a2a.AgentID) string { return "Travel Desk" })
	press(p, "/")
	has(t, p, "dir:", "direction of the bytes", "kind:")
	exact(t, p, 80, 30)
	write(p, "st")
	has(t, p, "state:", "status:", "HTTP status of an answer")
	press(p, "down")
	has(t, p, "❯ state:")
	press(p, "down", "enter")
	if got := p.filter.input.Value(); got != "status:" {
		t.Fatalf("enter inserted %q, want %q", got, "status:")
	}
	has(t, p, "200", "4xx")
	press(p, "down", "esc")
	if !p.Typing() || p.filter.candidates.pick >= 0 {
		t.Error("esc closed the line, want it only to unselect the candidate")
	}
	press(p, "tab")
	if got := p.filter.input.Value(); got != "status:200 " || p.Note() != "1 of 11 · follow" {
		t.Fatalf("tab inserted %q, note %q; want status:200, 1 of 11", got, p.Note())
	}
	if screen(p); strings.Contains(screen(p), "direction of the bytes") {
		t.Error("got candidates over the record before a word begins, want none")
	}
	press(p, "tab")
	has(t, p, "direction of the bytes", "or ")
	write(p, "or agent:tr")
	press(p, "tab")
	if got := p.filter.input.Value(); got != `status:200 or agent:"Travel Desk" ` || p.Note() != "11 of 11 · follow" {
		t.Errorf("tab inserted %q, note %q; want the agent's quoted name, 11 of 11", got, p.Note())
	}
	press(p, "enter")
	if p.Typing() || strings.Contains(screen(p), "❯") {
		t.Error("got candidates or an open line after enter, want neither")
	}
}

func TestOffersTakeTheMouse(t *testing.T) {
	p := openPane(booking(), themes.Mono(), 80, 30)
	press(p, "/")
	write(p, "st")
	p.Lines()
	box, n := p.candidateBox()
	if n != 2 {
		t.Fatalf("got %d candidates, want 2", n)
	}
	p.Mouse(tea.MouseClickMsg{Button: tea.MouseLeft}, box.X+3, box.Y+2)
	if got := p.filter.input.Value(); got != "status:" {
		t.Errorf("click inserted %q, want %q", got, "status:")
	}
	for h := range 32 {
		for _, w := range []int{1, 11, 20, 80} {
			p.SetSize(w, h)
			exact(t, p, w, h)
		}
	}
}

func TestAClickOpensTheFilterWhereItIs(t *testing.T) {
	p := openPane(booking(), themes.Mono(), 80, 30)
	p.Filter("kind:status dir:in")
	y := p.headHeight() + p.listHeight()
	p.Mouse(tea.MouseClickMsg{Button: tea.MouseLeft}, 2+len("kind:"), y)
	if !p.Typing() || p.filter.input.Position() != len("kind:") || p.Note() != "2 of 11 · follow" {
		t.Errorf("after a click: typing %v, cursor at %d, note %q; want true, %d, 2 of 11", p.Typing(), p.filter.input.Position(), p.Note(), len("kind:"))
	}
	p.Mouse(tea.MouseClickMsg{Button: tea.MouseLeft}, 70, p.headHeight()+p.listHeight())
	if p.filter.input.Position() != len("kind:status dir:in") {
		t.Errorf("cursor is at %d, want the end of the text", p.filter.input.Position())
	}
	p.Mouse(tea.MouseClickMsg{Button: tea.MouseLeft}, 10, 1)
	if p.Selected() != 4 {
		t.Errorf("click in the rows selected record %d, want 4", p.Selected())
	}
}

func TestUpOnAnEmptyLineBringsEarlierFiltersBack(t *testing.T) {
	p := openPane(booking(), themes.Mono(), 80, 30)
	for _, text := range []string{"dir:out", "itinerary", "itinerary", "finding"} {
		press(p, "/")
		write(p, text)
		press(p, "enter", "esc")
	}
	press(p, "/", "up")
	line := func(want, note string) {
		t.Helper()
		if got := p.filter.input.Value(); got != want || p.Note() != note {
			t.Errorf("filter line is %q, note %q; want %q, %q", got, p.Note(), want, note)
		}
	}
	line("finding", "2 of 11 · follow")
	press(p, "up")
	line("itinerary", "3 of 11 · follow")
	press(p, "up", "up")
	line("dir:out", "1 of 11 · follow")
	press(p, "down", "down")
	line("finding", "2 of 11 · follow")
	press(p, "down")
	line("", "11 records · follow")
	press(p, "up")
	write(p, "s")
	line("findings", "0 of 11 · follow")
	press(p, "up")
	line("findings", "0 of 11 · follow")
}

func TestALongLogIsSearchedFromItsEndInTheBackground(t *testing.T) {
	f := long(45_000)
	rare := []a2a.RecordID{f.Event(1, `{"result":{"needle":1}}`)}
	p := New(styles.New(themes.Mono(), styles.Unicode()))
	p.SetSize(100, 40)
	p.SetLog(f.State.Log)
	p.setFilter("essay or needle")
	looked := p.rows.total - int(p.filter.progress.unmatched)
	if looked == 0 || looked > 2000 || p.rows.hits.len() != looked {
		t.Fatalf("matched %d records at once with %d hits, want 1 to 2000, all hits", looked, p.rows.hits.len())
	}
	if p.Selected() != rare[0] || !strings.Contains(screen(p), "searching, ") {
		t.Errorf("record %d is selected, want %d and a progress report", p.Selected(), rare[0])
	}
	jobs := p.Jobs()
	if len(jobs) != 1 || len(p.Jobs()) != 0 {
		t.Fatalf("got %d jobs at once, want 1", len(jobs))
	}
	jobs[0]()()
	if n := p.rows.hits.len(); n <= looked || n == p.rows.total {
		t.Errorf("after one job %d hits, want more than %d but not all", n, looked)
	}
	if n := pump(p, 100); n == 0 || p.rows.hits.len() != 45_001 || strings.Contains(screen(p), "searching") { // all but the request
		t.Errorf("after %d jobs %d hits, want 45001 and no progress report", n, p.rows.hits.len())
	}
	if p.Selected() != rare[0] || !p.rows.follow {
		t.Errorf("record %d is selected, want %d, followed", p.Selected(), rare[0])
	}
}

func TestWhatAnotherFilterFindsIsNotShown(t *testing.T) {
	f := long(45_000)
	p := New(styles.New(themes.Mono(), styles.Unicode()))
	p.SetSize(100, 40)
	p.SetLog(f.State.Log)
	p.setFilter("essay")
	old := p.Jobs()[0]
	p.setFilter("nowhere")
	if len(p.Jobs()) != 0 {
		t.Error("Jobs returned a second job while one runs, want none")
	}
	if old()() {
		t.Error("an abandoned job's result changed the pane, want it discarded")
	}
	pump(p, 100)
	if p.rows.hits.len() != 0 {
		t.Errorf("got %d hits, want 0", p.rows.hits.len())
	}
}

func TestTheSelectionWaitsForTheRowsBesideIt(t *testing.T) {
	f := long(45_000)
	p := New(styles.New(themes.Mono(), styles.Unicode()))
	p.SetSize(100, 40)
	p.SetLog(f.State.Log)
	p.Select(100)
	p.setFilter("essay")
	if p.Selected() == 100 {
		t.Fatal("got record 100 matched without a job, want a job first")
	}
	pump(p, 100)
	if p.Selected() != 100 || p.rows.follow {
		t.Errorf("record %d is selected, follow %v; want 100, false", p.Selected(), p.rows.follow)
	}
	p.setFilter("nowhere")
	p.setFilter("")
	if p.Selected() != 100 {
		t.Errorf("after the filter is cleared record %d is selected, want 100", p.Selected())
	}
}

func TestLargeRecordsAreNotSearchedBetweenTwoFrames(t *testing.T) {
	f := tape.New()
	f.Put(0, a2a.Record{Kind: a2a.KindRequest, Dir: a2a.Out})
	p := openPane(f, themes.Mono(), 80, 30)
	p.setFilter("needle")
	large := f.Event(1, fmt.Sprintf(`{"text":%q,"needle":1}`, strings.Repeat("hay ", frameBytes/4)))
	small := f.Event(1, `{"needle":2}`)
	p.AddRecords(small)
	if p.rows.hits.len() != 0 || !strings.Contains(screen(p), "searching") {
		t.Errorf("got %d hits without a job, want 0 and a progress report", p.rows.hits.len())
	}
	pump(p, 10)
	if !p.rows.hits.has(large) || !p.rows.hits.has(small) || p.Selected() != small {
		t.Errorf("got %d hits, record %d; want records %d and %d, the second selected", p.rows.hits.len(), p.Selected(), large, small)
	}
}

func TestFiltersFollowMarksAndMutes(t *testing.T) {
	f := booking()
	p := openPane(f, themes.Mono(), 80, 30)
	press(p, "g", "j", "m", "/")
	write(p, "marked")
	press(p, "enter")
	if p.Note() != "1 of 11 · held" {
		t.Errorf("filter marked: note is %q, want 1 of 11", p.Note())
	}
	press(p, "m")
	p.Lines()
	if p.Note() != "0 of 11 · held" {
		t.Errorf("filter marked after unmarking: note is %q, want 0 of 11", p.Note())
	}
	p.Filter("finding:W")
	if p.Note() != "2 of 11 · held" {
		t.Errorf("filter finding:W: note is %q, want 2 of 11", p.Note())
	}
	f.State.Log.Findings().Mute("GAP-001", true)
	p.Lines()
	if p.Note() != "1 of 11 · held" {
		t.Errorf("filter finding:W after muting: note is %q, want 1 of 11", p.Note())
	}
	p.Filter("kind:")
	if !p.Typing() {
		t.Error("Filter with an invalid text closed the line, want it open")
	}
}

func TestTheRequestOfATaskIsListedAsSoonAsTheTaskHasAName(t *testing.T) {
	whole, f := booking(), tape.New()
	p := openPane(f, themes.Mono(), 80, 30)
	p.Filter("task:91c2")
	for id := a2a.RecordID(1); int(id) <= whole.State.Log.Len(); id++ {
		f.State.Apply(*whole.State.Log.At(id))
		p.AddRecords(id)
	}
	pump(p, 10)
	if p.Note() != "11 of 11 · follow" {
		t.Errorf("live: note is %q, want 11 of 11", p.Note())
	}
	p.Filter("task:91c2 end:ended")
	if p.Note() != "1 of 11 · follow" {
		t.Errorf("filter end:ended: note is %q, want 1 of 11", p.Note())
	}
}

// Where the longest gap changes with every frame, the filter comes to its end all the same.
func TestAGapThatGrowsDoesNotHideOlderOnes(t *testing.T) {
	f := tape.New()
	put := func(ms int) a2a.RecordID { return f.Event(ms, chunk("a", "a.md", `{"text":"x"}`)) }
	f.Put(0, a2a.Record{Kind: a2a.KindRequest, Dir: a2a.Out})
	put(1)
	first := put(5000)
	f.End(1, a2a.Ended)
	f.Put(1, a2a.Record{Kind: a2a.KindRequest, Dir: a2a.Out})
	for range frameRecords + 10 {
		put(1)
	}
	p := openPane(f, themes.Mono(), 80, 30)
	p.Filter("gap:max")
	var newest a2a.RecordID
	for i := range 5 { // each event comes before the job of the frame before is done
		jobs := p.Jobs()
		newest = put(100 * (i + 1))
		p.AddRecords(newest)
		p.Lines()
		for _, job := range jobs {
			job()()
		}
	}
	if !p.rows.hits.has(first) || !p.rows.hits.has(newest) {
		t.Errorf("got the first gap %v and the newest %v listed, want both", p.rows.hits.has(first), p.rows.hits.has(newest))
	}
}
