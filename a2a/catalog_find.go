package a2a

import (
	"fmt"
	"slices"
	"strings"

	"parley/a2a/aicatalog"
)

// Find returns the agent that a name means: its identifier, its identifier with @ and its version,
// its name, or the end of its identifier. why says in a sentence why there is none, with those
// that may be meant.
func (c *Catalog) Find(name string) (found *CatalogEntry, why string) {
	name = strings.TrimSpace(name)
	ways := []func(*CatalogEntry) bool{
		func(e *CatalogEntry) bool { return e.Identifier == name },
		func(e *CatalogEntry) bool { return e.Version != "" && e.Identifier+"@"+e.Version == name },
		func(e *CatalogEntry) bool { return e.URL != "" && e.URL == name },
		func(e *CatalogEntry) bool { return strings.EqualFold(e.Name(), name) },
		func(e *CatalogEntry) bool { return strings.EqualFold(lastSegment(e.Identifier), name) },
		func(e *CatalogEntry) bool { return name != "" && containsFold(e.Name(), name) },
	}
	var other *CatalogEntry
	for _, is := range ways {
		var all []*CatalogEntry
		for i := range c.Entries {
			e := &c.Entries[i]
			switch {
			case !is(e):
			case e.Kind == aicatalog.Agent:
				all = append(all, e)
			case other == nil:
				other = e
			}
		}
		switch {
		case len(all) == 1:
			return all[0], ""
		case len(all) > 1:
			return nil, fmt.Sprintf("“%s” names %d agents of the catalog: %s. Write the identifier of one, with @ and its version if it has several.", clip(name), len(all), candidates(all))
		}
	}
	if other != nil {
		return nil, strings.TrimSuffix(fmt.Sprintf("“%s” is no A2A agent (%s): %s", clip(other.Name()), clip(other.Label()), clip(other.Problem)), ": ") + "."
	}
	var all []*CatalogEntry
	for i := range c.Entries {
		if c.Entries[i].Kind == aicatalog.Agent {
			all = append(all, &c.Entries[i])
		}
	}
	if len(all) == 0 {
		return nil, "The catalog has no A2A agent."
	}
	return nil, fmt.Sprintf("The catalog has no agent “%s”; it has %s.", clip(name), candidates(all))
}

// Reference returns what names an entry behind the reference of its catalog and an @; empty if
// nothing names it alone.
func (c *Catalog) Reference(e *CatalogEntry) string {
	if e.Kind != aicatalog.Agent {
		return "" // nothing finds it
	}
	names := []string{e.Identifier}
	if e.Version != "" {
		names = append(names, e.Identifier+"@"+e.Version)
	}
	for _, name := range append(names, e.Name()) {
		if name == "" {
			continue
		}
		if found, _ := c.Find(name); found != nil && same(found, e) {
			return name
		}
	}
	return ""
}

// same reports whether two entries are the same.
func same(a, b *CatalogEntry) bool {
	return a.Identifier == b.Identifier && a.Version == b.Version && a.URL == b.URL && slices.Equal(a.Data, b.Data) && slices.Equal(a.Within, b.Within)
}

// candidates lists entries for a sentence.
func candidates(all []*CatalogEntry) string {
	const most = 6
	var words []string
	for _, e := range all[:min(len(all), most)] {
		word := clip(e.Name())
		id := e.Identifier
		if e.Version != "" {
			id += " " + e.Version
		}
		if id = strings.TrimSpace(id); id != "" && id != e.Name() {
			word += " (" + clip(id) + ")"
		}
		words = append(words, word)
	}
	text := strings.Join(words, ", ")
	if n := len(all) - most; n > 0 {
		text += fmt.Sprintf(" and %d more", n)
	}
	return text
}

// lastSegment returns the end of an identifier behind its last colon or slash.
func lastSegment(identifier string) string {
	return identifier[strings.LastIndexAny(identifier, ":/")+1:]
}

func containsFold(text, part string) bool {
	return strings.Contains(strings.ToLower(text), strings.ToLower(part))
}
