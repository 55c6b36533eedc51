package wire

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/themes"
	"parley/ui/styles"
)

// find types a search and accepts it.
func find(p *Pane, text string) {
	press(p, "ctrl+f")
	p.search.input.SetValue("")
	p.Paste(tea.PasteMsg{Content: text})
	press(p, "enter")
}

// settle runs jobs until there are none and returns their number.
func settle(p *Pane) (n int) {
	for {
		jobs := p.Jobs()
		if len(jobs) == 0 {
			return n
		}
		for _, job := range jobs {
			job()()
			n++
		}
	}
}

func TestSearchGoesFromMatchToMatchAndSaysThatItWraps(t *testing.T) {
	p := openPane(booking(), themes.Mono(), 80, 30)
	press(p, "g", "j")
	find(p, "ITINERARY")
	if p.Typing() {
		t.Fatal("got an open search line after enter, want it closed")
	}
	settle(p)
	for i, step := range []struct {
		key   string
		want  a2a.RecordID
		words string
	}{
		{"", 5, "find ITINERARY  1 of 3  n next"}, {"n", 6, "2 of 3"}, {"n", 7, "3 of 3"}, {"n", 5, "1 of 3  · wrapped to the first"}, {"N", 7, "3 of 3  · wrapped to the last"}, {"N", 6, "2 of 3  n next"}, {"N", 5, "1 of 3  n next"}, {"N", 7, "wrapped to the last"}, {"t", 7, "3 of 3  n next"}, {"N", 6, "2 of 3"},
	} {
		if step.key != "" {
			press(p, step.key)
		}
		if has(t, p, step.words); p.Selected() != step.want {
			t.Errorf("step %d selected record %d, want %d", i, p.Selected(), step.want)
		}
	}
	if p.rows.Len() != 11 {
		t.Errorf("search lists %d rows, want 11", p.rows.Len())
	}
	press(p, "esc")
	if strings.Contains(screen(p), "find ") || p.Selected() != 6 {
		t.Errorf("after esc the search is on or record %d is selected, want 6", p.Selected())
	}
	if say, ok := press(p, "n").(Say); !ok || !strings.Contains(say.Text, "ctrl+f") {
		t.Errorf("n without a search returned %v, want a hint", say)
	}
}

func TestSearchLooksIntoBodiesHeadsAndNames(t *testing.T) {
	for text, want := range map[string]a2a.RecordID{
		"one bag enough": 10, "fares.json": 8, "a2a-version": 1, "closed by agent": 11, "/sk \\d+/": 7, "BOOK ME": 1, "/^200 /": 2,
	} {
		p := openPane(booking(), themes.Mono(), 80, 30)
		press(p, "g")
		find(p, text)
		if settle(p); p.Selected() != want {
			t.Errorf("search for %q selected record %d, want %d", text, p.Selected(), want)
		}
	}
	p := openPane(booking(), themes.Mono(), 80, 30)
	press(p, "k")
	find(p, "no such thing")
	settle(p)
	if has(t, p, "no record contains this"); p.Selected() != 10 {
		t.Errorf("search without a match selected record %d, want 10", p.Selected())
	}
	find(p, "/(/")
	if has(t, p, "missing closing )"); !p.Typing() {
		t.Error("search line with an invalid pattern closed, want it open")
	}
}

func TestHitsAreSeenInTheRows(t *testing.T) {
	p := openPane(booking(), themes.Dark(), 80, 30)
	find(p, "map.png")
	settle(p)
	st := styles.New(themes.Dark(), styles.Unicode())
	lines := strings.Join(p.Lines(), "\n")
	if !strings.Contains(lines, st.Mark.On+"map.png") {
		t.Error("got no highlight on the match in the row, want one")
	}
	if want := st.Accent.Underline().S("9"); !strings.Contains(lines, want) {
		t.Error("got no highlight on the number of the matching record, want one")
	}
	press(p, "esc")
	if strings.Contains(strings.Join(p.Lines(), "\n"), st.Mark.On) {
		t.Error("got a highlighted match after the search ended, want none")
	}
}

