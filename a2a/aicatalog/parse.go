package aicatalog

import (
	"bytes"
	"fmt"
	"net/url"
	"strings"
	"unicode/utf8"

	"parley/a2a/jsontok"
)

const (
	// MaxEntries is how many entries of one document are read.
	MaxEntries = 5000
	// maxText is how many bytes of a text of an entry are kept.
	maxText = 2 << 10
	maxTags = 20
	// maxLine is the longest line of a plain list.
	maxLine = 8 << 10
)

// A Document is a catalog as one body contains it.
type Document struct {
	SpecVersion string
	Host        string // the name of who publishes it
	Entries     []Entry
	// Omitted is how many entries there are beyond [MaxEntries].
	Omitted int
	// Problems are sentences about the document.
	Problems []string
}

// Parse reads a catalog or a list. URLs in it are relative to base, which is nil for a file. ok is
// false if the body is neither.
func Parse(body []byte, base *url.URL) (d *Document, ok bool) {
	trimmed := bytes.TrimSpace(bytes.TrimPrefix(body, []byte("\xEF\xBB\xBF")))
	if len(trimmed) == 0 {
		return nil, false
	}
	if trimmed[0] != '{' && trimmed[0] != '[' {
		return parseLines(trimmed, base)
	}
	var doc jsontok.Doc
	err := doc.Parse(body)
	d, ok = read(doc.Root(), base)
	if ok && err != nil {
		d.problem("The catalog could be read only in part (%s): what comes before that is listed.", clip(err.Error(), 100))
	}
	return d, ok
}

// read reads a catalog or a list from JSON.
func read(root jsontok.Node, base *url.URL) (*Document, bool) {
	entries, d := root.Get("entries"), &Document{}
	switch {
	case root.Kind() == jsontok.Array:
		if !listsAddresses(root) {
			return nil, false
		}
		entries = root
	case entries.Kind() != jsontok.Array || root.Get("name").IsText() && root.GetAny("skills", "capabilities", "supportedInterfaces").Exists():
		return nil, false // a card may have members that it does not define
	default:
		d.SpecVersion, d.Host = text(root.Get("specVersion")), text(root.Get("host").Get("displayName"))
		d.judgeVersion()
	}
	seen := map[string]bool{}
	for n := range entries.Elems() {
		if len(d.Entries) == MaxEntries {
			d.Omitted++
			continue
		}
		e := readEntry(n, base)
		if key := e.Identifier + "\x00" + e.Version; e.Identifier != "" {
			if seen[key] && e.Problem == "" {
				e.Problem = "its identifier occurs twice"
			}
			seen[key] = true
		}
		d.Entries = append(d.Entries, e)
	}
	if d.Omitted > 0 {
		d.problem("The catalog has more than %d entries: only these are listed.", MaxEntries)
	}
	return d, true
}

// listsAddresses reports whether an array begins with a URL: arrays of cards are something else.
func listsAddresses(n jsontok.Node) bool {
	for e := range n.Elems() {
		return e.IsText()
	}
	return false
}

func (d *Document) problem(format string, args ...any) {
	d.Problems = append(d.Problems, fmt.Sprintf(format, args...))
}

// judgeVersion notes a version of the format that may mean something else.
func (d *Document) judgeVersion() {
	major, _, _ := strings.Cut(d.SpecVersion, ".")
	switch {
	case d.SpecVersion == "":
		d.problem("The catalog has no specVersion: it is read as version 1.")
	case major != "1" && major != "0":
		d.problem("The catalog has version %s, and Parley knows version 1: entries may mean something else.", clip(d.SpecVersion, 20))
	}
}

// readEntry reads one entry, whatever it is.
func readEntry(n jsontok.Node, base *url.URL) Entry {
	if n.IsText() {
		return listed(n.Text(), base)
	}
	if n.Kind() != jsontok.Object {
		return Entry{Problem: "it is not an object"}
	}
	e := Entry{
		Identifier: text(n.Get("identifier")), Type: text(n.GetAny("type", "mediaType")),
		DisplayName: text(n.Get("displayName")), Description: text(n.Get("description")), Version: text(n.Get("version")),
		Publisher: text(n.Get("publisher").GetAny("displayName", "identifier")),
	}
	for tag := range n.Get("tags").Elems() {
		if t := text(tag); t != "" && len(e.Tags) < maxTags {
			e.Tags = append(e.Tags, t)
		}
	}
	e.Kind = kindOf(e.Type)
	written, data := n.Get("url"), n.Get("data")
	switch {
	case data.Kind() == jsontok.Object:
		e.Data = bytes.Clone(data.Raw())
		if written.IsText() {
			e.Problem = "it has a document and a URL: the document is used"
		}
	case written.IsText():
		e.URL, e.Problem = address(written.Text(), base)
	default:
		e.Problem = "it has neither a URL nor a document"
	}
	switch {
	case e.URL == "" && e.Data == nil:
		e.Kind = Other
	case e.Problem == "" && e.Identifier == "":
		e.Problem = "it has no identifier"
	}
	e.name = e.nameWith(text(data.Get("name")))
	return e
}

// listed returns the entry for a URL of a plain list.
func listed(written string, base *url.URL) Entry {
	e := Entry{Identifier: clip(strings.TrimSpace(written), maxText)}
	if e.URL, e.Problem = address(written, base); e.URL != "" {
		e.Kind, e.Identifier = Agent, e.URL
	}
	e.name = e.nameWith("")
	return e
}

// parseLines reads a list with one URL per line. Empty lines and comments are skipped; a text with
// anything else is no list.
func parseLines(body []byte, base *url.URL) (*Document, bool) {
	d := &Document{}
	for line := range bytes.Lines(body) {
		line = bytes.TrimSpace(line)
		if len(line) == 0 || line[0] == '#' {
			continue
		}
		if len(line) > maxLine || !utf8.Valid(line) || !bytes.Contains(line, []byte("://")) || bytes.ContainsAny(line, " \t<>\"") {
			return nil, false
		}
		if len(d.Entries) == MaxEntries {
			d.Omitted++
			continue
		}
		d.Entries = append(d.Entries, listed(string(line), base))
	}
	if d.Omitted > 0 {
		d.problem("The list has more than %d lines: only these are listed.", MaxEntries)
	}
	return d, len(d.Entries) > 0
}

// text returns a text of a document, not longer than is useful.
func text(n jsontok.Node) string {
	if !n.IsText() {
		return ""
	}
	return clip(strings.TrimSpace(n.Text()), maxText)
}

// clip shortens a text at the start of a rune.
func clip(s string, most int) string {
	if len(s) <= most {
		return s
	}
	for most > 0 && !utf8.RuneStart(s[most]) {
		most--
	}
	return s[:most] + "…"
}
