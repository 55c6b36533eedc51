package bench

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"parley/a2a"
	"parley/a2a/sse"
	"parley/session/engine"
	"parley/session/journal"
	"parley/session/log"
	"parley/session/model"
)

// events is the number of chunks in a stream.
const events = 100_000

// The agent's card, a chunk with words, and the end.
const (
	card = `{"name":"Torrent","description":"","version":"1","capabilities":{"streaming":true},"skills":[],` +
		`"defaultInputModes":["text/plain"],"defaultOutputModes":["text/plain"],` +
		`"supportedInterfaces":[{"url":%q,"protocolBinding":"JSONRPC","protocolVersion":"1.0"}]}`
	task = `"taskId":"91c2e0d4-77f1-4c55-9a2f-0f6f3a1b2c3d","contextId":"7f3a11b9-02c8-4b0e-8d55-1a2b3c4d5e6f"`
	// chunk is the data of one event with a piece of text.
	chunk = `{"jsonrpc":"2.0","id":%s,"result":{"artifactUpdate":{` + task + `,` +
		`"artifact":{"artifactId":"itinerary","name":"itinerary.md","parts":[{"text":"` + words + `"}]},"append":true}}}`
	words = "London, 10 to 17 October, one bag. "
	over  = `{"jsonrpc":"2.0","id":%s,"result":{"statusUpdate":{` + task + `,"status":{"state":"TASK_STATE_COMPLETED"}}}}`
)

// serveEnv is set for the process of the agent.
const serveEnv = "PARLEY_BENCH_SERVE"

func TestMain(m *testing.M) {
	if os.Getenv(serveEnv) != "" {
		serve()
		return
	}
	if os.Getenv(grpcEnv) != "" {
		serveGRPC()
		return
	}
	os.Exit(m.Run())
}

// serve is an agent that answers every message with a long stream, as fast as
// it can be read, until its standard input ends.
func serve() {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	url := "http://" + l.Addr().String()
	mux := http.NewServeMux()
	mux.HandleFunc("GET /.well-known/agent-card.json", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, card, url)
	})
	handlePaced(mux, url)
	handleWhole(mux, url)
	mux.HandleFunc("POST /", func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		_, rest, _ := bytes.Cut(body, []byte(`"id":`))
		id, _, _ := bytes.Cut(rest, []byte(`,`))
		w.Header().Set("Content-Type", "text/event-stream")
		block := strings.Repeat("data: "+fmt.Sprintf(chunk, id)+"\n\n", 200)
		for range events / 200 {
			if _, err := io.WriteString(w, block); err != nil {
				return
			}
		}
	})
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		os.Exit(0)
	}()
	fmt.Println(url)
	err = serveStamped(l, mux)
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

// An agentProcess is an agent in another process.
type agentProcess struct {
	url string
	out *bufio.Reader // its output: its URL, then the time of each request
}

// agent starts the agent in a process of its own.
func agent(b *testing.B) agentProcess { return process(b, serveEnv) }

// process starts the agent of a variable in a process of its own.
func process(b *testing.B, variable string) agentProcess {
	b.Helper()
	self, err := os.Executable()
	if err != nil {
		b.Fatal(err)
	}
	cmd := exec.Command(self)
	cmd.Env = append(os.Environ(), variable+"=1")
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		b.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		in.Close()
		_ = cmd.Wait()
	})
	a := agentProcess{out: bufio.NewReader(out)}
	a.url = a.readLine(b)
	return a
}

// readLine returns the next line of the agent's output.
func (a agentProcess) readLine(b *testing.B) string {
	b.Helper()
	line, err := a.out.ReadString('\n')
	if err != nil {
		b.Fatal("the agent ended: ", err)
	}
	return strings.TrimSpace(line)
}

// awaitRequest waits for the next request and returns when its first byte arrived.
func (a agentProcess) awaitRequest(b *testing.B) time.Time {
	b.Helper()
	us, err := strconv.ParseInt(a.readLine(b), 10, 64)
	if err != nil {
		b.Fatal(err)
	}
	return time.UnixMicro(us)
}

// perEvent reports the time per event.
func perEvent(b *testing.B) {
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/events, perEventUnit)
}

// post requests the stream as any program would.
func post(b *testing.B, url string) io.ReadCloser {
	b.Helper()
	resp, err := http.Post(url, "application/json", strings.NewReader(`{"jsonrpc":"2.0","id":"c41f-1","method":"SendStreamingMessage"}`))
	if err != nil {
		b.Fatal(err)
	}
	return resp.Body
}

// BenchmarkStream receives a stream from another process: with the engine, its feed and the
// state, as parley send and the workbench do; with a scanner and the same decoder; and as
// unread bytes.
func BenchmarkStream(b *testing.B) {
	url := agent(b).url
	b.Run("engine", func(b *testing.B) { newEngine(b, url) })
	b.Run("scan-and-decode", func(b *testing.B) {
		for b.Loop() {
			body := post(b, url)
			if n := scanAndDecode(body, func(*a2a.Event) {}); n != events {
				b.Fatalf("got %d events, want %d", n, events)
			}
			body.Close()
		}
		perEvent(b)
	})
	b.Run("scan-decode-encode", func(b *testing.B) {
		for b.Loop() {
			body, out := post(b, url), json.NewEncoder(io.Discard)
			if n := scanAndDecode(body, func(ev *a2a.Event) { _ = out.Encode(a2a.EncodeV1Event(ev)) }); n != events {
				b.Fatalf("got %d events, want %d", n, events)
			}
			body.Close()
		}
		perEvent(b)
	})
	b.Run("raw", func(b *testing.B) {
		for b.Loop() {
			body := post(b, url)
			if _, err := io.Copy(io.Discard, body); err != nil {
				b.Fatal(err)
			}
			body.Close()
		}
		perEvent(b)
	})
}

