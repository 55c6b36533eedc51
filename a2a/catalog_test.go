package a2a_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parley/a2a"
	"parley/a2a/aicatalog"
)

const wellKnown = "/.well-known/ai-catalog.json"

func readCatalog(t *testing.T, ref string, change func(*a2a.Options)) (a2a.Catalog, *tape) {
	t.Helper()
	tp := newTape()
	o := a2a.Options{Trace: tp.trace()}
	if change != nil {
		change(&o)
	}
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	defer cancel()
	c := a2a.ReadCatalog(ctx, ref, &a2a.Call{}, o, a2a.Hooks{})
	tp.check(t)
	if (c.Sentence == "") != (c.Class == "") || c.Sentence != "" && len(c.Entries) > 0 {
		t.Errorf("got sentence %q, class %q and %d entries", c.Sentence, c.Class, len(c.Entries))
	}
	return c, tp
}

// entries writes a catalog.
func entries(list ...string) string {
	return `{"specVersion":"1.0","host":{"displayName":"Acme"},"entries":[` + strings.Join(list, ",") + `]}`
}

func agentAt(id, url string) string {
	return fmt.Sprintf(`{"identifier":%q,"type":"application/a2a-agent-card+json","url":%q}`, id, url)
}

func catalogAt(id, url string) string {
	return fmt.Sprintf(`{"identifier":%q,"type":"application/ai-catalog+json","url":%q}`, id, url)
}

