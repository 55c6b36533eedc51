package wire

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/internal/tape"
	"parley/session/log"
	"parley/themes"
	"parley/ui/styles"
)

// request adds a GET request.
func request(f *tape.Tape, ms int, path string) a2a.ExchangeID {
	f.Put(ms, a2a.Record{Kind: a2a.KindRequest, Dir: a2a.Out, Head: &a2a.Head{Method: "GET", URL: "http://h/" + path}})
	return f.Exchange
}

func TestTheRowOfACheckSaysWhatItDidNotCompare(t *testing.T) {
	f := tape.New()
	f.Call = &a2a.Call{Agent: 1, Op: a2a.OpGet, Dialect: a2a.V10, Check: true}
	request(f, 0, "tasks/1")
	p := openPane(f, themes.Mono(), 110, 10)
	has(t, p, "▸ → GET /tasks/1", "● 0 ms")
	f.Put(1, a2a.Record{Kind: a2a.KindEnd, Dir: a2a.In, End: &a2a.End{Reason: a2a.Cut, Class: a2a.ClassLimit}})
	has(t, p, "▸ → GET /tasks/1 · check  not checked: the answer exceeds the limit")
	p.Select(1)
	press(p, "space")
	has(t, p, "end · cut at a limit · not checked: the answer exceeds the limit")
}

func TestAFoldedExchangeIsOneRow(t *testing.T) {
	f := booking()
	request(f, 50, "card.json")
	f.Put(20, a2a.Record{Kind: a2a.KindHead, Dir: a2a.In, Head: &a2a.Head{Status: 404, Proto: "HTTP/1.1", Header: http.Header{}}})
	p := openPane(f, themes.Mono(), 80, 30)
	p.Select(6)
	press(p, "space")
	if p.Selected() != 1 {
		t.Errorf("record %d is selected, want 1", p.Selected())
	}
	has(t, p, "   1          ▸ → SendStreamingMessage  Book me a flig… ◐ input-required 2.6 s W\n  12          ▾ → GET /card.json                                       ✕ 20 ms\n  13   +20 ms   ← 404")
	if s := screen(p); strings.Contains(s, "← working") || strings.Contains(s, "ttfb") {
		t.Errorf("got the rows of a folded exchange, want one row:\n%s", s)
	}
	press(p, "space")
	if has(t, p, "← working", "ttfb"); p.Selected() != 1 {
		t.Errorf("unfolding selected record %d, want 1", p.Selected())
	}
	press(p, "-")
	has(t, p, "◐ input-required 2.6 s", "  12          ▸ → GET /card.json                                   ✕ 404 20 ms\n")
	f.Event(5, result(`{}`))
	f.Put(10, a2a.Record{Kind: a2a.KindEnd, Dir: a2a.In, End: &a2a.End{Reason: a2a.Cut}})
	has(t, p, "  12          ▸ → GET /card.json                 ✕ cut off 35 ms · 1 ev · 51 B")
	request(f, 5, "new")
	has(t, p, "▸ → GET /new ", "● 0 ms")
	press(p, "t", "t")
	has(t, p, "14:02:03.000 ▸ → SendStr", "◐ input-required 2.6 s")
	exact(t, p, 80, 30)
	p.Select(8)
	if has(t, p, "▤ fares.json  {\"OS 411\":9,"); p.Selected() != 8 {
		t.Errorf("record %d is selected, want 8", p.Selected())
	}
	press(p, "+")
	has(t, p, "14:02:03.349 ▁ ← ▤ itinerary.md")
	if p.rows.Len() != f.State.Log.Len() {
		t.Errorf("got %d rows, want one per record", p.rows.Len())
	}
}

func TestWhatParleyAsksToCompareArrivesFolded(t *testing.T) {
	f := booking()
	p := openPane(f, themes.Mono(), 80, 30)
	f.Call = &a2a.Call{Agent: 1, Op: a2a.OpGet, Dialect: a2a.V10, Check: true}
	request(f, 5, "tasks/91c2")
	f.Put(20, a2a.Record{Kind: a2a.KindHead, Dir: a2a.In, Head: &a2a.Head{Status: 200, Proto: "HTTP/1.1", Header: http.Header{}}})
	f.Put(1, a2a.Record{Kind: a2a.KindEnd, Dir: a2a.In, End: &a2a.End{Reason: a2a.Ended}})
	if has(t, p, "  12          ▸ → GET /tasks/91c2 · check  not checked: the answer co… ◌ 21 ms"); strings.Contains(screen(p), "\n  13") || p.Selected() != 11 || !p.rows.follow {
		t.Errorf("record %d is selected, want 11, because following selects no check:\n%s", p.Selected(), screen(p))
	}
	press(p, "j", "space")
	has(t, p, "  12          ▾ → GET /tasks/91c2", "  13   +20 ms   ← 200")
}

