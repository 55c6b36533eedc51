package a2a_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"parley/a2a"
)

// A credential that an agent repeats in pieces is in no record, even where the stream breaks
// inside it and another stream has the rest.
func TestAStreamThatBreaksInsideOfACredentialShowsNone(t *testing.T) {
	t.Parallel()
	const secret = "Zk7-x9Qw-4mB-token-of-mine"
	chunk := func(text string) string {
		return fmt.Sprintf(`data: {"jsonrpc":"2.0","id":"id-1","result":{"artifactUpdate":{"taskId":"t1","contextId":"c1","append":true,"artifact":{"artifactId":"a","parts":[{"text":%q}]}}}}`, text) + "\n\n"
	}
	torn := func(text string) string { return strings.TrimSuffix(chunk(text), "\"}]}}}}\n\n") }
	for name, streams := range map[string][]string{
		"between two events":              {status("WORKING") + chunk("it is "+secret[:12]), chunk(secret[12:]) + status("COMPLETED")},
		"after a letter":                  {status("WORKING") + chunk("it is "+secret[:1]), chunk(secret[1:9]) + chunk(secret[9:]) + status("COMPLETED")},
		"inside an event":                 {status("WORKING") + torn("it is "+secret[:20]), chunk(secret) + status("COMPLETED")},
		"inside an event that goes on":    {status("WORKING") + chunk("it is "+secret[:2]) + torn(secret[2:22]), chunk(secret) + status("COMPLETED")},
		"one document per line, escaped":  {strings.ReplaceAll(status("WORKING")+chunk("it is "+secret[:9])+chunk(secret[9:]), "data: ", ""), status("COMPLETED")},
		"after a task that says it whole": {strings.ReplaceAll(status("WORKING"), "WORKING", "WORKING\",\"x\":\""+secret) + chunk(secret[:25]), chunk(secret[25:]+".") + status("COMPLETED")},
	} {
		t.Run(name, func(t *testing.T) {
			var asked atomic.Int32
			agent := serve(t, func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", "text/event-stream")
				_, _ = w.Write([]byte(streams[asked.Add(1)-1]))
			})
			tp := newTape()
			o := options(tp, agent.URL)
			o.Bearer = secret
			c := a2a.NewClient(profile(a2a.V10, agent.URL), nil, o)
			defer c.Close()
			ctx, cancel := context.WithTimeout(t.Context(), limit)
			defer cancel()
			var said strings.Builder
			for _, op := range []a2a.Op{a2a.OpStream, a2a.OpSubscribe} {
				c.Do(ctx, request(op), a2a.Hooks{Recorded: func(u a2a.Update) {
					for _, e := range u.Events {
						if e.Kind == a2a.EventArtifact {
							for _, p := range e.Artifact.Parts {
								said.WriteString(p.Text)
							}
						}
					}
				}})
			}
			if asked.Load() != 2 {
				t.Fatalf("agent got %d streams, want 2", asked.Load())
			}
			var all strings.Builder
			for _, r := range tp.records {
				all.Write(r.Raw)
				all.Write(r.Data)
			}
			records := all.String()
			for from := 0; from+4 <= len(secret); from++ {
				if piece := secret[from : from+4]; strings.Contains(records, piece) || strings.Contains(said.String(), piece) {
					t.Fatalf("piece %q of the secret is in the updates or records, want it masked:\n%s\n%s", piece, said.String(), records)
				}
			}
		})
	}
}