func newEngine(b *testing.B, url string) {
	n := 0
	feed := log.NewFeed()
	e := engine.New(engine.Base{
		Recorder: journal.NewRecorder(feed, nil), Now: time.Now, After: time.After,
		NewID: func() string { n++; return fmt.Sprintf("id-%d", n) },
	}, engine.Use{Ends: true})
	defer e.Close()
	state := model.NewState()
	// until applies items and counts events.
	until := func(kind log.SignalKind) (got int) {
		for {
			items, err := feed.Next(context.Background(), 2000)
			if err != nil {
				b.Fatal(err)
			}
			for i := range items {
				state.Apply(items[i])
				if items[i].Record.Kind == a2a.KindEvent {
					got++
				}
				if s := items[i].Signal; s != nil && s.Kind == kind {
					return got
				}
			}
		}
	}
	id := e.Open(url)
	until(log.SignalOpened)
	for b.Loop() {
		e.Send(model.Target{Agent: id}, &a2a.Message{Parts: []a2a.Part{a2a.TextPart("hello")}}, model.SendOptions{Stream: a2a.True, Async: true})
		if got := until(log.SignalTurnOver); got != events {
			b.Fatalf("got %d events, want %d", got, events)
		}
	}
	perEvent(b)
}

// scanAndDecode decodes the data of every event and stores nothing.
func scanAndDecode(r io.Reader, each func(*a2a.Event)) (n int) {
	call := &a2a.Call{Op: a2a.OpStream, Dialect: a2a.V10, Binding: a2a.BindingJSONRPC}
	lines := bufio.NewScanner(r)
	for lines.Scan() {
		if data, ok := bytes.CutPrefix(lines.Bytes(), []byte("data: ")); ok {
			u := a2a.Decode(call, a2a.Input{Body: data, Status: 200, Stream: true, RPCID: `"c41f-1"`})
			for i := range u.Events {
				each(&u.Events[i])
			}
			n += len(u.Events)
		}
	}
	return n
}

// BenchmarkIngest measures the way of events from bytes in memory to the feed: divided into
// frames, stored, decoded, numbered and queued. Its floor scans and decodes only.
func BenchmarkIngest(b *testing.B) {
	body := []byte(strings.Repeat("data: "+fmt.Sprintf(chunk, `"c41f-1"`)+"\n\n", events))
	b.Run("ours", func(b *testing.B) {
		allocated := allocations()
		for b.Loop() {
			ingest(b, body)
		}
		b.ReportMetric(allocated()/float64(b.N)/events, "allocs/event")
		perEvent(b)
	})
	b.Run("floor", func(b *testing.B) {
		allocated := allocations()
		for b.Loop() {
			if n := scanAndDecode(bytes.NewReader(body), func(*a2a.Event) {}); n != events {
				b.Fatalf("got %d events, want %d", n, events)
			}
		}
		b.ReportMetric(allocated()/float64(b.N)/events, "allocs/event")
		perEvent(b)
	})
}

// TestTheWireAllocatesLittleMoreThanDecoding counts the allocations of an event besides its
// decoding.
func TestTheWireAllocatesLittleMoreThanDecoding(t *testing.T) {
	body := []byte(strings.Repeat("data: "+fmt.Sprintf(chunk, `"c41f-1"`)+"\n\n", events))
	least := testing.AllocsPerRun(1, func() { scanAndDecode(bytes.NewReader(body), func(*a2a.Event) {}) })
	ours := testing.AllocsPerRun(1, func() { ingest(t, body) })
	if more := (ours - least) / events; more > 2 {
		t.Errorf("got %.2f more allocations than decoding an event, want at most 2", more)
	}
}

// allocations starts a count of allocations.
func allocations() func() float64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	return func() float64 {
		runtime.ReadMemStats(&after)
		return float64(after.Mallocs - before.Mallocs)
	}
}

// ingest processes a stream as the client does, and empties the feed as the screen does.
func ingest(b testing.TB, body []byte) {
	call := &a2a.Call{Op: a2a.OpStream, Dialect: a2a.V10, Binding: a2a.BindingJSONRPC}
	feed := log.NewFeed()
	recorder := journal.NewRecorder(feed, nil)
	frames, got := sse.NewDecoder(bytes.NewReader(body)), 0
	for n := 1; ; n++ {
		f, err := frames.Next()
		if err == io.EOF {
			break
		}
		u := a2a.Decode(call, a2a.Input{Body: f.Data, Status: 200, Stream: true, RPCID: `"c41f-1"`})
		recorder.Put(a2a.Record{Exchange: 1, Kind: a2a.KindEvent, Dir: a2a.In, Call: call, Raw: f.Raw, Data: f.Data, Time: time.Now()}, u)
		if n%1000 == 0 {
			items, err := feed.Next(context.Background(), 0)
			if err != nil {
				b.Fatal(err)
			}
			got += len(items)
		}
	}
	if got != events {
		b.Fatalf("got %d events, want %d", got, events)
	}
}
