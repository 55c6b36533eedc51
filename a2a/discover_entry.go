package a2a

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// splitEntry splits CATALOG@REFERENCE, as which an entry of a catalog is written. entry is empty
// if a reference has no such form; sure reports that it cannot be an agent's own address. The sign
// in an authority stands for a name or a password, and at the beginning of a segment of a path it
// belongs to the path.
func splitEntry(ref string) (catalog, entry string, sure bool) {
	if info, err := os.Stat(ref); err == nil && !info.IsDir() {
		return "", "", false
	}
	for i := range len(ref) {
		if ref[i] != '@' {
			continue
		}
		left, right := ref[:i], strings.TrimSpace(ref[i+1:])
		if right == "" {
			break
		}
		switch form := catalogForm(left, right); {
		case form == isCatalog:
			return left, right, true
		case form == maybeCatalog && entry == "":
			catalog, entry = left, right
		}
	}
	return catalog, entry, false
}

// SplitReference splits the reference of an entry of a catalog, CATALOG@NAME. Both are empty for any
// other reference, also for one that may be an agent's own address.
func SplitReference(ref string) (catalog, entry string) {
	catalog, entry, sure := splitEntry(strings.TrimSpace(ref))
	if !sure {
		return "", ""
	}
	return catalog, entry
}

// A form says whether what stands before an @ is the address of a catalog.
type form uint8

const (
	noCatalog form = iota
	maybeCatalog
	isCatalog
)

func catalogForm(left, right string) form {
	scheme, rest, absolute := strings.Cut(left, "://")
	if !absolute {
		switch {
		case strings.Contains(left, "@"), left == "-":
			return noCatalog
		case looksLikeFile(left):
			return isCatalog
		case strings.ContainsAny(left, "/?#"):
			rest = left
		case looksLikeHost(left) && !LooksLikeAddress(right): // otherwise it is a name at a host
			return isCatalog
		default:
			return noCatalog
		}
	} else if strings.EqualFold(scheme, "file") {
		return isCatalog
	} else if !strings.EqualFold(scheme, "http") && !strings.EqualFold(scheme, "https") {
		return noCatalog
	}
	host, path, hasPath := strings.Cut(rest, "/")
	path, _, _ = strings.Cut(path, "?")
	switch {
	case !hasPath, strings.Contains(host, "@"), !absolute && !looksLikeHost(host):
		return noCatalog
	case strings.HasSuffix(path, ".json"), strings.HasSuffix(path, ".txt"):
		return isCatalog
	case strings.HasSuffix(left, "/"):
		return noCatalog
	}
	return maybeCatalog
}

// entryReference parses a reference to an entry of a catalog.
func entryReference(ref, catalog, entry string, sure bool) (r reference, problem string) {
	r, problem = plainReference(catalog)
	r.entry = entry
	if !sure {
		if plain, _ := plainReference(ref); plain.url != nil {
			r.plain = plain.url
		}
	}
	return r, problem
}

// entry finds the card of an entry of a catalog. The user named the origin of the catalog: a card
// at another one is requested without credentials.
func (d *discoverer) entry(ctx context.Context, r *reference) {
	catalog := d.readCatalog(ctx, r)
	d.result.Origin, d.result.Attempts = catalog.Origin, catalog.Attempts
	if catalog.Sentence != "" {
		if r.plain != nil {
			d.web(ctx, r.plain)
			return
		}
		d.result.Sentence, d.result.Class = catalog.Sentence, catalog.Class
		return
	}
	e, why := catalog.Find(r.entry)
	switch {
	case why != "":
		d.result.Sentence, d.result.Class = why, ClassNoCard
	case e.Data != nil:
		d.inline(&catalog, e)
	default:
		d.listed(ctx, r, e)
	}
}

// inline takes the card that is in the catalog itself.
func (d *discoverer) inline(c *Catalog, e *CatalogEntry) {
	d.call.Endpoint = c.place // to which URLs in the card are relative
	shown := c.place + "#" + cmp.Or(e.Identifier, e.Name())
	attempt := d.local("the catalog", shown, io.NopCloser(bytes.NewReader(e.Data)), nil, d.card)
	d.result.Attempts = append(d.result.Attempts, attempt)
	if d.result.Card == nil {
		d.result.Sentence, d.result.Class = attempt.Sentence, attempt.Class
	}
}

// listed requests the card that the catalog names by its URL.
func (d *discoverer) listed(ctx context.Context, r *reference, e *CatalogEntry) {
	u, err := url.Parse(e.URL)
	if err != nil || !isHTTP(u) {
		d.result.Sentence, d.result.Class = "The URL of this entry cannot be requested.", ClassNoCard
		return
	}
	w := d.catalogWire(r)
	defer w.close()
	if w = withoutCredentials(w, u); !w.gate.armed {
		d.result.CardOrigin = originOf(u)
	}
	d.reference, w = u, d.reserved(w, originOf(u))
	places := []location{{url: u.String()}}
	for _, l := range locations(u) {
		if l.url != places[0].url {
			places = append(places, l)
		}
	}
	for _, place := range places {
		if d.try(ctx, w, place) {
			break
		}
	}
	if d.result.Card == nil && d.result.Sentence == "" {
		d.result.Class = ClassNoCard
		d.result.tell(wording{fmt.Sprintf("The catalog names %s, and there is no agent card: %s", hostPort(u), attemptsClause(d.result.Attempts)), "."})
	}
}

// withoutCredentials returns a wire that sends no credentials to a URL unless the user named its
// origin.
func withoutCredentials(w *wire, u *url.URL) *wire {
	if w.gate.allowed[originOf(u)] {
		return w
	}
	bare := *w
	bare.creds, bare.reserve, bare.gate = credentials{}, nil, w.gate.disarmed()
	return &bare
}

// catalogWire returns a wire for requests about the catalog of a reference.
func (d *discoverer) catalogWire(r *reference) *wire {
	o := *d.options
	if r.url != nil {
		o.UserAddresses = append(slices.Clone(o.UserAddresses), r.url.String())
	}
	w := newWire(&o, nil)
	w.creds.apiKey = "" // no card says where a key goes
	return w
}

// shownFile returns the URL of a file for users.
func shownFile(name string) string {
	if abs, err := filepath.Abs(name); err == nil && name != "stdin" {
		return (&url.URL{Scheme: "file", Path: filepath.ToSlash(abs)}).String()
	}
	return name
}

// forgive takes back that the server of an answer may have crashed at an earlier address.
func (d *discoverer) forgive(out *Answer) {
	if out.Status == 0 {
		return
	}
	for i := range d.result.Attempts {
		a := &d.result.Attempts[i]
		if alive := WithoutCrash(a.Sentence); alive != a.Sentence && Origin(a.URL) == Origin(out.target) {
			if d.result.Sentence == a.Sentence {
				d.result.Sentence = alive
			}
			a.Sentence = alive
		}
	}
}
