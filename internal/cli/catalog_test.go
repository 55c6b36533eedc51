package cli

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"parley/internal/config"
	"parley/internal/roster"
)

// A shelf serves pages and remembers the heads of requests.
type shelf struct {
	*httptest.Server
	mu    sync.Mutex
	pages map[string]string
	heads []http.Header
}

func newShelf(t *testing.T) *shelf {
	t.Helper()
	s := &shelf{pages: map[string]string{}}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.heads = append(s.heads, r.Header)
		body, ok := s.pages[r.URL.Path]
		if !ok {
			http.NotFound(w, r)
			return
		}
		_, _ = w.Write([]byte(body))
	}))
	t.Cleanup(s.Close)
	return s
}

const catalogPath = "/.well-known/ai-catalog.json"

func cardEntry(id, url string) string {
	return fmt.Sprintf(`{"identifier":%q,"type":"application/a2a-agent-card+json","url":%q}`, id, url)
}

func TestTheAgentsOfACatalogAreListed(t *testing.T) {
	t.Parallel()
	urls := demos(t)
	host := strings.TrimPrefix(urls["Scribe"], "http://")
	vars, _, saved := folders(t, "")
	for _, a := range []config.Agent{{Name: "Clerk", Ref: host + "@old-clerk"}, {Name: "My desk", Ref: urls["Travel Desk"]}} {
		if _, err := saved.Update(roster.Save(a)); err != nil {
			t.Fatal(err)
		}
	}
	r := commandLine{args: []string{"catalog", host}, env: vars}.run(t)
	for _, want := range []string{fmt.Sprintf("Catalog: Parley demo, %d entries\n", len(urls)), "Agent: Travel Desk, urn:air:demo.example:a2a:travel-desk, version 2.4.0, flights a2a-1.0, ", ", saved as My desk\n", ", saved as Clerk\n", "Agent: Saboteur, "} {
		if r.code != 0 || !strings.Contains(r.out, want) {
			t.Errorf("got exit %d, want %q in\n%s%s", r.code, want, r.out, r.err)
		}
	}
	r = commandLine{args: []string{"catalog", urls["Scribe"], "--filter", "essay", "-o", "json"}, env: vars}.run(t)
	if doc := document(t, r.out); doc["host"] != "Parley demo" || len(doc["entries"].([]any)) != 1 || doc["entries"].([]any)[0].(map[string]any)["name"] != "Scribe" {
		t.Errorf("got %v, want Scribe alone", doc)
	}
	r = commandLine{args: []string{"catalog", "-a", urls["Scribe"], "--filter", "clerk", "--verbose"}, env: vars}.run(t)
	if !strings.Contains(r.out, "\nReference: "+urls["Scribe"]+"@urn:air:demo.example:a2a:old-clerk\n") {
		t.Errorf("got %s, want the reference of the entry", r.out)
	}
	if r = parley(t, "catalog", urls["Scribe"], "--filter", "zzz"); r.code != 0 || !strings.Contains(r.err, "nothing in the catalog matches") {
		t.Errorf("got exit %d and %s", r.code, r.err)
	}
}

func TestAnEntryOfACatalogStandsForItsAgent(t *testing.T) {
	t.Parallel()
	urls := demos(t)
	host := strings.TrimPrefix(urls["Travel Desk"], "http://")
	for _, args := range [][]string{
		{"card", "get", "-a", host + "@scribe"}, {"card", "get", urls["Travel Desk"] + catalogPath + "@urn:air:demo.example:a2a:scribe"},
		{"send", "-a", host + "@Scribe", "Hello"}, {"task", "list", "-a", host + "@Travel Desk"},
	} {
		if r := parley(t, args...); r.code != 0 || r.out == "" || strings.Contains(r.err, "another origin") {
			t.Errorf("%q: got exit %d\n%s%s", args, r.code, r.out, r.err)
		}
	}
	for ref, want := range map[string]string{
		host + "@nobody":                  "The catalog has no agent “nobody”; it has Travel Desk (urn:air:demo.example:a2a:travel-desk 2.4.0), Scribe",
		host + "@e":                       fmt.Sprintf("“e” names %d agents of the catalog: Travel Desk", len(urls)),
		urls["Travel Desk"] + catalogPath: fmt.Sprintf("This is a catalog of %d agents, and no card", len(urls)),
		"http://" + host + "@scribe":      "An entry of a catalog is written https://host/.well-known/ai-catalog.json@NAME",
	} {
		if r := parley(t, "card", "get", ref); r.code != 3 || !strings.Contains(r.err, want) || strings.Contains(r.err, "MIX-002") {
			t.Errorf("%s: got exit %d, %s\nwant %q", ref, r.code, r.err, want)
		}
	}
}

