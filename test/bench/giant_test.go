package bench

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode"
)

// The sizes of the answers, in bytes of text.
const (
	giant12 = 12_000_000
	giant64 = 64_000_000
)

// wholePath is the path of an agent that sends this many bytes in one piece: in the only artifact
// event of a stream, or in a plain answer.
func wholePath(kind string, size int) string { return fmt.Sprintf("/whole/%s/%d", kind, size) }

// lastWords are the end of every such answer.
const lastWords = "and so it ends."

// handleWhole adds the agents of [wholePath] to those of serve.
func handleWhole(mux *http.ServeMux, url string) {
	mux.HandleFunc("GET /whole/{kind}/{size}/.well-known/agent-card.json", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		at, _, _ := strings.Cut(r.URL.Path, "/.well-known")
		text := fmt.Sprintf(card, url+at)
		if r.PathValue("kind") == "plain" {
			text = strings.Replace(text, `"streaming":true`, `"streaming":false`, 1)
		}
		_, _ = io.WriteString(w, text)
	})
	mux.HandleFunc("POST /whole/{kind}/{size}", func(w http.ResponseWriter, r *http.Request) {
		size, _ := strconv.Atoi(r.PathValue("size"))
		body, _ := io.ReadAll(r.Body)
		_, rest, _ := bytes.Cut(body, []byte(`"id":`))
		id, _, _ := bytes.Cut(rest, []byte(`,`))
		if r.PathValue("kind") == "plain" {
			before, after, _ := strings.Cut(plainAnswer, words)
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprintf(w, before, id)
			writeText(w, size)
			_, _ = io.WriteString(w, after)
			return
		}
		before, after, _ := strings.Cut("data: "+chunk+"\n\n", words)
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprintf(w, before, id)
		writeText(w, size)
		_, _ = io.WriteString(w, after)
		fmt.Fprintf(w, "data: "+over+"\n\n", id)
	})
}

// plainAnswer is an answer without a stream.
const plainAnswer = `{"jsonrpc":"2.0","id":%s,"result":{"task":{"id":"91c2e0d4-77f1-4c55-9a2f-0f6f3a1b2c3d",` +
	`"contextId":"7f3a11b9-02c8-4b0e-8d55-1a2b3c4d5e6f","status":{"state":"TASK_STATE_COMPLETED"},` +
	`"artifacts":[{"artifactId":"itinerary","name":"itinerary.md","parts":[{"text":"` + words + `"}]}]}}}`