// Only a difference is called one: a check may have other findings, which the row's letter shows.
func TestAFoldedCheckSaysWhetherTheTaskDiffers(t *testing.T) {
	for rule, want := range map[string]string{a2a.ComparisonRule: "end · closed by agent · ⚑ differs from the task", "TASK-007": "end · closed by agent · ✓ checked"} {
		f := booking()
		p := openPane(f, themes.Mono(), 100, 40)
		f.Call = &a2a.Call{Agent: 1, Op: a2a.OpGet, Dialect: a2a.V10, Check: true, TaskID: "91c2e0d4-77f1-4b12-9c3a-0a1b2c3d4e5f"}
		request(f, 5, "tasks/91c2")
		f.Put(20, a2a.Record{Kind: a2a.KindHead, Dir: a2a.In, Head: &a2a.Head{Status: 200, Proto: "HTTP/1.1", Header: http.Header{}}})
		f.Put(1, a2a.Record{Kind: a2a.KindBody, Dir: a2a.In, Raw: []byte(result(`{"id":"91c2e0d4-77f1-4b12-9c3a-0a1b2c3d4e5f","status":{"state":"TASK_STATE_INPUT_REQUIRED"}}`))}, a2a.Finding{Rule: rule, Severity: a2a.Warning, Message: "found"})
		f.Put(1, a2a.Record{Kind: a2a.KindEnd, Dir: a2a.In, End: &a2a.End{Reason: a2a.Ended}})
		has(t, p, want)
	}
}

func TestTheEndOfAStreamStandsForItsChecks(t *testing.T) {
	f := booking()
	p := openPane(f, themes.Mono(), 100, 40)
	f.Call = &a2a.Call{Agent: 1, Op: a2a.OpGet, Dialect: a2a.V10, Check: true, TaskID: "91c2e0d4-77f1-4b12-9c3a-0a1b2c3d4e5f"}
	request(f, 5, "tasks/91c2") // 12
	has(t, p, "· ▸ checking")
	f.Put(20, a2a.Record{Kind: a2a.KindHead, Dir: a2a.In, Head: &a2a.Head{Status: 200, Proto: "HTTP/1.1", Header: http.Header{}}})
	f.Put(1, a2a.Record{Kind: a2a.KindBody, Dir: a2a.In, Raw: []byte(result(`{"id":"91c2e0d4-77f1-4b12-9c3a-0a1b2c3d4e5f","status":{"state":"TASK_STATE_INPUT_REQUIRED"}}`))})
	f.Put(1, a2a.Record{Kind: a2a.KindEnd, Dir: a2a.In, End: &a2a.End{Reason: a2a.Ended}})
	has(t, p, "end · closed by agent · ✓ checked")
	for _, w := range []int{36, 40} { // where both do not fit, no word is cut
		p.SetSize(w, 40)
		has(t, p, "end · ✓ checked")
	}
	p.SetSize(46, 40) // who closed it stays as long as it has room
	has(t, p, "ended by agent · ✓ checked")
	p.SetSize(100, 40)
	if p.rows.Len() != 11 || p.Selected() != 11 {
		t.Errorf("got %d rows with %d selected, want 11 with the last: a check has no row", p.rows.Len(), p.Selected())
	}
	if press(p, "space"); p.rows.Len() != 15 {
		t.Errorf("got %d rows after space, want all 15", p.rows.Len())
	}
	has(t, p, "  12          ▾ → GET /tasks/91c2", "  13   +20 ms   ← 200")
	press(p, "G", "j", "j", "space")
	if p.rows.Len() != 11 || p.Selected() != 11 {
		t.Errorf("got %d rows with %d selected after space on the check, want 11 with the end of the stream", p.rows.Len(), p.Selected())
	}
	p.Filter("kind:end or status:200")
	p.SetScope(OfConversation)
	wantRows(t, p, "filtered", 2, 11)
	p.Filter("")
	p.Select(13)
	if p.Selected() != 13 {
		t.Errorf("record %d is selected, want 13: going to a record of a check shows it", p.Selected())
	}
	f.Put(1, a2a.Record{Kind: a2a.KindEnd, Dir: a2a.In, End: &a2a.End{Reason: a2a.Cut}}) // a second end changes nothing
	press(p, "-")
	wantRows(t, p, "all folded", 1)
	exact(t, p, 100, 40)
}

