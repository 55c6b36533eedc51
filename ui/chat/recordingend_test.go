package chat

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parley/session/journal"
	"parley/session/log"
	"parley/session/model"
)

// killed returns a recording that ends during an answer, as after kill -9.
const killed = `{"parley":"session","version":1,"created":"2026-11-20T14:02:07Z"}
{"id":1,"exchange":1,"kind":"request","dir":"out","time":"2026-11-20T14:02:08Z","call":{"agent":1,"conversation":1,"turn":1,"op":"stream","dialect":"v1.0","binding":"JSONRPC","endpoint":"http://127.0.0.1:1/"},"raw":"{\"jsonrpc\":\"2.0\",\"id\":\"1\",\"method\":\"SendStreamingMessage\",\"params\":{\"message\":{\"messageId\":\"m\",\"role\":\"ROLE_USER\",\"parts\":[{\"text\":\"hello\"}]}}}"}
{"id":2,"exchange":1,"kind":"head","dir":"in","time":"2026-11-20T14:02:09Z","head":{"status":200,"header":{"Content-Type":["text/event-stream"]}}}
{"id":3,"exchange":1,"kind":"event","dir":"in","time":"2026-11-20T14:02:10Z","raw":"data: {\"jsonrpc\":\"2.0\",\"id\":\"1\",\"result\":{\"statusUpdate\":{\"taskId\":\"t\",\"contextId\":\"c\",\"status\":{\"state\":\"TASK_STATE_WORKING\"}}}}\n\n"}
`

func TestARecordingThatStopsIsNotToldAsABrokenConnection(t *testing.T) {
	path := filepath.Join(t.TempDir(), "killed.jsonl")
	if err := os.WriteFile(path, []byte(killed), 0o600); err != nil {
		t.Fatal(err)
	}
	recording, err := journal.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	feed, state := log.NewFeed(), model.NewState()
	recording.Replay(t.Context(), feed, journal.Unpaced)
	items, err := feed.Next(t.Context(), feed.Len())
	if err != nil {
		t.Fatal(err)
	}
	for _, it := range items {
		state.Apply(it)
	}
	agents := state.Agents
	if len(agents) != 1 || len(agents[0].Conversations) != 1 {
		t.Fatalf("got %d agents, want 1 with one conversation", len(agents))
	}
	got := strings.Join(strings.Fields(screen(open(dark(), agents[0].Conversations[0], 120, 30))), " ")
	if !strings.Contains(got, "The recording ends during") || strings.Contains(strings.ToLower(got), "connection broke") {
		t.Errorf("got no sentence that the recording stops, want it:\n%s", got)
	}
}
