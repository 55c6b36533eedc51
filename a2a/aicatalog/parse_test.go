package aicatalog

import (
	"fmt"
	"net/url"
	"strings"
	"testing"
)

func at(t testing.TB, raw string) *url.URL {
	t.Helper()
	u, err := url.Parse(raw)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

const published = `{
  "specVersion": "1.0", "host": {"displayName": "Acme"}, "signature": "x..y",
  "entries": [
    {"identifier": "urn:air:acme.example:a2a:travel", "type": "application/a2a-agent-card+json", "url": "../agents/travel.json",
     "displayName": "Travel Desk", "tags": ["flights", 7, "hotels"], "version": "1.2.0", "publisher": {"displayName": "Acme Travel"}, "description": "Books."},
    {"identifier": "urn:air:acme.example:a2a:clerk", "type": "Application/A2A-Agent-Card+JSON; charset=utf-8", "data": {"name": "Old Clerk", "url": "https://clerk.example"}},
    {"identifier": "urn:air:acme.example:mcp:weather", "type": "application/mcp-server-card+json", "url": "https://mcp.example/card"},
    {"identifier": "more", "type": "application/ai-catalog+json", "url": "https://more.example/list"},
    {"type": "application/a2a-agent-card+json", "url": "https://nameless.example/agent/.well-known/agent-card.json"},
    {"identifier": "both", "type": "application/a2a-agent-card+json", "url": "https://a.example", "data": {"name": "In"}},
    {"identifier": "empty", "type": "application/a2a-agent-card+json"},
    {"identifier": "script", "type": "application/a2a-agent-card+json", "url": "javascript:alert(1)"},
    {"identifier": "file", "type": "application/a2a-agent-card+json", "url": "file:///etc/passwd"},
    {"identifier": "secret", "type": "application/a2a-agent-card+json", "url": "https://me:pw@a.example/"},
    {"identifier": "more", "type": "application/ai-catalog+json", "url": "https://more.example/again"},
    42, null, "https://plain.example/card.json"
  ]}`

func TestACatalogIsReadByItsMembers(t *testing.T) {
	d, ok := Parse([]byte(published), at(t, "https://acme.example/.well-known/ai-catalog.json"))
	if !ok || d.Host != "Acme" || d.SpecVersion != "1.0" || len(d.Problems) > 0 {
		t.Fatalf("got %+v, %v", d, ok)
	}
	want := []string{
		"1 Travel Desk https://acme.example/agents/travel.json [flights hotels] 1.2.0 ",
		"1 Old Clerk  []  ",
		"0 weather https://mcp.example/card []  ",
		"2 more https://more.example/list []  ",
		"1 nameless.example/agent https://nameless.example/agent/.well-known/agent-card.json []  it has no identifier",
		"1 In  []  it has a document and a URL: the document is used",
		"0 empty  []  it has neither a URL nor a document",
		"0 script  []  its URL begins with javascript:, and only http and https are requested",
		"0 file  []  its URL begins with file:, and only http and https are requested",
		"0 secret  []  its URL has a name or password",
		"2 more https://more.example/again []  its identifier occurs twice",
		"0 entry without a name  []  it is not an object",
		"0 entry without a name  []  it is not an object",
		"1 plain.example/card.json https://plain.example/card.json []  ",
	}
	for i := range d.Entries {
		e := &d.Entries[i]
		got := fmt.Sprint(e.Kind, " ", e.Name(), " ", e.URL, " ", e.Tags, " ", e.Version, " ", e.Problem)
		if i >= len(want) || got != want[i] {
			t.Errorf("entry %d: got %q, want %q", i, got, want[min(i, len(want)-1)])
		}
	}
	if len(d.Entries) != len(want) || d.Entries[0].Publisher != "Acme Travel" || d.Entries[0].Description != "Books." {
		t.Errorf("got %d entries, the first %+v", len(d.Entries), d.Entries[0])
	}
}

func TestListsOfCards(t *testing.T) {
	for _, list := range []string{
		"# mine\nhttps://a.example\n\n  http://b.example:4100/card.json \r\nftp://c.example\n",
		`["https://a.example", "http://b.example:4100/card.json", "ftp://c.example"]`,
		"\xEF\xBB\xBF[\"https://a.example\", \"http://b.example:4100/card.json\", \"ftp://c.example\"",
	} {
		d, ok := Parse([]byte(list), nil)
		if !ok || len(d.Entries) != 3 || d.Entries[0].Kind != Agent || d.Entries[1].URL != "http://b.example:4100/card.json" ||
			d.Entries[2].Kind != Other || d.Entries[2].Problem == "" {
			t.Errorf("%q: got %+v, %v", list, d, ok)
		}
	}
}

func TestWhatIsNoCatalog(t *testing.T) {
	for _, body := range []string{
		"", "  \n", "null", "{}", "[]", `{"entries":{}}`, `"https://a.example"`, `[{"name":"a","url":"https://a.example"}]`,
		`{"name":"Agent","skills":[],"entries":[]}`, "<html>https://a.example</html>", "see https://a.example for more", "a.example\nb.example", "\x00\xff://",
	} {
		if d, ok := Parse([]byte(body), nil); ok {
			t.Errorf("%q: got %+v, want no catalog", body, d)
		}
	}
}

func TestHugeAndBrokenCatalogs(t *testing.T) {
	d, ok := Parse([]byte(`{"specVersion":"1.0","entries":[`+strings.Repeat("{},", 999_999)+"{}]}"), nil)
	if !ok || len(d.Entries) != MaxEntries || d.Omitted < 900_000 || len(d.Problems) != 2 {
		t.Errorf("got %d entries, %d omitted, %q", len(d.Entries), d.Omitted, d.Problems)
	}
	lines := strings.Repeat("https://a.example/\n", MaxEntries+7)
	if d, ok = Parse([]byte(lines), nil); !ok || d.Omitted != 7 {
		t.Errorf("got %d omitted lines, want 7", d.Omitted)
	}
	d, ok = Parse([]byte(`{"specVersion":"7.1","entries":[{"identifier":"a","type":"application/a2a-agent-card+json","url":"https://a.example"},{"ident`), nil)
	if !ok || len(d.Entries) < 1 || d.Entries[0].URL != "https://a.example" || len(d.Problems) != 2 {
		t.Errorf("got %+v, want what comes before the break", d)
	}
	if _, ok = Parse([]byte(`{"entries":`+strings.Repeat("[", 1_000_000)), nil); !ok {
		t.Error("deep arrays in entries: got no catalog, want one with a problem")
	}
	d, _ = Parse([]byte(`{"specVersion":"1.0","entries":[{"identifier":"`+strings.Repeat("語", 5000)+`","url":"/relative","type":"application/a2a-agent-card+json"}]}`), nil)
	if e := d.Entries[0]; len(e.Identifier) > maxText+4 || e.Problem != "its URL is relative, and the catalog is a file" || e.Kind != Other {
		t.Errorf("got %d bytes, %q", len(e.Identifier), e.Problem)
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(published), "https://acme.example/.well-known/ai-catalog.json")
	f.Add([]byte("https://a.example\n#x\n"), "")
	f.Add([]byte(`["https://a.example",{"data":{}}]`), "http://[::1]:80/")
	f.Fuzz(func(t *testing.T, body []byte, base string) {
		var u *url.URL
		if b, err := url.Parse(base); err == nil && b.IsAbs() {
			u = b
		}
		d, ok := Parse(body, u)
		if !ok {
			return
		}
		if len(d.Entries) > MaxEntries {
			t.Fatalf("got %d entries", len(d.Entries))
		}
		for i := range d.Entries {
			e := &d.Entries[i]
			if e.Name() == "" || e.Label() == "" {
				t.Errorf("got no name or label for %+v", e)
			}
			if e.Kind != Other && e.URL == "" && e.Data == nil {
				t.Errorf("got an entry that cannot be opened: %+v", e)
			}
			if e.URL == "" {
				continue
			}
			got, err := url.Parse(e.URL)
			if err != nil || got.Hostname() == "" || got.User != nil || got.Scheme != "http" && got.Scheme != "https" {
				t.Errorf("got URL %q, want one of http or https", e.URL)
			}
		}
	})
}