func outline(c *a2a.Catalog) string {
	var b strings.Builder
	for i := range c.Entries {
		e := &c.Entries[i]
		fmt.Fprintf(&b, "%s%s", strings.Repeat(">", len(e.Within)), e.Name())
		if e.Problem != "" {
			fmt.Fprintf(&b, " (%s)", e.Problem)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func TestACatalogIsReadWithThoseInIt(t *testing.T) {
	t.Parallel()
	stranger := serve(t, (&site{pages: map[string]string{"/list.json": entries(agentAt("urn:x:far", "https://far.example"))}}).ServeHTTP).URL
	s := &site{pages: map[string]string{
		wellKnown:    entries(agentAt("urn:x:desk", "/desk/card.json"), catalogAt("urn:x:more", "/more.json"), catalogAt("urn:x:else", stranger+"/list.json"), catalogAt("urn:x:gone", "/gone.json"), `{"identifier":"urn:x:in","type":"application/ai-catalog+json","data":`+entries(agentAt("urn:x:deep", "deep.json"))+`}`),
		"/more.json": entries(catalogAt("urn:x:cycle", "/.well-known/ai-catalog.json"), agentAt("urn:x:clerk", "clerk.json")),
	}}
	url := serve(t, s.ServeHTTP).URL
	c, tp := readCatalog(t, url, nil)
	want := "desk\nmore\n>cycle (it is listed already)\n>clerk\nelse (it is not read: it is at another origin, " + stranger + ")\n" +
		"gone (it could not be read: Nothing exists at " + url + "/gone.json (404 Not Found: “404 page not found”): check the address)\nin\n>deep\n"
	if got := outline(&c); got != want || c.Host != "Acme" || c.Origin != url || c.Ref != url {
		t.Errorf("got %s\nwant %s\nwith host %q, origin %q and reference %q", got, want, c.Host, c.Origin, c.Ref)
	}
	if c.Entries[3].URL != url+"/clerk.json" || c.Entries[7].URL != url+"/.well-known/deep.json" {
		t.Errorf("got URLs %s and %s, want them relative to their catalogs", c.Entries[3].URL, c.Entries[7].URL)
	}
	for _, r := range tp.of(a2a.KindBody) {
		if r.Call.Op != a2a.OpCatalog || len(r.Raw) == 0 {
			t.Errorf("got record %+v, want the body of a catalog", r)
		}
	}
	for i, u := range tp.updates {
		if len(u.Findings) > 0 || u.Err != nil {
			t.Errorf("record %d: got %+v, want nothing of A2A in a catalog", i+1, u)
		}
	}
	c, _ = readCatalog(t, url, func(o *a2a.Options) { o.AllowOrigins = []string{stranger} })
	if got := outline(&c); !strings.Contains(got, "else\n>far\n") {
		t.Errorf("got %s, want the catalog at the allowed origin", got)
	}
}

func TestCatalogsAreBounded(t *testing.T) {
	t.Parallel()
	asked := 0
	url := serve(t, func(w http.ResponseWriter, r *http.Request) {
		asked++ // one request at a time
		var more []string
		for i := range 30 {
			more = append(more, catalogAt(fmt.Sprint("c", i), fmt.Sprintf("/%d-%d.json", asked, i)))
		}
		_, _ = io.WriteString(w, entries(more...))
	}).URL
	c, _ := readCatalog(t, url+"/0.json", nil)
	if asked > 20 || len(c.Entries) > 10_000 {
		t.Errorf("got %d requests and %d entries", asked, len(c.Entries))
	}
	deep := entries()
	for range 12 {
		deep = entries(`{"identifier":"in","type":"application/ai-catalog+json","data":` + deep + `}`)
	}
	file := filepath.Join(t.TempDir(), "deep.json")
	if err := os.WriteFile(file, []byte(deep), 0o600); err != nil {
		t.Fatal(err)
	}
	c, _ = readCatalog(t, file, nil)
	if n := len(c.Entries); n != 4 || !strings.Contains(c.Entries[3].Problem, "more than 4 catalogs") {
		t.Errorf("got %s", outline(&c))
	}
	million := serve(t, (&site{pages: map[string]string{wellKnown: entries(strings.Repeat(`{},`, 200_000) + "{}")}}).ServeHTTP).URL
	if c, _ = readCatalog(t, million, nil); len(c.Entries) != aicatalog.MaxEntries || len(c.Warnings) != 1 {
		t.Errorf("got %d entries, %q", len(c.Entries), c.Warnings)
	}
	if c, _ = readCatalog(t, million, func(o *a2a.Options) { o.Limits[a2a.LimitCard] = 1000 }); c.Class != a2a.ClassLimit {
		t.Errorf("got class %q, want that of a limit: %s", c.Class, c.Sentence)
	}
}

func TestWhatHasNoCatalog(t *testing.T) {
	t.Parallel()
	s := &site{pages: map[string]string{"/card.json": cardOfOne, "/page": "<html>https://a.example</html>", "/text.txt": "hello"}}
	url := serve(t, s.ServeHTTP).URL
	for ref, want := range map[string]string{
		url: "Nothing exists at", url + "/card.json": "This is the card of an agent", url + "/page": "This is no catalog", url + "/text.txt": "This is no catalog",
		"mqtt://broker.example/ns#A": "A catalog is read from", "mqtt://broker.example/ns": "This program cannot reach brokers.", "-": "A catalog is read from", "": "No agent was named", "/none/such.json": "There is no file", "http://127.0.0.1:1": "",
	} {
		if c, _ := readCatalog(t, ref, nil); c.Sentence == "" || !strings.HasPrefix(c.Sentence, want) {
			t.Errorf("%s: got %q, want %q", ref, c.Sentence, want)
		}
	}
	for _, ref := range []string{url + wellKnown, url + "/list.txt"} {
		s.pages[wellKnown], s.pages["/list.txt"] = entries(agentAt("a", "/card.json")), "https://a.example\n"
		if d, _ := discover(t, ref, nil); d.Class != a2a.ClassCatalog || !strings.HasPrefix(d.Sentence, "This is a catalog of 1 agent, and no card") {
			t.Errorf("%s: got %q %q, want that it is a catalog", ref, d.Class, d.Sentence)
		}
	}
}

func TestAnEntryOfACatalogIsAnAgent(t *testing.T) {
	t.Parallel()
	clerk := strings.Replace(cardOfOne, "Desk", "Clerk", 1)
	old := strings.Replace(agentAt("urn:x:desk", "/desk/card.json"), "{", `{"version":"1.0",`, 1)
	new := strings.Replace(agentAt("urn:x:desk", "/desk/new.json"), "{", `{"version":"2.0","displayName":"New Desk",`, 1)
	s := &site{pages: map[string]string{
		wellKnown:         entries(old, new, agentAt("urn:x:far", "/far"), `{"identifier":"urn:x:clerk","type":"application/a2a-agent-card+json","data":`+clerk+`}`, `{"identifier":"urn:x:tool","displayName":"Tool","type":"application/mcp-server-card+json","url":"https://mcp.example"}`),
		"/desk/card.json": cardOfOne, "/desk/new.json": strings.Replace(cardOfOne, "Desk", "Newest", 1), "/far" + newCard: strings.Replace(cardOfOne, "Desk", "Far", 1),
		"/agents/a": cardOfOne, "/agents/b@2": clerk,
	}}
	url := serve(t, s.ServeHTTP).URL
	host := strings.TrimPrefix(url, "http://")
	for ref, want := range map[string]string{
		url + wellKnown + "@urn:x:desk@1.0": "Desk", host + "@New Desk": "Newest", host + "@new d": "Newest", url + wellKnown + "@far": "Far", host + "@CLERK": "Clerk",
		url + "/agents/b@2": "Clerk",
	} {
		d, _ := discover(t, ref, nil)
		if d.Card == nil || d.Card.Name != want || d.Origin != url {
			t.Errorf("%s: got %+v (%s), want %s", ref, d.Card, d.Sentence, want)
		}
	}
	for ref, want := range map[string]string{
		host + "@urn:x:desk": "“urn:x:desk” names 2 agents of the catalog: desk (urn:x:desk 1.0), New Desk (urn:x:desk 2.0). Write the identifier of one",
		host + "@urn":        "The catalog has no agent “urn”; it has desk (urn:x:desk 1.0), New Desk (urn:x:desk 2.0), far (urn:x:far), Clerk (urn:x:clerk).",
		host + "@tool":       "“Tool” is no A2A agent (application/mcp-server-card+json).",
		"http://" + strings.Replace(host, "127.0.0.1", "me:pw@127.0.0.1", 1): "A name or password in a URL would be shown",
		url + "/none.json@x": "Nothing exists at",
		"me@agents.example":  "A name or password in a URL would be shown",
	} {
		if d, _ := discover(t, ref, nil); d.Card != nil || !strings.HasPrefix(d.Sentence, want) {
			t.Errorf("%s: got %q, want %q", ref, d.Sentence, want)
		}
	}
	c, _ := readCatalog(t, url, nil)
	var names []string
	for i := range c.Entries {
		names = append(names, c.Reference(&c.Entries[i]))
	}
	if got := strings.Join(names, " "); got != "urn:x:desk@1.0 urn:x:desk@2.0 urn:x:far urn:x:clerk " {
		t.Errorf("got references %q", got)
	}
}

func TestAnInlineCardIsOpenedWithoutARequest(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "list.json")
	if err := os.WriteFile(file, []byte(entries(`{"identifier":"urn:x:clerk","type":"application/a2a-agent-card+json","data":`+cardOfOne+`}`)), 0o600); err != nil {
		t.Fatal(err)
	}
	d, tp := discover(t, file+"@clerk", nil)
	if d.Card == nil || d.Card.Name != "Desk" || d.Origin != "" {
		t.Fatalf("got %+v, %s", d.Card, d.Sentence)
	}
	for _, r := range tp.records {
		if r.Dir != a2a.Local {
			t.Errorf("got record %+v, want nothing on the network", r)
		}
	}
	if r := tp.records[d.Record-1]; string(r.Raw) != cardOfOne {
		t.Errorf("got card record %s, want the card", r.Raw)
	}
}

func TestACatalogGetsNoCredentialsElsewhere(t *testing.T) {
	t.Parallel()
	far := &site{pages: map[string]string{"/card.json": cardOfOne}}
	farURL := serve(t, far.ServeHTTP).URL
	s := &site{pages: map[string]string{wellKnown: entries(agentAt("far", farURL+"/card.json"), agentAt("near", "/card.json"), catalogAt("more", farURL+"/more.json")), "/card.json": cardOfOne}}
	url := serve(t, asking("Bearer s3cret-token-of-mine", s.ServeHTTP)).URL
	withToken := func(o *a2a.Options) {
		o.Bearer, o.APIKey = "s3cret-token-of-mine", "s3cret-key-of-mine"
		o.Headers = []a2a.HeaderPair{{Name: "X-Team", Value: "s3cret-team-of-mine"}}
	}
	d, _ := discover(t, url+wellKnown+"@far", withToken)
	if d.Card == nil || d.Origin != url || d.CardOrigin != farURL {
		t.Fatalf("got %+v (%s), want the card at the other origin", d, d.Sentence)
	}
	if d, _ = discover(t, url+wellKnown+"@near", withToken); d.Card == nil || d.CardOrigin != "" {
		t.Fatalf("got %+v (%s), want the card of this origin", d, d.Sentence)
	}
	for _, h := range far.heads {
		if got := fmt.Sprint(h); strings.Contains(got, "s3cret") {
			t.Errorf("got %s at the other origin, want no credentials", got)
		}
	}
	if len(far.heads) != 1 {
		t.Errorf("got %d requests at the other origin, want one for the card", len(far.heads))
	}
	for _, h := range s.heads {
		if h.Get("Authorization") == "" || h.Get("X-Team") == "" {
			t.Errorf("got %v at the named origin, want the credentials", h)
		}
	}
	moved := serve(t, func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, farURL+r.URL.Path, http.StatusFound)
	}).URL // also to one that has not been asked for credentials
	before := len(far.heads)
	if c, _ := readCatalog(t, moved, withToken); c.Class != a2a.ClassOrigin || len(far.heads) != before {
		t.Errorf("got %q, want that a redirect takes nothing along", c.Sentence)
	}
}

