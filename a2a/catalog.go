package a2a

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strings"

	"parley/a2a/aicatalog"
)

const (
	wellKnownCatalog = "/.well-known/ai-catalog.json"
	// catalogDepth, catalogDocuments and catalogEntries bound what is read of a catalog with
	// others in it.
	catalogDepth     = 4
	catalogDocuments = 20
	catalogEntries   = 10_000
)

// A Catalog is a list of agents, with the entries of the catalogs in it.
type Catalog struct {
	Ref     string // which finds it again, as it was given
	Host    string // the name of who publishes it
	Entries []CatalogEntry
	// Origin is the origin of the reference, which the user thereby named. Empty for files.
	Origin   string
	Attempts []Lookup
	Warnings []string // sentences
	// Sentence and Class say why there is no catalog, both empty if there is one.
	Sentence, Class string

	place string // where it was found, for users
}

// A CatalogEntry is an entry of a catalog or of one in it.
type CatalogEntry struct {
	aicatalog.Entry
	// Within are the names of the catalogs in which it is, without the first.
	Within []string
	// Read reports that the entries of this catalog follow.
	Read bool
}

// ReadCatalog reads the catalog of anything a user can paste: a host, the URL of a catalog or of a
// list, a file, or "-" for Options.Stdin. Catalogs in it are read too, if they are at origins that
// the user named or allowed. All requests belong to call.
func ReadCatalog(ctx context.Context, ref string, call *Call, o Options, hooks Hooks) Catalog {
	d := discoverer{options: &o, hooks: hooks}
	if call != nil {
		d.call = *call
	}
	r, problem := parseReference(ref)
	switch {
	case problem != "":
		return Catalog{Ref: ref, Sentence: problem, Class: ClassNoCard}
	case r.mesh.Broker != "" && r.mesh.Agent == "":
		c := d.meshCatalog(ctx, r.mesh)
		c.Ref = strings.TrimSpace(ref)
		return c
	case r.url == nil && r.file == "" && !r.stdin, r.stdin && o.Stdin == nil:
		return Catalog{Ref: ref, Sentence: "A catalog is read from an http or https URL, or from a file: give one of them.", Class: ClassNoCard}
	}
	c := d.readCatalog(ctx, &r)
	if c.Ref = strings.TrimSpace(ref); r.entry != "" {
		c.Ref = strings.TrimSuffix(c.Ref, "@"+r.entry)
	}
	return c
}

// readCatalog reads the catalog of a reference and those in it.
func (d *discoverer) readCatalog(ctx context.Context, r *reference) Catalog {
	op := d.call.Op
	d.call.Op = OpCatalog
	defer func() { d.call.Op = op }()
	c := catalogReader{d: d, seen: map[string]bool{}}
	c.wire = d.catalogWire(r).reserved(nil)
	defer c.wire.close()
	if r.url != nil {
		c.catalog.Origin = originOf(r.url)
		for _, place := range catalogPlaces(r.url) {
			doc, base := c.get(ctx, place)
			if doc != nil {
				c.catalog.Sentence, c.catalog.Class = "", ""
				c.take(ctx, doc, base, nil)
				break
			}
			if c.over {
				break
			}
		}
		return c.catalog
	}
	doc := c.file(r)
	if doc != nil {
		c.take(ctx, doc, nil, nil)
	}
	return c.catalog
}

// catalogPlaces lists the possible URLs of a catalog, the likeliest first.
func catalogPlaces(u *url.URL) []string {
	path := u.EscapedPath()
	if strings.HasSuffix(path, ".json") || strings.HasSuffix(path, ".txt") {
		return []string{u.String()}
	}
	at := func(path string) string {
		c := *u
		c.Path, c.RawPath = unescape(path), path
		return c.String()
	}
	base := strings.TrimRight(path, "/")
	if base == "" {
		return []string{at(wellKnownCatalog), u.String()}
	}
	return []string{u.String(), at(base + wellKnownCatalog)}
}

// A catalogReader reads a catalog and those in it.
type catalogReader struct {
	d       *discoverer
	wire    *wire
	seen    map[string]bool // URLs that were requested
	over    bool            // another address would not help
	catalog Catalog
}

// get requests a document.
func (c *catalogReader) get(ctx context.Context, place string) (doc *aicatalog.Document, base *url.URL) {
	c.seen[place] = true
	limited, cancel := c.d.withTimeout(ctx)
	defer cancel()
	call := c.d.call
	call.Endpoint, _ = c.wire.mask.url(place)
	header := http.Header{"Accept": {aicatalog.TypeCatalog + ", application/json, text/plain"}}
	out := c.wire.exchange(call, c.d.hooks).perform(limited, outgoingRequest{method: http.MethodGet, url: place, header: header}, byUser)
	attempt := Lookup{URL: call.Endpoint, Record: out.Exchange, Status: out.Status}
	base, _ = url.Parse(out.target)
	if out.End.Class == "" && out.End.Reason == Ended && out.Status == http.StatusOK {
		doc, attempt.Sentence, attempt.Class = parseCatalog(out.body, base)
	} else {
		attempt.Sentence, attempt.Class = out.End.Sentence, cmp.Or(out.End.Class, ClassStatus)
		c.over = out.End.Reason != Ended || attempt.Class == ClassAuth || attempt.Class == ClassNoCredentials
	}
	c.catalog.Attempts = append(c.catalog.Attempts, attempt)
	if doc == nil {
		if c.catalog.Sentence == "" || c.over {
			c.catalog.Sentence, c.catalog.Class = attempt.Sentence, attempt.Class
		}
	} else if c.catalog.place == "" {
		c.catalog.place = call.Endpoint
	}
	return doc, base
}

