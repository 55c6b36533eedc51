package markdown

import (
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"parley/themes"
	"parley/ui/styles"
)

func TestOnlyOneJobIsOut(t *testing.T) {
	s := still()
	s.Append([]byte("one"))
	job, ok := s.Job(40)
	if !ok {
		t.Fatal("got no job for new text, want one")
	}
	s.Append([]byte(" two"))
	if _, ok := s.Job(40); ok {
		t.Error("got a second job while the first runs, want none")
	}
	if !s.Apply(job.Run()) {
		t.Error("Apply discarded the result for the beginning of the text, want it applied")
	}
	if _, ok := s.Job(40); !ok {
		t.Error("got no job for text that arrived while the first ran, want one")
	}
}

func TestNoJobWithoutWork(t *testing.T) {
	s := still()
	if _, ok := s.Job(40); ok {
		t.Error("got a job for an empty text, want none")
	}
	s.Append([]byte("text\n\nmore"))
	settle(s, 40)
	if _, ok := s.Job(0); ok {
		t.Error("got a job for width 0, want none")
	}
	if _, ok := s.Due(); ok {
		t.Error("Due returned a time without anything to render, want none")
	}
	version := s.Version()
	s.Lines(40)
	if s.Version() != version {
		t.Errorf("got version %d after calls that change nothing, want %d", s.Version(), version)
	}
}

func TestResultsForAReplacedTextAreDropped(t *testing.T) {
	s := still()
	s.Append([]byte("# old\n\nold\n\n[x]: y\n\nold"))
	job, _ := s.Job(40)
	s.Reset([]byte("*new*"))
	if _, ok := s.Job(40); ok {
		t.Error("got a second job while the first runs, want none")
	}
	if s.Apply(job.Run()) {
		t.Error("Apply accepted a stale result, want it discarded")
	}
	settle(s, 40)
	if got := plainText(s.Lines(40)); got != "new" {
		t.Errorf("got %q, want \"new\"", got)
	}
	if s.Len() != len("*new*") {
		t.Errorf("got Len %d, want %d", s.Len(), len("*new*"))
	}
}

func TestEveryChangeChangesTheVersion(t *testing.T) {
	s := still()
	steps := map[string]func(){
		"Append":  func() { s.Append([]byte("x\n\ny")) },
		"Apply":   func() { settle(s, 40) },
		"Close":   func() { s.Close() },
		"Restyle": func() { s.Restyle(mono()) },
		"Reset":   func() { s.Reset([]byte("z")) },
	}
	for _, name := range []string{"Append", "Apply", "Close", "Apply", "Restyle", "Apply", "Append", "Reset"} {
		before := s.Version()
		if steps[name](); s.Version() == before {
			t.Errorf("%s: got the same version, want a new one", name)
		}
	}
}

func TestTheOpenEndCostsASixthOfTheTime(t *testing.T) {
	c := &clock{t: time.Unix(1000, 0)}
	s := New(dark(), c.now)
	spend := func(job Job) Result {
		job.now = func() time.Time { // each reading of the clock takes 5 ms: 10 ms in total
			c.t = c.t.Add(5 * time.Millisecond / 2)
			return c.t
		}
		return job.Run()
	}
	s.Append([]byte("first"))
	job, _ := s.Job(40)
	done := spend(job)
	s.Apply(done)
	if done.cost != 5*time.Millisecond {
		t.Fatalf("got cost %v, want 5ms", done.cost)
	}
	s.Append([]byte(" and more"))
	due, ok := s.Due()
	if want := done.finished.Add(5 * done.cost); !ok || !due.Equal(want) {
		t.Fatalf("due %v, %v; want %v", due, ok, want)
	}
	c.t = due.Add(-time.Nanosecond)
	if _, ok := s.Job(40); ok {
		t.Error("got a job before it is due, want none")
	}
	if got := plainText(s.Lines(40)); got != "first and more" {
		t.Errorf("got %q while the job waits, want all of the text", got)
	}
	if _, ok := s.Job(20); !ok {
		t.Error("got no job for another width, want one at once")
	}
	s.out = false
	c.t = due
	if _, ok := s.Job(40); !ok {
		t.Error("got no job when it is due, want one")
	}
	s.out = false
	c.t = due.Add(-time.Nanosecond)
	s.Close()
	if _, ok := s.Job(40); !ok {
		t.Error("got no job for the end of the text, want one at once")
	}
}

// The clock is simulated: rendering a byte of the open end takes a microsecond, and chunks
// arrive as fast.
func TestRenderedBytesStayInProportion(t *testing.T) {
	for _, chunk := range []int{200, 4 << 10} {
		text := document(100 << 10)
		c := &clock{t: time.Unix(1000, 0)}
		s := New(dark(), c.now)
		given := 0
		for rest := text; rest != ""; {
			n := min(chunk, len(rest))
			s.Append([]byte(rest[:n]))
			rest = rest[n:]
			c.t = c.t.Add(time.Duration(n) * 20 * time.Microsecond)
			for {
				job, ok := s.Job(78)
				if !ok {
					break
				}
				done := job.Run()
				done.cost = time.Duration(done.renderedBytes) * time.Microsecond
				done.finished = c.t
				given += done.renderedBytes
				s.Apply(done)
			}
		}
		s.Close()
		given += settle(s, 78)
		ratio := float64(given) / float64(len(text))
		limit := map[int]float64{200: 3.0, 4 << 10: 1.2}[chunk]
		t.Logf("%d byte chunks: %.2f bytes rendered per byte of source", chunk, ratio)
		if ratio > limit {
			t.Errorf("%d byte chunks: got %.2f bytes rendered per byte of source, want at most %.1f", chunk, ratio, limit)
		}
	}
}

