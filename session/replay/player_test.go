package replay

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"parley/a2a"
	"parley/a2a/lint"
	"parley/session/journal"
	"parley/session/log"
	"parley/session/model"
	"parley/session/sessiontest"
)

// A watch is a clock that its test sets.
type watch struct{ time.Time }

func (w *watch) now() time.Time { return w.Time }

func (w *watch) pass(d time.Duration) { w.Time = w.Add(d) }

func rules() log.Checker { return lint.New() }

// playing returns a player of a file at rest, whose index is complete.
func playing(t testing.TB, path string, o Options) (*Player, *watch) {
	t.Helper()
	rec, err := journal.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	t.Cleanup(func() { cancel(); rec.Close() })
	w := &watch{time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)}
	o.Recording, o.Rules, o.Now, o.Ahead = rec, rules, w.now, 4000
	p := New(ctx, o)
	for p.Checked() < 1 {
		runtime.Gosched()
	}
	return p, w
}

// all returns the items of a recording as `parley open` reads them, without signals. Nothing has
// checked them: the state does.
func all(t testing.TB, path string) (items []log.Item) {
	t.Helper()
	rec, err := journal.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	rec.Items(context.Background(), func(some []log.Item) { items = append(items, some...) })
	rec.Close()
	return items
}

// stateOf applies the first k items to a new state.
func stateOf(items []log.Item, k int) *model.State {
	s := model.NewState()
	s.Check(rules())
	for _, it := range items[:k] {
		s.Apply(it)
	}
	return s
}

// A viewer applies what a player puts into its feed, as a screen does.
type viewer struct {
	t     testing.TB
	p     *Player
	feed  *log.Feed
	state *model.State
}