func TestAFoldSaysLessWhereThereIsLessRoom(t *testing.T) {
	for w, want := range map[int]string{
		20: "→ ▸ SendStreami… ◐ W", 40: "▸ → SendStreamin… ◐ 2.6 s W", 62: "▸ → SendStreamingMessage  Book me a f… ◐ 2.6 s W",
		80: "▸ → SendStreamingMessage  Book me a flig… ◐ input-required 2.6 s W", 100: "▸ → SendStreamingMessage  Book me a flight … ◐ input-required 2.6 s · 8 ev · 2",
	} {
		p := openPane(booking(), themes.Mono(), w, 24)
		press(p, "-")
		exact(t, p, w, 24)
		has(t, p, want)
	}
}

func TestFoldingWhatStreamsPausesAndTheFoldGrows(t *testing.T) {
	f := tape.New()
	request(f, 0, "other")
	other := f.Exchange
	request(f, 0, "stream")
	stream := f.Exchange
	f.Event(10, result(`{}`))
	f.Exchange = other
	f.Event(10, result(`{}`))
	p := openPane(f, themes.Mono(), 80, 20)
	press(p, "space")
	if p.Selected() != a2a.RecordID(other) || p.rows.follow {
		t.Errorf("record %d is selected, follow %v; want %d, false", p.Selected(), p.rows.follow, other)
	}
	f.Exchange = stream
	for range 3 {
		f.Event(10, result(`{}`))
	}
	if press(p, "-", "G"); p.Note() != "7 records · follow" {
		t.Errorf("note is %q, want %q", p.Note(), "7 records · follow")
	}
	has(t, p, "   2          ▸ → GET /stream  no content               ● 50 ms · 4 ev · 204 B") // the row of the exchange, not a new one
}

func TestAFilterListsAFoldedExchangeThatHasAMatch(t *testing.T) {
	f := booking()
	request(f, 50, "other")
	p := openPane(f, themes.Mono(), 80, 30)
	press(p, "-")
	p.setFilter("fares")
	if p.Note() != "1 of 12 · follow" || p.Selected() != 1 {
		t.Fatalf("note is %q, record %d; want 1 of 12, record 1", p.Note(), p.Selected())
	}
	press(p, "space")
	if p.Note() != "1 of 12 · follow" || p.Selected() != 8 {
		t.Errorf("unfolded: note is %q, record %d; want 1 of 12, record 8", p.Note(), p.Selected())
	}
	press(p, "space")
	request(f, 1, "fares")
	p.AddRecords(13)
	if has(t, p, "▸ → SendStreamingMessage", "▸ → GET /fares"); p.Note() != "2 of 13 · follow" {
		t.Errorf("note is %q, want 2 of 13", p.Note())
	}
}

func TestRowsAreWhatFilterAndFoldsSay(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for range 30 {
		f := tape.New()
		p := New(styles.New(themes.Mono(), styles.Unicode()))
		p.SetLog(f.State.Log)
		p.SetSize(60, 24)
		var open []a2a.ExchangeID
		for range 300 {
			switch n := rng.IntN(20); {
			case n == 0 || len(open) == 0:
				open = append(open, request(f, 1, fmt.Sprint(rng.IntN(10))))
			case n == 1:
				f.Exchange = 0
				f.Put(1, a2a.Record{Kind: a2a.KindNote, Note: &a2a.Note{Type: "n"}})
			case n < 8:
				f.Exchange = open[rng.IntN(len(open))]
				for range 1 + rng.IntN(6) {
					f.Event(1, chunk(fmt.Sprint("a", rng.IntN(10)/9), "essay.md", fmt.Sprintf(`{"text":"%d "}`, rng.IntN(10))))
				}
			case n < 11:
				f.Exchange = open[rng.IntN(len(open))]
				f.Event(1, fmt.Sprintf(`{"n":%d}`, rng.IntN(10)))
			case n == 11:
				i := rng.IntN(len(open))
				f.Exchange = open[i]
				f.End(1, a2a.Ended)
				open = slices.Delete(open, i, i+1)
			case n == 12:
				press(p, "-")
			case n == 13:
				press(p, "+")
			case n == 14:
				p.setFilter([]string{"", "1", "2", "GET"}[rng.IntN(4)])
			case n == 15 && p.rows.total > 0:
				p.Select(a2a.RecordID(1 + rng.IntN(p.rows.total)))
			case n == 16 && p.rows.filtered:
				p.rows.addHits([]a2a.RecordID{a2a.RecordID(1 + rng.IntN(p.rows.total))})
			case n == 17:
				press(p, "k", "k", "k")
			default:
				press(p, "space")
			}
			if p.sync(); !slices.Equal(slices.Collect(p.rows.listed.all()), wanted(p)) {
				got, want := slices.Collect(p.rows.listed.all()), wanted(p)
				only := func(a, b []a2a.RecordID) (out []string) {
					for _, id := range a {
						if !slices.Contains(b, id) {
							out = append(out, fmt.Sprint(id, " of ", p.rows.log.ExchangeOf(id)))
						}
					}
					return out
				}
				t.Fatalf("got rows that are not wanted: %v; want rows that are not listed: %v", only(got, want), only(want, got))
			}
			if p.rows.Len() > 0 && !p.rows.listed.has(p.rows.sel) {
				t.Fatalf("got record %d selected without a row, want a listed one", p.rows.sel)
			}
			exact(t, p, 60, 24)
		}
	}
}