func TestTheFilterHidesAndTheSearchJumps(t *testing.T) {
	p := openPane(booking(), themes.Mono(), 80, 30)
	p.setFilter("itinerary")
	press(p, "g")
	find(p, "london")
	settle(p)
	if has(t, p, "1 of 1"); p.Selected() != 5 || !p.rows.filtered {
		t.Errorf("record %d is selected, filtered %v; want 5, true", p.Selected(), p.rows.filtered)
	}
	find(p, "fares")
	if settle(p); p.Selected() != 5 {
		t.Errorf("search selected record %d, which the filter hides; want 5", p.Selected())
	}
	has(t, p, "no record contains this")
	p.setFilter("")
	press(p, "-")
	find(p, "fares")
	if settle(p); p.Selected() != 8 || !p.rows.listed.has(8) {
		t.Errorf("search selected record %d, want 8, unfolded", p.Selected())
	}
}

func TestSlashSearchesTheRecordThatIsRead(t *testing.T) {
	p := openPane(booking(), themes.Mono(), 80, 40)
	p.Select(10)
	press(p, "d", "/")
	if !p.search.typing || p.filter.open {
		t.Fatal("/ in the record did not open the search, want it open")
	}
	p.Paste(tea.PasteMsg{Content: "messageId"})
	press(p, "enter")
	settle(p)
	if has(t, p, "find messageId"); p.Selected() != 10 || !p.reading {
		t.Errorf("record %d is selected, reading %v; want 10, true", p.Selected(), p.reading)
	}
	if c := press(p, "y").(Copy); c.Text != "m2" {
		t.Errorf("cursor is on %q, want %q", c.Text, "m2")
	}
	press(p, "n")
	if p.Selected() != 1 || !p.reading {
		t.Errorf("n selected record %d, reading %v; want 1, true", p.Selected(), p.reading)
	}
	press(p, "esc", "esc")
	if p.reading || p.search.on() {
		t.Error("esc did not leave the search and the record, want both left")
	}
}

func TestASearchInARecordBeginsAtTheCursor(t *testing.T) {
	p := openPane(booking(), themes.Mono(), 80, 40)
	p.Select(10)
	press(p, "d", "G")
	find(p, "jsonrpc")
	if settle(p); p.Selected() != 1 || !p.reading {
		t.Errorf("search from the cursor selected record %d, reading %v; want 1, true", p.Selected(), p.reading)
	}
	p.Select(10)
	press(p, "d", "d", "g")
	find(p, "role")
	if settle(p); p.Selected() != 10 {
		t.Errorf("search selected record %d, want 10", p.Selected())
	}
}

func TestUpBringsAnEarlierSearchBack(t *testing.T) {
	p := openPane(booking(), themes.Mono(), 80, 30)
	find(p, "fares")
	press(p, "esc")
	find(p, "map.png")
	press(p, "esc", "ctrl+f", "up")
	has(t, p, "find map.png")
	press(p, "up")
	has(t, p, "find fares")
	press(p, "down", "enter")
	if settle(p); p.Selected() != 9 {
		t.Errorf("search selected record %d, want 9", p.Selected())
	}
}