// shown applies the records up to the player's position and returns the state.
func (v *viewer) shown() *model.State {
	v.t.Helper()
	if v.feed != v.p.Feed() {
		v.feed, v.state = v.p.Feed(), model.NewState()
		v.state.Follow(v.p.Stage())
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	for v.state.Log.Len() < v.p.Position() {
		items, err := v.feed.Next(ctx, 0)
		if err != nil {
			v.t.Fatalf("at record %d of %d: %v", v.state.Log.Len(), v.p.Position(), err)
		}
		for _, it := range items {
			v.state.Apply(it)
		}
	}
	return v.state
}

// is fails unless the state is that after exactly k records.
func (v *viewer) is(items []log.Item, k int) {
	v.t.Helper()
	got, want := sessiontest.Dump(v.shown()), sessiontest.Dump(stateOf(items, k))
	got, want = got+findings(v.state), want+findings(stateOf(items, k))
	if got != want {
		v.t.Fatalf("the state at record %d (position %d) differs:\n%s", k, v.p.Position(), sessiontest.Difference(want, got))
	}
}

// findings writes which rules fired where.
func findings(s *model.State) string {
	var b strings.Builder
	for _, r := range s.Log.Findings().Rules() {
		fmt.Fprintln(&b, r.Rule, r.Counts, r.Records)
	}
	return b.String()
}

// recordings are the recordings of all tests of the whole program.
func recordings(t testing.TB) []string {
	t.Helper()
	paths, err := filepath.Glob("../../ui/testdata/*.jsonl")
	if err != nil || len(paths) == 0 {
		t.Fatal("no recordings: ", err)
	}
	for seed := range uint64(4) {
		paths = append(paths, random(t, seed, 120))
	}
	return append(paths, damaged(t))
}

// random writes a recording of random records, whose clock jumps.
func random(t testing.TB, seed uint64, n int) string {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 7))
	path := filepath.Join(t.TempDir(), "random.jsonl")
	at := sessiontest.Epoch
	j, err := journal.Create(path, journal.Options{Now: func() time.Time { return at }})
	if err != nil {
		t.Fatal(err)
	}
	put := journal.NewRecorder(log.NewFeed(), j).Put
	var open []a2a.Record
	for i := range n {
		at = at.Add(time.Duration(rng.IntN(4000)-500) * time.Millisecond)
		r := a2a.Record{Time: at}
		switch k := rng.IntN(8); {
		case k == 0 || len(open) == 0:
			r.Kind, r.Dir = a2a.KindRequest, a2a.Out
			r.Call = sessiontest.CallOf(a2a.OpStream, a2a.TurnID(i+1))
			r.Call.Conversation = a2a.ConversationID(1 + rng.IntN(3))
			r.Raw = []byte(fmt.Sprintf(`{"jsonrpc":"2.0","id":"r","method":"SendStreamingMessage","params":{"message":{"messageId":"m%d","role":"ROLE_USER","parts":[{"text":"question %d"}]}}}`, i, i))
			r.ID = put(r, a2a.Update{})
			r.Exchange = r.ID
			open = append(open, r)
			continue
		case k == 1:
			x := rng.IntN(len(open))
			r.Kind, r.Dir, r.Exchange, r.Call = a2a.KindEnd, a2a.In, open[x].Exchange, open[x].Call
			r.End = &a2a.End{Reason: a2a.Ended}
			open = append(open[:x], open[x+1:]...)
		default:
			x := open[rng.IntN(len(open))]
			r.Kind, r.Dir, r.Exchange, r.Call, r.SSE = a2a.KindEvent, a2a.In, x.Exchange, x.Call, &a2a.SSEFields{}
			result := sessiontest.ChunkOf("a", fmt.Sprintf("word %d ", i), rng.IntN(6) > 0)
			if k == 2 {
				result = sessiontest.StatusWord([]string{"WORKING", "INPUT_REQUIRED", "COMPLETED", "NONSENSE"}[rng.IntN(4)])
			}
			r.Raw = []byte("data: " + `{"jsonrpc":"2.0","id":"r","result":` + result + "}\n\n")
		}
		put(r, a2a.Update{})
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

// damaged writes a recording with lines that cannot be read and a torn end.
func damaged(t testing.TB) string {
	t.Helper()
	text, err := os.ReadFile("../../ui/testdata/booking.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	lines := bytes.SplitAfter(text, []byte("\n"))
	lines[40], lines[60], lines[61] = []byte("{\"id\": nothing\n"), []byte("\n"), lines[50]
	path := filepath.Join(t.TempDir(), "damaged.jsonl")
	if err := os.WriteFile(path, bytes.TrimSuffix(bytes.Join(lines, nil), []byte("end\"}\n"))[:len(text)-3000], 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// The state after a seek is that after exactly the records shown, from wherever the player comes.
func TestTheStateIsThatAfterExactlyTheRecordsShown(t *testing.T) {
	t.Parallel()
	for _, path := range recordings(t) {
		t.Run(filepath.Base(path), func(t *testing.T) {
			items := all(t, path)
			p, _ := playing(t, path, Options{Step: true})
			v := &viewer{t: t, p: p}
			rng := rand.New(rand.NewPCG(1, uint64(len(items))))
			if n, _ := p.Len(); n != len(items) {
				t.Fatalf("got %d records, want %d", n, len(items))
			}
			for range 40 {
				k := 1 + rng.IntN(len(items))
				p.Seek(k)
				v.is(items, k)
				for range rng.IntN(4) {
					step := rng.IntN(5) - 2
					p.Step(step)
					k = max(1, min(k+step, len(items)))
				}
				v.is(items, k)
			}
			p.Seek(len(items) + 100)
			v.is(items, len(items))
		})
	}
}

// A seek back that follows at once another one, before its records were read, begins no new pass
// if it need not.
func TestASeekBackBeforeTheRecordsAreReadGoesOn(t *testing.T) {
	t.Parallel()
	path := random(t, 9, 300)
	items := all(t, path)
	p, _ := playing(t, path, Options{Step: true})
	v := &viewer{t: t, p: p}
	for _, k := range []int{300, 20, 280, 3, 4, 150} {
		p.Seek(k)
	}
	v.is(items, 150)
}

func TestTimeGoesOnlyWhileThePlayerPlays(t *testing.T) {
	t.Parallel()
	path := random(t, 3, 100)
	items := all(t, path)
	due := func(after time.Duration) int { // counted from the records
		n, last, elapsed := 0, items[0].Record.Time, time.Duration(0)
		for _, it := range items {
			if gap := it.Record.Time.Sub(last); gap > 0 {
				elapsed += gap
				last = it.Record.Time
			}
			if elapsed > after {
				break
			}
			n++
		}
		return n
	}
	p, w := playing(t, path, Options{})
	v := &viewer{t: t, p: p}
	for _, speed := range []float64{1, 1, 2, 5, 10, 20} {
		for p.Speed() < speed {
			p.Faster()
		}
		before, _ := p.Since()
		w.pass(1500 * time.Millisecond)
		p.Tick()
		if want := due(before + time.Duration(1500*speed)*time.Millisecond); p.Position() != want {
			t.Errorf("at %v times: got record %d, want %d", speed, p.Position(), want)
		}
		v.is(items, p.Position())
		p.Pause()
		at := p.Position()
		w.pass(time.Hour)
		if _, ok := p.Tick(); ok || p.Position() != at {
			t.Errorf("paused: got record %d and a next tick %v, want record %d", p.Position(), ok, at)
		}
		p.Play()
	}
	w.pass(time.Hour)
	if _, ok := p.Tick(); ok || p.Playing() || p.Position() != len(items) {
		t.Errorf("at the end: got record %d, playing %v, want %d at rest", p.Position(), p.Playing(), len(items))
	}
	v.is(items, len(items))
	if !p.Play() || p.Position() != 1 {
		t.Errorf("got record %d, want that play begins again after the end", p.Position())
	}
}

// At any speed each due record is shown at its time: ticks that come late or often change nothing.
func TestEveryTickGivesWhatIsDue(t *testing.T) {
	t.Parallel()
	path := random(t, 5, 200)
	rng := rand.New(rand.NewPCG(5, 5))
	one, w1 := playing(t, path, Options{Speed: 20})
	many, w2 := playing(t, path, Options{Speed: 20})
	ticks := 0
	for range 20 {
		w1.pass(700 * time.Millisecond)
		one.Tick()
		for left := 700 * time.Millisecond; left > 0; {
			d := min(left, time.Duration(rng.IntN(60))*time.Millisecond)
			left -= d
			w2.pass(d)
			many.Tick()
			ticks++
		}
		if one.Position() != many.Position() {
			t.Fatalf("got record %d after one tick and %d after %d, want the same", one.Position(), many.Position(), ticks)
		}
	}
}

func TestALongGapIsShortened(t *testing.T) {
	t.Parallel()
	path := random(t, 6, 50)
	p, w := playing(t, path, Options{MaxGap: 100 * time.Millisecond})
	for range 60 {
		w.pass(100 * time.Millisecond)
		p.Tick()
	}
	if p.Position() != 50 && p.Playing() {
		t.Errorf("got record %d after 6 s, want the end: no gap is longer than 0.1 s", p.Position())
	}
	if at, last := p.Since(); at != last || last < 10*time.Second {
		t.Errorf("got %v of %v, want the times of the recording", at, last)
	}
}

func TestGoalsAreRead(t *testing.T) {
	t.Parallel()
	path := random(t, 8, 100)
	items := all(t, path)
	p, _ := playing(t, path, Options{Step: true})
	v := &viewer{t: t, p: p}
	marks := []int{17, 60}
	for _, c := range []struct {
		text string
		want int
	}{
		{"#42", 42}, {"7", 7}, {"end", len(items)}, {"start", 1}, {" 100% ", len(items)}, {"0%", 1},
		{"next mark", 17}, {"mark", 60}, {"previous mark", 17}, {"0:00", 1}, {"99:00:00", len(items)},
	} {
		g, err := Parse(c.text)
		if err == nil {
			_, err = p.Go(g, marks, time.UTC)
		}
		if err != nil || p.Position() != c.want {
			t.Errorf("%q: got record %d (%v), want %d", c.text, p.Position(), err, c.want)
		}
		v.shown()
	}
	if g, err := Parse("0:30"); err != nil {
		t.Error(err)
	} else if _, err = p.Go(g, nil, time.UTC); err != nil || items[p.Position()-1].Record.Time.Sub(items[0].Record.Time) > 30*time.Second {
		t.Errorf("0:30: got record %d (%v), want the last one of the first half minute", p.Position(), err)
	}
	at := p.Position()
	if g, err := Parse("+10s"); err != nil {
		t.Error(err)
	} else if _, err = p.Go(g, nil, time.UTC); err != nil || p.Position() <= at {
		t.Errorf("+10s: got record %d after %d (%v)", p.Position(), at, err)
	}
	clock := "@" + items[0].Record.Time.Add(20*time.Second).UTC().Format("15:04:05")
	if g, err := Parse(clock); err != nil {
		t.Error(err)
	} else if _, err = p.Go(g, nil, time.UTC); err != nil || p.Position() == 1 || p.Position() >= at {
		t.Errorf("%s: got record %d (%v), want one before %d", clock, p.Position(), err, at)
	}
	for _, text := range []string{"", "abc", "-5", "1:99", "12:", "101%", "NaN%", "@25:00", "@", "#", "next", "next finding finding", "1:2:3:4", "--3s", "1e9:00"} {
		if g, err := Parse(text); err == nil {
			t.Errorf("%q: got %+v, want an error", text, g)
		}
	}
	if g, _ := Parse("#999"); g.Record != 999 {
		t.Error("no record")
	} else if _, err := p.Go(g, nil, time.UTC); err == nil || !strings.Contains(err.Error(), "last one is #") {
		t.Errorf("got %v, want the number of the last record", err)
	}
	if g, _ := Parse("previous mark"); g.Dir != -1 {
		t.Error("no direction")
	} else if _, err := p.Go(g, nil, time.UTC); err == nil {
		t.Error("got no error for a mark that does not exist")
	}
}

// Findings and turns are those that the state knows.
func TestTheIndexKnowsFindingsAndTurns(t *testing.T) {
	t.Parallel()
	for _, path := range recordings(t) {
		items := all(t, path)
		p, _ := playing(t, path, Options{Step: true})
		s := stateOf(items, len(items))
		for i := range s.Log.Len() {
			want := false
			for _, f := range s.Log.At(a2a.RecordID(i + 1)).Findings {
				want = want || f.Severity >= a2a.Warning
			}
			if got := p.Has(Finding, i+1, i+2); got != want {
				t.Errorf("%s: record %d: got a finding %v, want %v", filepath.Base(path), i+1, got, want)
			}
		}
		cells := p.Cells(40)
		for i := 1; i < len(cells); i++ {
			if cells[i] < cells[i-1] {
				t.Fatalf("%s: got cells %v, want ascending records", path, cells)
			}
		}
		if last := cells[len(cells)-1]; last != len(items)+1 {
			t.Errorf("%s: the last cell ends before record %d, want %d", path, last, len(items)+1)
		}
	}
}

// The time line has the records that the feed will have.
func TestTheTimeLineHasTheRecordsOfTheFeed(t *testing.T) {
	t.Parallel()
	for _, path := range recordings(t) {
		rec, err := journal.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer rec.Close()
		items, i := all(t, path), 0
		rec.Again(nil).Outline(t.Context(), func(r *a2a.Record) {
			if i >= len(items) {
				t.Fatalf("%s: got record %d, want %d records", filepath.Base(path), r.ID, len(items))
			}
			want := &items[i].Record
			if r.ID != want.ID || r.Kind != want.Kind || !r.Time.Equal(want.Time) || !reflect.DeepEqual(r.Call, want.Call) {
				t.Errorf("%s: got record %+v, want %+v", filepath.Base(path), r, want)
			}
			i++
		})
		if i != len(items) {
			t.Errorf("%s: got %d records, want %d", filepath.Base(path), i, len(items))
		}
	}
}

// slow are rules that wait until they may check.
type slow struct {
	log.Checker
	may <-chan struct{}
}

func (s slow) Check(r *a2a.Record, u *a2a.Update, known *a2a.Fold) []a2a.Finding {
	<-s.may
	return s.Checker.Check(r, u, known)
}

// The time line is complete before the rules have checked a record, and until they have, nobody is
// told that there are no findings.
func TestTheTimeLineDoesNotWaitForTheRules(t *testing.T) {
	t.Parallel()
	rec, err := journal.Open("../../ui/testdata/booking.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { rec.Close() })
	may := make(chan struct{})
	p := New(t.Context(), Options{Recording: rec, Rules: func() log.Checker { return slow{lint.New(), may} }, Now: time.Now, Step: true, Ahead: 10})
	n, complete := p.Len()
	for ; !complete; n, complete = p.Len() {
		runtime.Gosched()
	}
	if want := len(all(t, "../../ui/testdata/booking.jsonl")); n != want || p.Checked() == 1 {
		t.Errorf("got %d records, %v of them checked; want %d, not all checked", n, p.Checked(), want)
	}
	next, err := Parse("next finding")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Go(next, nil, time.UTC); err == nil || !strings.Contains(err.Error(), "the rules have checked") {
		t.Errorf("got %v, want that the rules have not checked everything", err)
	}
	close(may)
	for p.Checked() < 1 {
		runtime.Gosched()
	}
	if _, err := p.Go(next, nil, time.UTC); err != nil && !strings.Contains(err.Error(), "no later finding") {
		t.Errorf("got %v, want the next finding, or that there is none", err)
	}
}

// While a pass has a long way to go, the check of the rest leaves it the processor.
func TestTheRulesWaitForALongWay(t *testing.T) {
	t.Parallel()
	const records = nearby + 2000
	p, _ := playing(t, random(t, 5, records), Options{Step: true})
	p.Seek(records)
	if !p.newest.Load().far() {
		t.Fatal("got a pass near its end, want a long way: nobody takes its items")
	}
	far := make(chan bool)
	go func() {
		p.wait(t.Context())
		far <- p.newest.Load().far()
	}()
	(&viewer{t: t, p: p}).shown()
	if <-far {
		t.Error("the rules go on before the pass is near its end")
	}
	p.Seek(1)
	p.Seek(records)
	p.Stop()
	p.wait(t.Context()) // returns
}

// tally are rules that count the records that they check.
type tally struct {
	log.Checker
	n *atomic.Int64
}

func (c tally) Check(r *a2a.Record, u *a2a.Update, known *a2a.Fold) []a2a.Finding {
	c.n.Add(1)
	return c.Checker.Check(r, u, known)
}

// A step back checks no record again, and the state has the findings nevertheless.
func TestAStepBackChecksNothingAgain(t *testing.T) {
	t.Parallel()
	path := random(t, 3, 300)
	items := all(t, path)
	p, _ := playing(t, path, Options{Step: true})
	var n atomic.Int64
	p.o.Rules = func() log.Checker { return tally{lint.New(), &n} }
	v := viewer{t: t, p: p}
	p.Seek(len(items))
	v.is(items, len(items))
	for _, k := range []int{len(items) - 1, 17, 200} {
		p.Seek(k)
		v.is(items, k)
	}
	if got := n.Load(); got != 0 {
		t.Errorf("got %d records checked again, want none", got)
	}
}

// An empty, a foreign and a shortened file: nothing hangs.
func TestAFileThatBecameShorterEndsThere(t *testing.T) {
	t.Parallel()
	path := random(t, 2, 200)
	p, _ := playing(t, path, Options{Step: true})
	v := &viewer{t: t, p: p}
	p.Seek(150)
	v.shown()
	if err := os.Truncate(path, 9000); err != nil {
		t.Fatal(err)
	}
	p.Seek(3)
	p.Seek(200)
	ctx, cancel := context.WithCancel(t.Context())
	var reader sync.WaitGroup
	reader.Go(func() { // the pass waits for somebody who takes its records, and may end after the last of them
		for feed := p.Feed(); ; {
			if _, err := feed.Next(ctx, 0); err != nil {
				return
			}
		}
	})
	for _, over := p.pass.progress(); !over; _, over = p.pass.progress() {
		runtime.Gosched()
	}
	cancel()
	reader.Wait()
	p.Tick()
	if n := p.Position(); n >= 150 || n < 3 {
		t.Errorf("got record %d, want the last one of the shorter file", n)
	}
}

func TestARecordingWithoutRecordsIsPlayed(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "none.jsonl")
	if err := os.WriteFile(path, []byte(`{"parley":"session","version":1,"created":"2026-11-20T14:02:07Z"}`+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	p, w := playing(t, path, Options{})
	w.pass(time.Second)
	if _, ok := p.Tick(); ok || p.Playing() || p.Position() != 0 || p.Played() != 0 {
		t.Errorf("got record %d, playing %v, want none", p.Position(), p.Playing())
	}
	p.Step(1)
	p.Step(-1)
	p.Cells(10)
	p.SeekPart(0.5)
	p.Faster()
	p.Slower()
	p.Play()
	p.SeekTime(time.Minute)
}

// grow appends to a file, which is read meanwhile.
func grow(t *testing.T, path string, more []byte) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err == nil {
		_, err = f.Write(more)
		err = cmp.Or(err, f.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
}

// A growing file is played up to where it was when it was opened.
func TestAGrowingFileIsPlayedAsItWas(t *testing.T) {
	t.Parallel()
	path := random(t, 4, 60)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, whole[:len(whole)/2], 0o600); err != nil {
		t.Fatal(err)
	}
	items := all(t, path)
	p, _ := playing(t, path, Options{Step: true})
	grow(t, path, whole[len(whole)/2:])
	v := &viewer{t: t, p: p}
	for _, k := range []int{len(items), 2, len(items)} {
		p.Seek(k)
		v.is(items, k)
	}
}

func TestASeekIsStopped(t *testing.T) {
	t.Parallel()
	path := random(t, 4, 3000)
	p, _ := playing(t, path, Options{Step: true})
	v := &viewer{t: t, p: p}
	p.o.Ahead = 1
	p.Seek(10)
	v.shown()
	p.Seek(3000)
	p.Stop()
	if n := p.Position(); n < 10 || n > 3000 {
		t.Errorf("stopped at record %d", n)
	}
	v.shown()
	if v.state.Log.Len() != p.Position() {
		t.Errorf("got %d records, want %d", v.state.Log.Len(), p.Position())
	}
}

// A clock that jumps back or forward, or is not recorded, breaks neither the time line nor the gaps.
func TestAClockThatJumpsBreaksNoTimeLine(t *testing.T) {
	t.Parallel()
	noon := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	const day = 24 * time.Hour
	times := []time.Time{
		noon, noon.Add(time.Second), noon.Add(time.Second - time.Millisecond), // passed on its way
		noon.Add(-time.Hour), noon.Add(2*time.Second - time.Hour), // set back
		{}, noon.Add(3*time.Second - time.Hour), // not recorded
		noon.Add(day), noon.Add(day + time.Second), // a day forward
		time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC), noon, time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC), noon,
	}
	const before = 6 * time.Second // up to the day
	for most, wants := range map[time.Duration][]time.Duration{
		0:               {0, time.Second, time.Second, time.Second, 3 * time.Second, 3 * time.Second, 4 * time.Second, 4*time.Second + day + time.Hour - 3*time.Second},
		2 * time.Second: {0, time.Second, time.Second, time.Second, 3 * time.Second, 3 * time.Second, 4 * time.Second, before, before + time.Second, before + 3*time.Second},
	} {
		x := index{most: most}
		for i, at := range times {
			x.add(&a2a.Record{ID: a2a.RecordID(i + 1), Time: at})
		}
		for i, want := range wants {
			if got := x.at(i + 1); got != want {
				t.Errorf("gaps of at most %v: got record %d at %v, want %v", most, i+1, got, want)
			}
		}
		for i := range times[1:] {
			if gap, ok := x.gap(i + 1); !ok || gap < 0 || most > 0 && gap > most {
				t.Errorf("gaps of at most %v: got gap %v after record %d", most, gap, i+1)
			}
			if x.since(i+2) < x.since(i+1) {
				t.Errorf("got record %d at %v, before the one before it", i+2, x.since(i+2))
			}
		}
		if cells := x.cells(20); !slices.IsSorted(cells) || cells[19] != len(times)+1 {
			t.Errorf("got cells %v, want all records in order", cells)
		}
		if got := x.find(time.Second); got != 4 {
			t.Errorf("got record %d after a second, want the last of those that came then", got)
		}
	}
}
