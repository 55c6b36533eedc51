package catalog

import (
	"fmt"
	"strings"
	"testing"

	"parley/a2a"
	"parley/a2a/aicatalog"
	"parley/internal/catalogs"
	"parley/internal/panetest"
	"parley/themes"
	"parley/ui/styles"
)

func TestHostileCatalogsAreDrawnInAnySize(t *testing.T) {
	evil := "\x1b[2J\x1b]0;x\a" + strings.Repeat("語\u202e\n", 300)
	c := a2a.Catalog{Ref: evil, Host: evil, Warnings: []string{evil}}
	var matches []catalogs.Match
	for i := range 40 {
		e := aicatalog.Entry{Kind: aicatalog.Kind(i % 3), Identifier: fmt.Sprint(evil, i), Type: evil, DisplayName: evil, Description: evil, Version: evil, Publisher: evil, Tags: []string{evil, evil}, URL: "https://x.example/" + evil, Problem: evil}
		c.Entries = append(c.Entries, a2a.CatalogEntry{Entry: e, Within: make([]string, i%4)})
		matches = append(matches, catalogs.Match{Name: evil, Differs: evil})
	}
	p := New(styles.New(themes.Mono(), styles.Unicode()))
	draw := func() {
		for w := range 12 {
			for h := range 22 {
				p.SetSize(10*w, h)
				panetest.Exact(t, p.Lines(), 10*w, h)
				panetest.Sanitized(t, p.Lines())
				panetest.Sanitized(t, []string{p.Title(), p.Note()})
			}
		}
	}
	for _, content := range []Content{{}, {Ref: evil, Loading: true}, {Ref: evil, Catalog: a2a.Catalog{Sentence: evil}}, {Ref: evil, Catalog: c, Matches: matches}} {
		p.SetContent(content)
		draw()
	}
	for _, key := range []string{"G", "k", "/"} {
		p.Key(panetest.Key(key))
		draw()
	}
}

func TestEntriesThatCannotBeNamedAreRefused(t *testing.T) {
	twice := aicatalog.Entry{Kind: aicatalog.Agent, Identifier: "a", DisplayName: "A", URL: "https://a.example"}
	again := twice
	again.URL = "https://b.example"
	p := New(styles.New(themes.Mono(), styles.Unicode()))
	p.SetSize(80, 24)
	p.SetContent(Content{Ref: "https://x.example", Catalog: a2a.Catalog{Ref: "https://x.example", Entries: []a2a.CatalogEntry{{Entry: twice}, {Entry: again}, {Entry: aicatalog.Entry{Problem: "it is not an object"}}}}})
	for _, name := range []string{"enter", "s", "y"} {
		if in, ok := p.Key(panetest.Key(name)).(Refused); !ok || !strings.Contains(in.Why, "Nothing names this entry alone") {
			t.Errorf("%s: got %#v, want a refusal", name, in)
		}
	}
	p.Key(panetest.Key("G"))
	if in, ok := p.Key(panetest.Key("enter")).(Refused); !ok || in.Why != "This entry cannot be opened: it is not an object." {
		t.Errorf("got %#v, want why", in)
	}
}