func TestWhoIsNotThereYetIsGoneToWhenItIsKnown(t *testing.T) {
	f := long(50_000)
	f.Event(1, `{"needle":1}`)
	p := New(styles.New(themes.Mono(), styles.Unicode()))
	p.SetLog(f.State.Log)
	p.SetSize(80, 30)
	press(p, "g")
	find(p, "needle")
	steps := 0
	for p.Selected() == 1 && steps < 100 {
		jobs := p.Jobs()
		if len(jobs) != 1 || len(p.Jobs()) != 0 {
			t.Fatalf("got %d slices at once, want 1", len(jobs))
		}
		if steps > 0 {
			has(t, p, "searched ")
		}
		jobs[0]()()
		steps++
	}
	if p.Selected() != 50_002 || steps < 2 {
		t.Errorf("record %d is selected after %d slices, want 50002 after several", p.Selected(), steps)
	}
	settle(p)
	f.Event(1, `{"needle":2}`)
	p.AddRecords(50_003)
	settle(p)
	if press(p, "n"); p.Selected() != 50_003 {
		t.Errorf("n selected record %d, want the new match 50003", p.Selected())
	}
	press(p, "g")
	find(p, "needle")
	p.Jobs()[0]()()
	if press(p, "j"); p.search.dir != 0 {
		t.Error("another key did not cancel the pending step, want none")
	}
	job := p.Jobs
	find(p, "other")
	late := job()[0]
	find(p, "needle")
	if late()() {
		t.Error("an earlier search's result changed the pane, want it discarded")
	}
	press(p, "ctrl+f", "esc")
	if len(p.Jobs()) != 0 {
		t.Error("Jobs returned a job after the search ended, want none")
	}
}

func TestASearchIsRightHoweverItsSlicesCome(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	for range 200 {
		var want []a2a.RecordID
		var hits set
		known := 1 + rng.IntN(200)
		for id := a2a.RecordID(1); int(id) <= known; id++ {
			if rng.IntN(20) == 0 {
				want = append(want, id)
			}
		}
		var s scan
		s.start(a2a.RecordID(rng.IntN(known+1)), known)
		for len(s.ranges) > 0 {
			from, dir := a2a.RecordID(rng.IntN(known+1)), 1-2*rng.IntN(2)
			id, wrapped, sure := s.nearest(&hits, from, dir)
			if best, round := nearest(want, from, dir); sure && (id != best || id != 0 && wrapped != round) {
				t.Fatalf("nearest in %v from %d by %d is surely %d, wrapped %v; want %d, %v (left %v)", want, from, dir, id, wrapped, best, round, s.ranges)
			}
			run := &s.ranges[0]
			end := run.from + a2a.RecordID(rng.IntN(run.len()))
			for _, id := range want {
				if id >= run.from && id <= end {
					hits.add(id)
				}
			}
			if run.from = end + 1; end >= run.to {
				s.ranges = s.ranges[1:]
			}
		}
		for range 20 {
			from, dir := a2a.RecordID(rng.IntN(known+1)), 1-2*rng.IntN(2)
			id, _, sure := s.nearest(&hits, from, dir)
			if best, _ := nearest(want, from, dir); !sure || id != best {
				t.Fatalf("after the scan nearest is %d, sure %v; want %d, true", id, sure, best)
			}
		}
	}
}

// nearest returns what [scan.nearest] should return after the scan.
func nearest(want []a2a.RecordID, from a2a.RecordID, dir int) (id a2a.RecordID, wrapped bool) {
	if len(want) == 0 {
		return 0, true
	}
	i, found := slices.BinarySearch(want, from)
	if dir < 0 {
		i--
	} else if found {
		i++
	}
	n := len(want)
	return want[(i+n)%n], i < 0 || i >= n
}

func TestASearchFitsEverySize(t *testing.T) {
	for w := 0; w < 100; w += 7 {
		for h := range 24 {
			p := openPane(booking(), themes.Mono(), w, h)
			press(p, "ctrl+f", "m")
			exact(t, p, w, h)
			press(p, "enter")
			settle(p)
			exact(t, p, w, h)
			press(p, "D")
			exact(t, p, w, h)
			press(p, "ctrl+f", "a", "p")
			exact(t, p, w, h)
			if p.Cursor() != nil && (p.Cursor().X >= w || p.Cursor().Y >= h) {
				t.Errorf("%d×%d: got cursor %v, want it inside", w, h, p.Cursor())
			}
		}
	}
}

func TestTheSearchCountsAsItGrows(t *testing.T) {
	f := booking()
	p := openPane(f, themes.Mono(), 100, 30)
	press(p, "ctrl+f", "f", "a")
	settle(p)
	has(t, p, "find fa", "5 records")
	press(p, "r", "e")
	settle(p)
	has(t, p, "find fare", "1 record\n")
}