// wanted returns the rows that should be listed, computed record by record.
func wanted(p *Pane) []a2a.RecordID {
	var out []a2a.RecordID
	for id := a2a.RecordID(1); int(id) <= p.rows.log.Len(); id++ {
		stands := p.rows.passes(id)
		if x := p.rows.log.At(id).Record.Exchange; p.rows.folds.folded(x) {
			ids := p.rows.log.Exchange(x)
			stands = ids[0] == id && slices.ContainsFunc(ids, p.rows.passes)
		} else if !p.rows.filtered {
			stands = stands && !within(p, id)
		}
		if stands {
			out = append(out, id)
		}
	}
	return out
}

// within reports whether the row of another record stands for a record that extends an artifact, computed record by
// record.
func within(p *Pane, id a2a.RecordID) bool {
	l, f := p.rows.log, &p.rows.folds
	ids := l.Exchange(l.ExchangeOf(id))
	if !slices.ContainsFunc(ids, func(id a2a.RecordID) bool { return l.At(id).Record.Kind == a2a.KindEnd }) {
		return false
	}
	at := slices.Index(ids, id)
	joins := func(i int) bool { // record i of the exchange extends what the one before it extends
		if i <= 0 || i >= len(ids) {
			return false
		}
		e, ok := log.Extends(l.At(ids[i]))
		before, extends := log.Extends(l.At(ids[i-1]))
		return ok && extends && e.Continues(before)
	}
	from, to := at, at
	for joins(from) {
		from--
	}
	for joins(to + 1) {
		to++
	}
	_, other := f.oddRuns[ids[from]]
	return to-from+1 >= leastRun && at > from && f.chunks == other && ids[from] != f.visited
}

func TestAFoldDrawsOnlyTheWindow(t *testing.T) {
	f := long(100_000)
	for range 2000 {
		request(f, 1, "x")
	}
	p := New(styles.New(themes.Dark(), styles.Unicode()))
	drawn := 0
	p.describe = func(it *log.Item) (string, string) { drawn++; return log.Words(it) }
	p.SetSize(100, 60)
	p.SetLog(f.State.Log)
	p.Select(50_000)
	p.Lines()
	for _, key := range []string{"space", "space", "-", "space", "+", "-", "G", "space", "g", "+"} {
		drawn = 0
		press(p, key)
		p.Lines()
		if drawn > 130 {
			t.Errorf("%s: %d rows drawn, want at most 130", key, drawn)
		}
	}
}

func TestUnfoldingLeavesTheWindowWhereItIs(t *testing.T) {
	f := tape.New()
	for i := range 40 {
		request(f, 1, fmt.Sprint("r", i))
		f.Event(1, `{}`)
		f.Event(1, `{}`)
	}
	p := openPane(f, themes.Mono(), 62, 30)
	press(p, "-", "k", "k", "k")
	before := strings.Split(screen(p), "\n")
	y := slices.IndexFunc(before, func(s string) bool { return strings.Contains(s, "/r36 ") })
	press(p, "space")
	if after := strings.Split(screen(p), "\n"); y < 0 || !strings.Contains(after[y], "GET /r36") || after[1] != before[1] {
		t.Errorf("unfolding moved the row from line %d, want it there:\n%s", y, screen(p))
	}
}

func TestAClickOnTheSelectedFoldUnfolds(t *testing.T) {
	p := openPane(booking(), themes.Mono(), 62, 30)
	press(p, "-", "g")
	click := func() { p.Mouse(tea.MouseClickMsg{Button: tea.MouseLeft}, 20, 1) }
	if click(); p.rows.Len() != 11 {
		t.Errorf("after a click %d rows, want 11", p.rows.Len())
	}
	if click(); p.rows.Len() != 11 || p.Selected() != 1 {
		t.Errorf("after a second click %d rows, record %d; want 11, record 1", p.rows.Len(), p.Selected())
	}
}
