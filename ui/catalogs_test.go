package ui

import (
	"strings"
	"testing"
	"time"

	"parley/a2a"
	"parley/a2a/aicatalog"
	"parley/internal/catalogs"
	"parley/session/card"
	"parley/session/log"
)

// listing is a catalog of four entries.
func listing() a2a.Catalog {
	c := a2a.Catalog{Ref: "https://agents.example", Host: "Acme Agents", Origin: "https://agents.example"}
	for _, e := range []aicatalog.Entry{
		{Kind: aicatalog.Agent, Identifier: "urn:air:acme.example:a2a:travel", Type: aicatalog.TypeCard, DisplayName: "Travel Desk", Description: "Books flights and hotels.", Version: "2.4.0", Publisher: "Acme Travel", Tags: []string{"flights", "hotels"}, URL: "https://travel.example/.well-known/agent-card.json"},
		{Kind: aicatalog.Agent, Identifier: "urn:air:acme.example:a2a:scribe", Type: aicatalog.TypeCard, DisplayName: "Scribe", Version: "1.7.2", Tags: []string{"essays"}, Data: []byte(`{"name":"Scribe"}`)},
		{Kind: aicatalog.Other, Identifier: "urn:air:acme.example:mcp:weather", Type: "application/mcp-server-card+json", URL: "https://mcp.example/card"},
		{Kind: aicatalog.Catalog, Identifier: "urn:air:acme.example:more", Type: aicatalog.TypeCatalog, DisplayName: "More agents", URL: "https://more.example/list.json", Problem: "it is not read: it is at another origin, https://more.example"},
	} {
		c.Entries = append(c.Entries, a2a.CatalogEntry{Entry: e})
	}
	return c
}

// withCatalog opens the sheet of a catalog.
func withCatalog(t *testing.T, w, h int, do func(d *desk)) {
	o := Options{SavedCards: func() []catalogs.Saved {
		return []catalogs.Saved{{Name: "My desk", Ref: "https://travel.example", Card: &card.Snapshot{Version: "2.3.0"}}, {Name: "Writer", Ref: "agents.example@scribe"}}
	}}
	bubble(t, w, h, o, func(d *desk) {
		d.engine.Catalogs = map[string]a2a.Catalog{
			"https://agents.example":         listing(),
			"https://more.example/list.json": {Ref: "https://more.example/list.json", Entries: []a2a.CatalogEntry{{Entry: aicatalog.Entry{Kind: aicatalog.Agent, Identifier: "deep", URL: "https://deep.example"}}}},
		}
		d.carded()
		d.write("/catalog https://agents.example")
		d.press("enter")
		d.wait(100 * time.Millisecond)
		do(d)
	})
}

func TestACatalogIsBrowsed(t *testing.T) {
	t.Parallel()
	withCatalog(t, 100, 30, func(d *desk) {
		d.sees("catalog · Acme Agents", "4 entries", "Listed at https://agents.example", "Travel Desk", "2.4.0", "flights hotels", "differs, saved as My desk", "saved as Writer", "  mcp-server-card+json", "not read", "▸ More agents",
			"card        https://travel.example/.well-known/agent-card.json", "identifier  urn:air:acme.example:a2a:travel", "My desk · version 2.4.0, you have seen 2.3.0")
		d.press("/")
		d.write("tdsk")
		d.sees("1 of 4")
		d.press("enter", "esc")
		d.sees("4 entries")
		d.press("j")
		d.sees("in the catalog itself")
		d.press("y")
		d.sees("copied")
		d.press("s")
		d.sees("This agent is saved as Writer.")
		d.press("j", "enter")
		d.sees("This is no A2A agent: it has the type application/mcp-server-card+json.")
		d.press("k", "enter")
		if got := d.engine.CallsOf("open"); len(got) == 0 || got[len(got)-1] != "https://agents.example@urn:air:acme.example:a2a:scribe" {
			t.Errorf("got %q, want the agent by its entry", d.engine.Calls)
		}
		if d.model.sheet() != nil {
			t.Error("the sheet lies over the agent that was opened")
		}
	})
}

func TestAnAgentOfACatalogIsSavedUnderAName(t *testing.T) {
	t.Parallel()
	withCatalog(t, 100, 30, func(d *desk) {
		d.press("esc")
		d.engine.Catalogs["https://agents.example"] = func() a2a.Catalog {
			c := listing()
			c.Entries[0].URL = "https://other.example"
			return c
		}()
		d.write("/catalog https://agents.example")
		d.press("enter")
		d.wait(100 * time.Millisecond)
		d.press("s")
		d.sees("save Travel Desk")
	})
}

func TestACatalogElsewhereIsReadAfterAQuestion(t *testing.T) {
	t.Parallel()
	withCatalog(t, 100, 30, func(d *desk) {
		d.press("G", "enter")
		d.sees("read the catalog at https://more.example/list.json?", "it counts as an address that you gave")
		d.press("enter")
		d.sees("catalog · Acme Agents")
		d.press("enter", "y")
		d.wait(100 * time.Millisecond)
		d.sees("Listed at https://more.example/list.json", "deep", "1 entry")
		d.press("esc")
		d.sees("catalog · Acme Agents")
		d.press("q")
		if d.model.sheet() != nil {
			t.Error("the sheet is still there")
		}
		d.write("/catalog")
		d.press("enter")
		d.wait(100 * time.Millisecond)
		d.sees("catalog · Acme Agents")
	})
}

func TestAnAddressThatIsACatalogOpensTheSheet(t *testing.T) {
	t.Parallel()
	bubble(t, 100, 30, Options{}, func(d *desk) {
		a := d.carded()
		d.engine.Catalogs = map[string]a2a.Catalog{a.Ref: listing()}
		d.run(d.model.catalogs.OnSignal(&log.Signal{Kind: log.SignalOpened, Agent: a.ID, Ref: a.Ref, Class: a2a.ClassCatalog, Sentence: "This is a catalog of 2 agents."}))
		d.settle()
		d.wait(100 * time.Millisecond)
		d.sees("catalog · Acme Agents", "Travel Desk")
		if got := d.engine.CallsOf("dismiss"); len(got) != 1 {
			t.Errorf("got %q, want the agent that is none to be closed", d.engine.Calls)
		}
	})
}

func TestACatalogThatIsNoneSaysWhy(t *testing.T) {
	t.Parallel()
	withCatalog(t, 80, 24, func(d *desk) {
		d.press("esc")
		d.write("/catalog https://none.example")
		d.press("enter")
		d.wait(100 * time.Millisecond)
		d.sees("No catalog was read from https://none.example.", "There is no catalog.")
		d.press("esc")
		d.write("/catalog nonsense")
		d.press("enter")
		d.sees("nonsense is not an address")
		if strings.Contains(strings.Join(d.engine.Calls, "\n"), "nonsense") {
			t.Error("a word was dialled")
		}
	})
}