// file reads a document from a file or standard input.
func (c *catalogReader) file(r *reference) (doc *aicatalog.Document) {
	name, f, err := "stdin", io.NopCloser(c.d.options.Stdin), error(nil)
	if !r.stdin {
		name = r.file
		f, err = os.Open(name)
	}
	c.catalog.place = shownFile(name)
	attempt := c.d.local(name, c.catalog.place, f, err, func(x *exchange, raw []byte, a *Lookup) {
		x.put(Record{Kind: KindBody, Dir: Local, Raw: raw}, Decode(x.call, Input{Body: raw}))
		doc, a.Sentence, a.Class = parseCatalog(raw, nil)
	})
	c.catalog.Attempts = append(c.catalog.Attempts, attempt)
	c.catalog.Sentence, c.catalog.Class = attempt.Sentence, attempt.Class
	return doc
}

// parseCatalog parses a document, or says why it is none.
func parseCatalog(body []byte, base *url.URL) (doc *aicatalog.Document, sentence, class string) {
	if doc, ok := aicatalog.Parse(body, base); ok {
		return doc, "", ""
	}
	cards, _, failure := ParseCard(body, "")
	switch {
	case failure == nil && len(cards) > 0:
		return nil, "This is the card of an agent, and no catalog: open it as an agent.", ClassNoCard
	default:
		return nil, "This is no catalog: it has no entries, and is no list of URLs. Check the address.", ClassNoCard
	}
}

// take adds the entries of a document, and those of the catalogs in it.
func (c *catalogReader) take(ctx context.Context, doc *aicatalog.Document, base *url.URL, within []string) {
	if len(within) == 0 {
		c.catalog.Host = doc.Host
	}
	c.catalog.Warnings = append(c.catalog.Warnings, doc.Problems...)
	for i := range doc.Entries {
		if len(c.catalog.Entries) >= catalogEntries {
			c.warn(fmt.Sprintf("The catalog and those in it have more than %d entries: only these are listed.", catalogEntries))
			return
		}
		e := CatalogEntry{Entry: doc.Entries[i], Within: within}
		at := len(c.catalog.Entries)
		c.catalog.Entries = append(c.catalog.Entries, e)
		if e.Kind == aicatalog.Catalog && ctx.Err() == nil {
			c.nested(ctx, at, base)
		}
	}
}

// nested reads the catalog of an entry, or notes in it why it is not read.
func (c *catalogReader) nested(ctx context.Context, at int, base *url.URL) {
	e := c.catalog.Entries[at]
	note := func(problem string) {
		c.catalog.Entries[at].Problem = cmp.Or(problem, c.catalog.Entries[at].Problem)
	}
	var doc *aicatalog.Document
	u, _ := url.Parse(e.URL)
	switch {
	case len(e.Within)+1 >= catalogDepth:
		note(fmt.Sprintf("it is not read: more than %d catalogs are in each other", catalogDepth))
	case e.Data != nil:
		var ok bool
		if doc, ok = aicatalog.Parse(e.Data, base); !ok {
			note("it is no catalog")
		}
	case c.seen[e.URL]:
		note("it is listed already")
	case !c.wire.gate.allowed[originOf(u)]:
		note("it is not read: it is at another origin, " + shownOrigin(u))
	case len(c.seen) >= catalogDocuments:
		note(fmt.Sprintf("it is not read: %d catalogs were read before it", catalogDocuments))
	default:
		sentence, class := c.catalog.Sentence, c.catalog.Class
		if doc, base = c.get(ctx, e.URL); doc == nil {
			note("it could not be read: " + strings.TrimSuffix(c.catalog.Attempts[len(c.catalog.Attempts)-1].Sentence, "."))
		}
		c.catalog.Sentence, c.catalog.Class = sentence, class
	}
	if doc != nil {
		c.catalog.Entries[at].Read = true
		c.take(ctx, doc, base, append(e.Within[:len(e.Within):len(e.Within)], e.Name()))
	}
}

// warn adds a sentence once.
func (c *catalogReader) warn(sentence string) {
	for _, w := range c.catalog.Warnings {
		if w == sentence {
			return
		}
	}
	c.catalog.Warnings = append(c.catalog.Warnings, sentence)
}

// catalogWording says that an address has a catalog instead of a card.
func catalogWording(doc *aicatalog.Document) wording {
	agents := 0
	for i := range doc.Entries {
		if doc.Entries[i].Kind == aicatalog.Agent {
			agents++
		}
	}
	count := fmt.Sprintf("%d agents", agents)
	if agents == 1 {
		count = "1 agent"
	}
	return wording{"This is a catalog of " + count + ", and no card", ": add @ and the name of one, or list them with parley catalog, or with /catalog in the workbench."}
}