func TestAListOfCardsIsACatalog(t *testing.T) {
	t.Parallel()
	urls := demos(t)
	list := filepath.Join(t.TempDir(), "agents.txt")
	if err := os.WriteFile(list, []byte("# mine\n"+urls["Scribe"]+"\n"+urls["Travel Desk"]+"/.well-known/agent-card.json\njavascript://x\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	r := parley(t, "catalog", list)
	if r.code != 0 || strings.Count(r.out, "\nAgent: ") != 2 || !strings.Contains(r.out, "only http and https are requested") {
		t.Errorf("got exit %d\n%s%s", r.code, r.out, r.err)
	}
	if r = parley(t, "card", "get", list+"@"+urls["Scribe"]); r.code != 0 || !strings.Contains(r.out, "Name: Scribe\n") {
		t.Errorf("got exit %d\n%s%s", r.code, r.out, r.err)
	}
	if r = (commandLine{args: []string{"catalog", "-"}, stdin: `["` + urls["Scribe"] + `"]`}).run(t); r.code != 0 || strings.Count(r.out, "\nAgent: ") != 1 {
		t.Errorf("got exit %d\n%s%s", r.code, r.out, r.err)
	}
}

func TestHostileCatalogsAreListedSafely(t *testing.T) {
	t.Parallel()
	s := newShelf(t)
	evil := `\u001b[2J\u001b]0;x\u0007\u202eA` + strings.Repeat("x", 200) + `\nAgent: forged`
	s.pages[catalogPath] = `{"specVersion":"1.0","host":{"displayName":"` + evil + `"},"entries":[{"identifier":"` + evil + `","displayName":"` + evil + `","type":"` + evil + `","url":"javascript:alert(1)","tags":["` + evil + `"],"version":"` + evil + `"},` +
		cardEntry("a", "file:///etc/passwd") + `,` + cardEntry("b", "https://me:pw@b.example") + `,` + strings.Repeat(`{},`, 20_000) + `{"identifier":"loop","type":"application/ai-catalog+json","url":"` + catalogPath + `"}]}`
	for _, args := range [][]string{{"catalog", s.URL}, {"catalog", s.URL, "--verbose"}, {"card", "get", s.URL + catalogPath + "@a"}} {
		r := parley(t, args...)
		if strings.ContainsAny(r.out+r.err, "\x1b\x07\u202e") || strings.Contains(r.out+r.err, "\nAgent: forged") {
			t.Errorf("%q: got %q, want nothing that a terminal obeys", args, (r.out + r.err)[:500])
		}
	}
	if r := parley(t, "catalog", s.URL); r.code != 0 || !strings.Contains(r.err, "more than 5000 entries") || strings.Contains(r.out, "pw@") {
		t.Errorf("got exit %d, %s", r.code, r.err)
	}
	if r := parley(t, "catalog", s.URL, "--max-card", "10kB"); r.code == 0 || !strings.Contains(r.err, "--max-card") {
		t.Errorf("got exit %d, %s, want the limit", r.code, r.err)
	}
}

func TestACatalogTakesNoCredentialElsewhere(t *testing.T) {
	t.Parallel()
	far := newShelf(t)
	far.pages["/card.json"] = `{"name":"Far","description":"d","version":"1","supportedInterfaces":[{"url":"` + far.URL + `/rpc","protocolBinding":"JSONRPC","protocolVersion":"1.0"}],"capabilities":{},"defaultInputModes":["text/plain"],"defaultOutputModes":["text/plain"],"skills":[]}`
	near := newShelf(t)
	near.pages[catalogPath] = `{"specVersion":"1.0","entries":[` + cardEntry("far", far.URL+"/card.json") + `,{"identifier":"more","type":"application/ai-catalog+json","url":"` + far.URL + `/more.json"}]}`
	r := parley(t, "send", "-a", near.URL+catalogPath+"@far", "hello", "--bearer", secret, "--svc-param", "X-Key: "+secret)
	if r.code != 4 || !strings.Contains(r.err, "the credentials are for "+near.URL+", but the card names "+far.URL) {
		t.Errorf("got exit %d, %s, want that the message is not sent", r.code, r.err)
	}
	for _, h := range far.heads {
		if strings.Contains(fmt.Sprint(h), secret) {
			t.Errorf("got %v at the other origin, want no credentials", h)
		}
	}
	if len(far.heads) != 1 || len(near.heads) == 0 || near.heads[0].Get("Authorization") != "" || near.heads[0].Get("X-Key") != secret {
		t.Errorf("got %d requests there and %v here, want the header that was named, and no token that nobody asks for", len(far.heads), near.heads)
	}
}
