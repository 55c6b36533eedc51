package catalog

import (
	"fmt"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

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
	for _, b := range p.ShortHelp() {
		if name := b.Help().Desc; b.Enabled() && (name == "open agent" || name == "save agent" || name == "copy reference") {
			t.Errorf("the footer has %q, want it without what is refused", name)
		}
	}
	p.Key(panetest.Key("G"))
	if in, ok := p.Key(panetest.Key("enter")).(Refused); !ok || in.Why != "This entry cannot be opened: it is not an object." {
		t.Errorf("got %#v, want why", in)
	}
}

// What names an entry is kept while it is selected, and found again in what was read again.
func TestACatalogThatWasReadAgainIsAskedAgain(t *testing.T) {
	entries := []a2a.CatalogEntry{{Entry: aicatalog.Entry{Kind: aicatalog.Agent, Identifier: "a", DisplayName: "A", URL: "https://a.example"}}}
	p := New(styles.New(themes.Mono(), styles.Unicode()))
	p.SetSize(80, 24)
	for _, id := range []string{"a", "b"} {
		entries[0].Identifier = id
		p.SetContent(Content{Ref: "https://x.example", Catalog: a2a.Catalog{Ref: "https://x.example", Entries: entries}})
		if got := p.Key(panetest.Key("y")); got != (Copy{"https://x.example@" + id}) {
			t.Errorf("got %#v, want the reference of %s", got, id)
		}
	}
}

func TestTheListFollowsTheFilter(t *testing.T) {
	var entries []a2a.CatalogEntry
	for _, name := range []string{"clerk", "desk", "scribe"} {
		entries = append(entries, a2a.CatalogEntry{Entry: aicatalog.Entry{Kind: aicatalog.Agent, Identifier: name, DisplayName: name}})
	}
	p := New(styles.New(themes.Mono(), styles.Unicode()))
	p.SetSize(80, 24)
	p.SetContent(Content{Ref: "x", Catalog: a2a.Catalog{Ref: "x", Entries: entries}})
	selected := func(want string) {
		t.Helper()
		if got := p.Key(panetest.Key("y")); got != (Copy{"x@" + want}) {
			t.Errorf("got %#v, want %s selected", got, want)
		}
	}
	for _, name := range []string{"/", "d", "e", "enter"} {
		p.Key(panetest.Key(name))
	}
	selected("desk")
	if in := p.Key(panetest.Key("esc")); in != nil {
		t.Errorf("got %#v, want the filter cleared", in)
	}
	selected("clerk")
	p.Key(panetest.Key("/"))
	p.Paste(tea.PasteMsg{Content: "scr"})
	p.Key(panetest.Key("enter"))
	selected("scribe")
}
