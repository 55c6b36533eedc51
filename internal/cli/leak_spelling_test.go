package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"parley/internal/secrettest"
)

// However an agent spells a credential, whole or in chunks, no command prints or writes it so that a reader sees
// it, and neither does an export of what was recorded.
func TestNoSpellingOfACredentialIsPrinted(t *testing.T) {
	t.Parallel()
	const secret = "PLA-NT_9x/Q+z=7Zk-4"
	names := slices.Sorted(maps.Keys(secrettest.Spellings))
	agent := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		var call struct {
			ID     json.RawMessage
			Method string
		}
		_ = json.Unmarshal(body, &call)
		var parts []string
		for _, name := range names {
			parts = append(parts, `{"text":`+quoteJSON("It is "+secrettest.Spellings[name](secret)+", I think.\n\n")+`}`)
		}
		all := strings.Join(parts, ",")
		switch {
		case r.Method == http.MethodGet:
			fmt.Fprintf(w, `{"name":"Speller","description":%s,"version":"1","capabilities":{"streaming":true},"skills":[],"defaultInputModes":["text/plain"],"defaultOutputModes":["text/plain"],
				"supportedInterfaces":[{"url":"http://%s/rpc","protocolBinding":"JSONRPC","protocolVersion":"1.0"}]}`, quoteJSON("It is "+secrettest.Spellings["html-hex"](secret)), r.Host)
		case call.Method == "SendStreamingMessage":
			w.Header().Set("Content-Type", "text/event-stream")
			event := func(result string) {
				fmt.Fprintf(w, "data: {\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":%s}\n\n", call.ID, result)
			}
			event(`{"task":{"id":"t","contextId":"c","status":{"state":"TASK_STATE_WORKING"}}}`)
			for _, name := range names {
				for i, rest := 0, []rune("It is "+secrettest.Spellings[name](secret)+", I think.\n\n"); len(rest) > 0; i, rest = i+1, rest[min(5, len(rest)):] {
					event(fmt.Sprintf(`{"artifactUpdate":{"taskId":"t","contextId":"c","append":%v,"artifact":{"artifactId":"%s","parts":[{"text":%s}]}}}`, i > 0, name, quoteJSON(string(rest[:min(5, len(rest))]))))
				}
			}
			event(`{"statusUpdate":{"taskId":"t","contextId":"c","status":{"state":"TASK_STATE_COMPLETED","message":{"messageId":"m","role":"ROLE_AGENT","parts":[` + all + `]}}}}`)
		case call.Method == "SendMessage":
			fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{"task":{"id":"t","contextId":"c","status":{"state":"TASK_STATE_COMPLETED"},"artifacts":[{"artifactId":"a","parts":[%s]}]}}}`, call.ID, all)
		default:
			fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32004,"message":%s,"data":[%s]}}`, call.ID, quoteJSON("It is "+secrettest.Spellings["percent-lower"](secret)), all)
		}
	}))
	t.Cleanup(agent.Close)
	look := func(t *testing.T, where, text string) {
		t.Helper()
		if form := secrettest.Shown(text, secret); form != "" {
			t.Errorf("%s shows the credential, %s:\n%.3000s", where, form, text)
		}
	}
	for _, command := range [][]string{
		{"send", "x"}, {"send", "x", "--stream"}, {"send", "x", "-o", "json"}, {"send", "x", "--stream", "-o", "json"}, {"task", "get", "t"}, {"card", "get"}, {"card", "get", "-o", "json"},
	} {
		t.Run(strings.Join(command, " "), func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			record := filepath.Join(dir, "run.jsonl")
			r := parley(t, append(slices.Clone(command), "-a", agent.URL, "--bearer", secret, "--record", record, "--debug", "--verbose")...)
			look(t, "standard output", r.out)
			look(t, "standard error", r.err)
			for _, format := range []string{"html", "md", "har", "jsonl", "curl", "otlp"} {
				file := filepath.Join(dir, "out."+format)
				if e := parley(t, "export", record, "--as", format, "-o", file); e.code != 0 {
					t.Fatalf("export as %s: %s", format, e.err)
				}
			}
			entries, err := os.ReadDir(dir)
			if err != nil || len(entries) < 7 {
				t.Fatalf("got %d files, %v", len(entries), err)
			}
			for _, e := range entries {
				data, err := os.ReadFile(filepath.Join(dir, e.Name()))
				if err != nil {
					t.Error(err)
				}
				look(t, e.Name(), string(data))
			}
		})
	}
}
