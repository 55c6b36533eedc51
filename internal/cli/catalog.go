package cli

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"parley/a2a"
	"parley/a2a/aicatalog"
	"parley/internal/catalogs"
	"parley/internal/trust"
	"parley/internal/units"
	"parley/session/card"
)

// catalogFlags are the flags of parley catalog.
type catalogFlags struct {
	callFlags
	filter string
}

func (a *app) catalogCommand() *cobra.Command {
	var f catalogFlags
	c := &cobra.Command{
		Use:   "catalog [flags] REF",
		Short: "List the agents of a catalog",
		Long: `List the entries of an AI catalog, which a host publishes at
/.well-known/ai-catalog.json, or of a list of cards' URLs: a JSON array, or a
text with one URL per line. Every command takes CATALOG@NAME as the reference
of an agent in it, with the entry's identifier or its name.

Catalogs within the catalog are read if they are at the same origin, or at one
that --allow-origin names.`,
		Example: `  parley catalog https://agents.example
  parley catalog ./agents.txt --filter travel
  parley send -a 'agents.example@Travel Desk' 'Book me a flight'`,
		Args: cobra.ArbitraryArgs,
	}
	c.RunE = func(_ *cobra.Command, args []string) error {
		if err := f.named(a, c, args, "parley catalog takes the URL of a catalog, its host, or a file."); err != nil {
			return err
		}
		return a.listCatalog(&f)
	}
	a.callFlags(c, &f.callFlags)
	c.Flags().Lookup("agent-card").Usage = "the catalog's `ref`: a host, its URL, a file, or - for standard input"
	c.Flags().StringVar(&f.filter, "filter", "", "only entries whose name, identifier, tags, type or publisher match this `text`, the best first")
	return c
}

// listCatalog runs the command.
func (a *app) listCatalog(f *catalogFlags) error {
	op, err := a.begin(&f.callFlags)
	if err != nil {
		return err
	}
	defer op.end()
	c := op.engine.ReadCatalog(op.ctx, f.ref)
	op.drain()
	if c.Sentence != "" {
		if err := op.ctx.Err(); err != nil {
			return op.stopError(err)
		}
		f := op.inFile(faultOf(c.Class, c.Sentence, nil))
		if c.Class == a2a.ClassMesh {
			f.hint = "A mesh has no catalog: the other commands, such as parley card get, take the address of one agent."
		}
		return op.advise(f, nil)
	}
	for _, w := range c.Warnings {
		a.note("Warning", "%s", line(w))
	}
	c.Ref = trust.WholePath(c.Ref) // agents are saved by it
	matches := catalogs.Compare(&c, a.savedCards())
	found := catalogs.Filter(c.Entries, f.filter)
	if a.json {
		return a.printCatalogJSON(&c, matches, found)
	}
	p := page{verbose: f.verbose}
	p.field("Catalog", line(orNone(c.Host))+", "+entriesText(len(c.Entries)))
	for _, i := range found {
		p.entry(&c, &c.Entries[i], matches[i])
	}
	if len(found) == 0 {
		a.note("Note", "nothing in the catalog matches.")
	}
	return a.print(p.b.Bytes())
}

// entriesText counts entries.
func entriesText(n int) string {
	if n == 1 {
		return "1 entry"
	}
	return units.Count(n) + " entries"
}

// entry writes one entry.
func (p *page) entry(c *a2a.Catalog, e *a2a.CatalogEntry, m catalogs.Match) {
	words := []string{line(strings.Join(append(e.Within[:len(e.Within):len(e.Within)], e.Name()), " / "))}
	add := func(word string) {
		if word != "" {
			words = append(words, line(word))
		}
	}
	if e.Identifier != e.Name() && e.Identifier != e.URL {
		add(e.Identifier)
	}
	if e.Version != "" {
		add("version " + e.Version)
	}
	add(strings.Join(e.Tags, " "))
	if e.URL != "" {
		add(e.URL)
	} else if e.Data != nil {
		add("in the catalog itself")
	}
	if m.Name != "" {
		add("saved as " + m.Name)
	}
	add(m.Differs)
	add(e.Problem)
	label := map[aicatalog.Kind]string{aicatalog.Agent: "Agent", aicatalog.Catalog: "Nested catalog"}[e.Kind]
	if label == "" {
		label = "Other"
		add(e.Label())
	}
	p.field(label, strings.Join(words, ", "))
	if p.verbose {
		p.field("Description", line(e.Description))
		p.field("Publisher", line(e.Publisher))
		if name := c.Reference(e); name != "" && e.Kind == aicatalog.Agent {
			p.field("Reference", line(shellWord(a2a.MaskReference(c.Ref)+"@"+name)))
		}
	}
}

// printCatalogJSON writes the entries as one document.
func (a *app) printCatalogJSON(c *a2a.Catalog, matches []catalogs.Match, found []int) error {
	type entry struct {
		Kind        string   `json:"kind"`
		Name        string   `json:"name"`
		Identifier  string   `json:"identifier,omitempty"`
		Type        string   `json:"type,omitempty"`
		Version     string   `json:"version,omitempty"`
		Description string   `json:"description,omitempty"`
		Publisher   string   `json:"publisher,omitempty"`
		Tags        []string `json:"tags,omitempty"`
		URL         string   `json:"url,omitempty"`
		Inline      bool     `json:"inline,omitempty"`
		Within      []string `json:"within,omitempty"`
		Saved       string   `json:"saved,omitempty"`
		Differs     string   `json:"differs,omitempty"`
		Problem     string   `json:"problem,omitempty"`
	}
	kinds := map[aicatalog.Kind]string{aicatalog.Agent: "agent", aicatalog.Catalog: "catalog", aicatalog.Other: "other"}
	doc := struct {
		Catalog string  `json:"catalog"`
		Host    string  `json:"host,omitempty"`
		Entries []entry `json:"entries"`
	}{a2a.MaskReference(c.Ref), c.Host, []entry{}}
	for _, i := range found {
		e := &c.Entries[i]
		doc.Entries = append(doc.Entries, entry{
			kinds[e.Kind], e.Name(), e.Identifier, e.Type, e.Version, e.Description, e.Publisher, e.Tags, e.URL, e.Data != nil, e.Within,
			matches[i].Name, matches[i].Differs, e.Problem,
		})
	}
	raw, err := json.Marshal(doc)
	if err == nil {
		raw, err = indent(raw)
	}
	if err != nil {
		return internal("The catalog cannot be written as JSON.")
	}
	return a.print(fmt.Appendf(raw, "\n"))
}

// savedCards returns the saved agents with what was seen of their cards.
func (a *app) savedCards() (list []catalogs.Saved) {
	cards := a.cardFolder()
	for _, agent := range a.namedAgents() {
		s := catalogs.Saved{Name: agent.Name, Ref: agent.Ref}
		if cards != nil {
			if kept, ok := cards.Load(a2a.MaskReference(trust.WholePath(agent.Ref)), 0); ok {
				var seen card.Snapshot
				if json.Unmarshal(kept.Card, &seen) == nil {
					s.Card = &seen
				}
			}
		}
		list = append(list, s)
	}
	return list
}