// writeText writes this many bytes of text as the content of a JSON string: paragraphs of a few
// lines each.
func writeText(w io.Writer, size int) {
	paragraph := strings.Repeat("It was a bright cold day in April, and the clocks were striking. ", 6) + `\n\n`
	block := strings.Repeat(paragraph, 64<<10/len(paragraph))
	for size -= len(lastWords); size > 0; size -= len(block) {
		if size < len(block) {
			block = strings.TrimRight(block[:size], `\`)
		}
		if _, err := io.WriteString(w, block); err != nil {
			return
		}
	}
	_, _ = io.WriteString(w, lastWords)
}

// resident returns the current or the peak resident memory of a process, in bytes.
func resident(b *testing.B, pid int, name string) float64 {
	b.Helper()
	data, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/status")
	if err != nil {
		b.Skip("this system has no /proc to tell resident memory")
	}
	_, after, _ := strings.Cut(string(data), name)
	n, err := strconv.Atoi(strings.Fields(after)[0])
	if err != nil {
		b.Fatal(err)
	}
	return float64(n) * 1024
}

// BenchmarkGiant receives an answer in one piece, in a terminal and with parley send. It
// reports the peak memory as a multiple of the answer's size; in a terminal also the time until
// the last words are in the conversation, and the longest delay of a key meanwhile. The last
// words must be in the record, too.
func BenchmarkGiant(b *testing.B) {
	program, url := build(b, "parley", releaseEnv), agent(b).url
	for _, size := range []int{giant12, giant64} {
		for _, kind := range []string{"event", "plain"} {
			b.Run(fmt.Sprintf("%s-%dMB", kind, size/1_000_000), func(b *testing.B) {
				taken, waited, shown := 0.0, time.Duration(0), time.Duration(0)
				for b.Loop() {
					s := startChat(b, program, append(giantLimits, url+wholePath(kind, size))...)
					pid := s.cmd.Process.Pid
					before := resident(b, pid, "VmRSS:")
					wait, end := s.timeAnswer()
					s.endOfRecord()
					taken = max(taken, (resident(b, pid, "VmHWM:")-before)/float64(size))
					waited, shown = max(waited, wait), max(shown, end)
					stop(s.cmd)
				}
				b.ReportMetric(taken, memoryUnit)
				b.ReportMetric(float64(waited.Nanoseconds()), "key-ns")
				b.ReportMetric(float64(shown.Nanoseconds()), "shown-ns")
			})
		}
		for name, args := range map[string][]string{"send": nil, "send-json": {"-o", "json"}} {
			b.Run(fmt.Sprintf("%s-%dMB", name, size/1_000_000), func(b *testing.B) {
				taken := 0.0
				for b.Loop() {
					least := sendPeak(b, program, url+wholePath("event", len(lastWords)), args...)
					taken = max(taken, (sendPeak(b, program, url+wholePath("event", size), args...)-least)/float64(size))
				}
				b.ReportMetric(taken, memoryUnit)
			})
		}
	}
}

// giantLimits accept the largest answers.
var giantLimits = []string{"--max-event", "100MB", "--max-answer", "100MB"}

// memoryUnit is the additional resident memory divided by the size of the answer.
const memoryUnit = "memory×"

// timeAnswer sends a message and types until the last words of the answer are on the screen. It
// returns the longest delay of a letter, and the time of the answer.
func (s *screen) timeAnswer() (wait, shown time.Duration) {
	at := s.field()
	began := time.Now()
	s.press("hello\r")
	s.until("an empty field", func() bool { return s.row(at.y, at.x, at.x+1) != "h" })
	seen := func() bool {
		s.mu.Lock()
		defer s.mu.Unlock()
		return s.shows(lastSeen, 0, chatEnd)
	}
	for letter := byte('a'); !seen(); letter = 'a' + (letter-'a'+1)%26 {
		if time.Since(began) > patience {
			s.b.Fatalf("the end did not come onto the screen\n%s", s.term)
		}
		pressed := time.Now()
		s.press(string(letter))
		found := s.until("the letter "+string(letter), func() bool { return s.row(at.y, at.x, at.x+1) == string(letter) })
		wait = max(wait, found.Sub(pressed))
		s.press("\x7f")
		s.until("the letter gone", func() bool { return s.row(at.y, at.x, at.x+1) != string(letter) })
	}
	return wait, time.Since(began)
}

// endOfRecord goes to the end of the bytes of the record with the answer.
func (s *screen) endOfRecord() {
	says := func(keys, help string) {
		s.press(keys)
		s.until(help, func() bool { return s.shows(help, 0, screenWidth) })
	}
	s.press("\x1b")
	s.until("the keys that work now", func() bool { return s.shows("f1 help", 0, screenWidth) })
	time.Sleep(time.Second) // otherwise the terminal's escape would be part of the next key
	says("\t", "enter show record")
	says("G\r", "/ filter")
	says("d", "d back to rows")
	s.press("2G")
	s.until("the end of the record", func() bool {
		var all strings.Builder // words are broken between rows
		for y := range screenHeight {
			all.WriteString(strings.Map(letters, s.row(y, chatEnd, screenWidth)))
		}
		return strings.Contains(all.String(), strings.Map(letters, lastSeen))
	})
}

// letters removes everything but letters.
func letters(r rune) rune {
	if unicode.IsLetter(r) {
		return r
	}
	return -1
}

// lastSeen returns the part of the last words in rows, however they are broken.
const lastSeen = "so it ends."

// shows reports whether a row contains words between two columns.
func (s *screen) shows(words string, from, to int) bool {
	for y := range screenHeight {
		if strings.Contains(s.row(y, from, to), words) {
			return true
		}
	}
	return false
}

// sendPeak returns the peak memory of parley send on a stream.
func sendPeak(b *testing.B, program, url string, args ...string) float64 {
	b.Helper()
	home := b.TempDir()
	cmd := exec.Command(program, slices.Concat([]string{"send", "-a", url, "--stream", "hello"}, giantLimits, args)...)
	cmd.Dir, cmd.Env = home, environment(home)
	out := &ending{}
	cmd.Stdout = out
	if err := cmd.Run(); err != nil {
		b.Fatal(err)
	}
	if !bytes.Contains(out.last, []byte(lastWords)) {
		b.Fatalf("got no last words in %q", out.last)
	}
	return peakMemory(b, cmd.ProcessState)
}

// An ending remembers the last bytes that were written.
type ending struct{ last []byte }

func (e *ending) Write(p []byte) (int, error) {
	const most = 4 << 10
	e.last = append(e.last, p...)
	e.last = append([]byte(nil), e.last[max(0, len(e.last)-most):]...)
	return len(p), nil
}