func TestWhatIsNoAgentHasNoReference(t *testing.T) {
	t.Parallel()
	agent := aicatalog.Entry{Kind: aicatalog.Agent, Identifier: "a", URL: "https://a.example"}
	tool := agent
	tool.Kind = aicatalog.Other
	c := a2a.Catalog{Entries: []a2a.CatalogEntry{{Entry: agent}, {Entry: tool}}}
	if got := [2]string{c.Reference(&c.Entries[0]), c.Reference(&c.Entries[1])}; got != [2]string{"a", ""} {
		t.Errorf("got references %q, want one for the agent alone", got)
	}
}

// The references of the agents of the largest list, as a hostile host may publish it.
func BenchmarkReferences(b *testing.B) {
	list := "[" + strings.Repeat(`"https://a.example/1",`, aicatalog.MaxEntries-1) + `"https://a.example/1"]`
	doc, ok := aicatalog.Parse([]byte(list), nil)
	if !ok || len(doc.Entries) != aicatalog.MaxEntries {
		b.Fatal("the list is not read")
	}
	c := a2a.Catalog{}
	for _, e := range doc.Entries {
		c.Entries = append(c.Entries, a2a.CatalogEntry{Entry: e})
	}
	for b.Loop() {
		for i := range c.Entries {
			c.Reference(&c.Entries[i])
		}
	}
}
