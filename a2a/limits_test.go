package a2a_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"parley/a2a"
)

// endless answers with a beginning and then repeats the same bytes until the connection closes.
func endless(media, begin, rest string, status int) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", media)
		w.WriteHeader(status)
		_, err := io.WriteString(w, begin)
		for err == nil {
			_, err = io.WriteString(w, rest)
		}
	}
}

// Reading an endless answer stops at a limit. The sentence names the limit and the flag that
// raises it, and the records have what arrived.
func TestAnEndlessAnswerStopsAtItsLimit(t *testing.T) {
	t.Parallel()
	const (
		event = `data: {"jsonrpc":"2.0","id":"id-1","result":{"artifactUpdate":{"taskId":"t1","contextId":"c1","artifact":{"artifactId":"a","parts":[{"text":"before"}]},"append":true}}}` + "\n\n"
		text  = `{"jsonrpc":"2.0","id":"id-1","result":{"task":{"id":"t1","status":{"state":"TASK_STATE_WORKING"},"history":[{"parts":[{"text":"before`
	)
	long := strings.Repeat("abcdefgh", 512)
	for _, tt := range []struct {
		name  string
		op    a2a.Op
		serve http.HandlerFunc
		limit a2a.Limit
		bytes int64
		says  string
		kept  string // must be in the records
	}{
		{"answer", a2a.OpGet, endless("application/json", text, long, 200), a2a.LimitAnswer, 100_000, "answered with more than 100 kB", "before"},
		{"numbers", a2a.OpGet, endless("application/json", `{"result":["before",`, strings.Repeat("1,", 2048), 200), a2a.LimitAnswer, 100_000, "answered with more than 100 kB", "before"},
		{"error", a2a.OpGet, endless("text/html", "<h1>before", long, 500), a2a.LimitAnswer, 100_000, "answered with more than 100 kB", "before"},
		{"line", a2a.OpStream, endless("text/event-stream", event+"data: ", long, 200), a2a.LimitEvent, 100_000, "an event of more than 100 kB", "before"},
		{"lines", a2a.OpStream, endless("text/event-stream", event, "data: x\n", 200), a2a.LimitEvent, 100_000, "an event of more than 100 kB", "before"},
		{"comments", a2a.OpStream, endless("text/event-stream", event, ": ping\n\n", 200), a2a.LimitEvent, 100_000, "an event of more than 100 kB", "before"},
		{"blank lines", a2a.OpStream, endless("text/event-stream", event, "\n\n\n\n", 200), a2a.LimitEvent, 100_000, "an event of more than 100 kB", "before"},
		{"ndjson", a2a.OpStream, endless("application/x-ndjson", strings.TrimPrefix(strings.TrimSpace(event), "data: ")+"\n", long, 200), a2a.LimitEvent, 100_000, "an event of more than 100 kB", "before"},
		{"chunks", a2a.OpStream, endless("text/event-stream", event, event, 200), a2a.LimitStream, 1_000_000, "counts as more than 1 MB of records", "before"},
		{"other events", a2a.OpStream, endless("text/event-stream", event, "data: x\n\n", 200), a2a.LimitStream, 1_000_000, "counts as more than 1 MB of records", "before"},
		{"events of a get", a2a.OpGet, endless("text/event-stream", event, "data: x\n\n", 200), a2a.LimitAnswer, 1_000_000, "counts as more than 1 MB of records", "before"},
		{"events of a send", a2a.OpSend, endless("text/event-stream", event, "data: x\n\n", 200), a2a.LimitStream, 1_000_000, "counts as more than 1 MB of records", "before"},
		{"long events", a2a.OpStream, endless("text/event-stream", event, "data: "+long+"\n\n", 200), a2a.LimitStream, 1_000_000, "counts as more than 1 MB of records", "before"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tp, agent := newTape(), serve(t, tt.serve)
			o := options(tp, agent.URL)
			o.Limits[tt.limit] = tt.bytes
			c := a2a.NewClient(profile(a2a.V10, agent.URL), nil, o)
			defer c.Close()
			ctx, cancel := context.WithTimeout(t.Context(), limit)
			defer cancel()
			got := c.Do(ctx, request(tt.op), a2a.Hooks{})
			if got.End.Reason != a2a.Cut || got.End.Class != a2a.ClassLimit || got.Err == nil {
				t.Fatalf("got end %+v, want %q of class %q", got.End, a2a.Cut, a2a.ClassLimit)
			}
			if s := got.End.Sentence; !strings.Contains(s, tt.says) || !strings.Contains(s, "--"+tt.limit.Flag()+" raises the limit") {
				t.Errorf("got sentence %q, want %q and the flag --%s", s, tt.says, tt.limit.Flag())
			}
			var recorded strings.Builder
			for _, r := range tp.records {
				recorded.Write(r.Raw)
			}
			if !strings.Contains(recorded.String(), tt.kept) {
				t.Errorf("got records of %d bytes without %q, want it recorded", recorded.Len(), tt.kept)
			}
			if n := int64(recorded.Len()); n > 3*tt.bytes+1<<20 {
				t.Errorf("records have %d bytes, want at most %d", n, 3*tt.bytes+1<<20)
			}
		})
	}
}