func TestALateDefinitionRendersOnlyWhatAskedForIt(t *testing.T) {
	s := still()
	filler := strings.Repeat("A paragraph that refers to nothing at all.\n\n", 50)
	s.Append([]byte("The [thing] here.\n\n" + filler + "And [x][thing].\n\n" + filler + "[other] \n\n"))
	settle(s, 60)
	s.Append([]byte("[thing]: http://thing.example\n\nend\n"))
	var redone []int
	for {
		job, ok := s.Job(60)
		if !ok {
			break
		}
		done := job.Run()
		for _, r := range done.replacements {
			redone = append(redone, r.i)
		}
		s.Apply(done)
	}
	if len(redone) != 2 || redone[0] != 0 || redone[1] != 51 {
		t.Errorf("rendered again: blocks %v, want 0 and 51", redone)
	}
	if n := strings.Count(plainText(s.Lines(60)), "http://thing.example"); n != 2 {
		t.Errorf("the address is shown %d times, not 2", n)
	}
}

func TestADefinitionInTheOpenEndCountsWhenTheTextIsComplete(t *testing.T) {
	s := still()
	s.Append([]byte("[a] and [b]\n\n[b]\n\n[a]: http://a.example"))
	settle(s, 60)
	if strings.Contains(plainText(s.Lines(60)), "a.example") {
		t.Error("got an address on the screen that may still grow, want none")
	}
	s.Close()
	settle(s, 60)
	if !strings.Contains(plainText(s.Lines(60)), "a http://a.example and [b]") {
		t.Errorf("got %q, want the addresses as text", plainText(s.Lines(60)))
	}
	s.Append([]byte("/path\n"))
	s.Close()
	settle(s, 60)
	if !strings.Contains(plainText(s.Lines(60)), "http://a.example/path") {
		t.Errorf("got %q after more text, want the address", plainText(s.Lines(60)))
	}
}

func TestAClosedTextCanGoOn(t *testing.T) {
	for _, text := range corpus {
		for cut := 0; cut < len(text); cut += 3 {
			s := still()
			s.Append([]byte(text[:cut]))
			s.Close()
			if cut%2 == 0 {
				settle(s, 40)
			}
			s.Append([]byte(text[cut:]))
			s.Close()
			settle(s, 40)
			compare(t, text, 40, s.Lines(40), Render(dark(), text, 40))
		}
	}
}

func TestALongTextIsRenderedInSeveralJobs(t *testing.T) {
	s := still()
	text := document(140 << 10)
	s.Append([]byte(text))
	s.Close()
	jobs := 0
	for {
		job, ok := s.Job(70)
		if !ok {
			break
		}
		done := job.Run()
		if done.renderedBytes > 2*maxWork {
			t.Errorf("job %d: got %d bytes rendered, want at most twice maxWork", jobs, done.renderedBytes)
		}
		s.Apply(done)
		if jobs++; jobs == 1 && !strings.Contains(plainText(s.Lines(70)), "## Section 60") {
			t.Error("got no source of a section that is not rendered yet, want it on the screen")
		}
	}
	if jobs < 3 {
		t.Errorf("got %d jobs, want at least 3", jobs)
	}
	if strings.Contains(strings.Join(s.Lines(70), "\n"), "## Section") { // a rendered one has its mark in another colour
		t.Error("got a section as source after the last job, want it rendered")
	}
}

// With the race detector this checks that Jobs read only what does not change, and that Jobs of
// several Streams share no state of the libraries.
func TestJobsRunBesideTheirStreams(t *testing.T) {
	text := document(12<<10) + corpus[len(corpus)-1]
	var streams sync.WaitGroup
	for range 4 {
		streams.Go(func() {
			s := still()
			results := make(chan Result, 1)
			for rest := text; rest != ""; {
				n := min(200, len(rest))
				s.Append([]byte(rest[:n]))
				rest = rest[n:]
				if job, ok := s.Job(50); ok {
					go func() { results <- job.Run() }()
				}
				s.Lines(50)
				select {
				case done := <-results:
					s.Apply(done)
				default:
				}
			}
			s.Close()
			if s.out {
				s.Apply(<-results)
			}
			settle(s, 50)
			if !slices.Equal(s.Lines(50), Render(dark(), text, 50)) {
				t.Error("got other rows than Render returns at once, want the same")
			}
		})
	}
	streams.Wait()
}

func TestRestyleKeepsTheOldLooksUntilThereAreNew(t *testing.T) {
	s := still()
	text := "# Head\n\n```go\nfunc f() {}\n```\n\ntext"
	s.Append([]byte(text))
	settle(s, 40)
	old := strings.Join(s.Lines(40), "\n")
	light := styles.New(themes.Light(), styles.Unicode())
	job, out := s.Job(30)
	s.Restyle(light)
	if out && s.Apply(job.Run()) {
		t.Error("Apply accepted a result in the old style, want it discarded")
	}
	if strings.Join(s.Lines(40), "\n") != old {
		t.Error("got other rows before anything was rendered in the new style, want the old ones")
	}
	settle(s, 40)
	want := New(light, (&clock{}).now)
	want.Append([]byte(text))
	settle(want, 40)
	compare(t, text, 40, s.Lines(40), want.Lines(40))
}