// What an event begins costs memory however short the event is: each kind of thing counts, and what is known
// does not count again.
func TestAStreamBeginsAtMostSoManyThings(t *testing.T) {
	t.Parallel()
	const most = 50
	status := func(task, context, state, message string) string {
		return fmt.Sprintf(`{"statusUpdate":{"taskId":%q,"contextId":%q,"status":{"state":"TASK_STATE_%s"%s}}}`, task, context, state, message)
	}
	artifact := func(task, id string) string {
		return fmt.Sprintf(`{"artifactUpdate":{"taskId":%q,"contextId":"c","artifact":{"artifactId":%q,"parts":[{"text":"x"}]},"append":true}}`, task, id)
	}
	message := func(i int) string {
		return fmt.Sprintf(`{"messageId":"m%d","role":"ROLE_AGENT","parts":[{"text":"x"}]}`, i)
	}
	for name, c := range map[string]struct {
		event func(i int) string
		ends  bool
	}{
		"artifacts":           {func(i int) string { return artifact("t", fmt.Sprint("a", i)) }, true},
		"artifacts of tasks":  {func(i int) string { return artifact(fmt.Sprint("t", i), "a") }, true},
		"tasks":               {func(i int) string { return status(fmt.Sprint("t", i), "c", "WORKING", "") }, true},
		"contexts":            {func(i int) string { return status("t", fmt.Sprint("c", i), "WORKING", "") }, true},
		"states":              {func(i int) string { return status("t", "c", []string{"WORKING", "SUBMITTED"}[i%2], "") }, true},
		"messages":            {func(i int) string { return `{"message":` + message(i) + `}` }, true},
		"messages without id": {func(int) string { return `{"message":{"role":"ROLE_AGENT","parts":[{"text":"x"}]}}` }, true},
		"artifacts of a task": {func(i int) string {
			return fmt.Sprintf(`{"task":{"id":"t","contextId":"c","status":{"state":"TASK_STATE_WORKING"},"artifacts":[{"artifactId":"a%d","parts":[{"text":"x"}]}]}}`, i)
		}, true},
		"history of a task": {func(i int) string {
			return `{"task":{"id":"t","contextId":"c","status":{"state":"TASK_STATE_WORKING"},"history":[` + message(i) + `]}}`
		}, false},
		"chunks of an artifact": {func(int) string { return artifact("t", "a") }, false},
		"tokens in a status":    {func(i int) string { return status("t", "c", "WORKING", `,"message":`+message(i)) }, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			agent := serve(t, func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", "text/event-stream")
				for i := range 10 * most {
					if _, err := fmt.Fprintf(w, "data: {\"jsonrpc\":\"2.0\",\"id\":\"id-1\",\"result\":%s}\n\n", c.event(i)); err != nil {
						return
					}
				}
				_, _ = fmt.Fprintf(w, "data: {\"jsonrpc\":\"2.0\",\"id\":\"id-1\",\"result\":%s}\n\n", status("t", "c", "COMPLETED", ""))
			})
			tp := newTape()
			o := options(tp, agent.URL)
			o.Limits[a2a.LimitItems] = most
			client := a2a.NewClient(profile(a2a.V10, agent.URL), nil, o)
			defer client.Close()
			got := client.Do(t.Context(), request(a2a.OpStream), a2a.Hooks{})
			if ends := got.End.Class == a2a.ClassLimit; ends != c.ends {
				t.Fatalf("got end %+v, want a limit: %v", got.End, c.ends)
			}
			if s := got.End.Sentence; c.ends && !strings.Contains(s, "began more than 50 artifacts, messages, tasks, contexts and changes of state in one stream") {
				t.Errorf("got sentence %q, want the things and their number", s)
			}
			events := 0
			for _, r := range tp.records {
				if r.Kind == a2a.KindEvent {
					events++
				}
			}
			if c.ends && (events < most/4 || events > most+2) {
				t.Errorf("got %d events recorded, want all up to the limit of %d things", events, most)
			}
		})
	}
}

// Discovery stops at a card without an end: the next location may be as long.
func TestAnEndlessCardStopsAtItsLimit(t *testing.T) {
	t.Parallel()
	asked := 0
	agent := serve(t, func(w http.ResponseWriter, r *http.Request) {
		asked++
		endless("application/json", `{"name":"`, strings.Repeat("x", 4096), 200)(w, r)
	})
	o := options(newTape(), agent.URL)
	o.Limits[a2a.LimitCard] = 50_000
	found := a2a.Discover(t.Context(), agent.URL, nil, o, a2a.Hooks{})
	if found.Card != nil || asked != 1 || found.Class != a2a.ClassLimit {
		t.Errorf("got %d requests and class %q, want 1 and %q", asked, found.Class, a2a.ClassLimit)
	}
	if s := found.Sentence; !strings.Contains(s, "an agent card of more than 50 kB") || !strings.Contains(s, "--max-card raises the limit") {
		t.Errorf("got sentence %q, want the limit of 50 kB and --max-card", s)
	}
}

// Limits have the defaults of the table, and each can be removed.
func TestLimitsAreThoseOfTheTable(t *testing.T) {
	t.Parallel()
	var none a2a.Limits
	flags := map[string]bool{}
	for _, l := range a2a.AllLimits() {
		if none.Of(l) != l.Bytes() || l.Bytes() <= 0 || l.String() == "" || flags[l.Flag()] {
			t.Errorf("%s: got limit %d named %q, want its default and a flag of its own", l.Flag(), none.Of(l), l)
		}
		flags[l.Flag()] = true
		changed := none
		if changed[l] = a2a.NoLimit; changed.Of(l) < 1<<60 {
			t.Errorf("%s: got limit %d with NoLimit", l.Flag(), changed.Of(l))
		}
	}
	if most := int64(16_000_000); a2a.LimitCard.Bytes() > most {
		t.Errorf("got limit %d of a card, want at most %d", a2a.LimitCard.Bytes(), most)
	}
}
