package log

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"parley/a2a"
	"parley/a2a/hostname"
)

const (
	maxLinks    = 9        // of one message
	maxLinkText = 64 << 10 // of a part that is searched
	maxLink     = 4 << 10
)

// Links returns the http and https URLs in a message, in order and without repetitions: in its
// texts, in the strings of its data, and as files. They may lead anywhere; see [hostname.OfLink].
func Links(m *a2a.Message) []string {
	var out []string
	add := func(s string) {
		if hostname.OfLink(s) != "" && len(s) <= maxLink && len(out) < maxLinks && !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	if m == nil {
		return nil
	}
	for i := range m.Parts {
		switch p := &m.Parts[i]; p.Kind {
		case a2a.PartText:
			linksOfText(p.Text, add)
		case a2a.PartData:
			var value any
			if len(p.Data) <= maxLinkText && json.Unmarshal(p.Data, &value) == nil {
				linksOfValue(value, add)
			}
		default:
			add(p.URL)
		}
	}
	return out
}

func linksOfText(text string, add func(string)) {
	cut := len(text) > maxLinkText
	text = text[:min(len(text), maxLinkText)]
	for {
		i := strings.Index(text, "http")
		if i < 0 {
			return
		}
		text = text[i:]
		end := strings.IndexFunc(text, func(r rune) bool { return r <= ' ' || strings.ContainsRune("<>\"`{}|\\^", r) })
		switch {
		case end >= 0:
		case cut:
			return // only a part of it is present
		default:
			end = len(text)
		}
		link := strings.TrimRight(text[:end], ".,;:!?'*_")
		for _, pair := range []string{"()", "[]"} { // as in (https://example.com)
			if n := strings.LastIndexByte(link, pair[1]); n >= 0 && !strings.ContainsRune(link[:n], rune(pair[0])) {
				link = strings.TrimRight(link[:strings.IndexByte(link, pair[1])], ".,;:!?'*_")
			}
		}
		add(link)
		text = text[max(end, len("http")):]
	}
}

func linksOfValue(value any, add func(string)) {
	switch v := value.(type) {
	case string:
		linksOfText(v, add)
	case []any:
		for _, e := range v {
			linksOfValue(e, add)
		}
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) { // the order of an object means nothing
			linksOfValue(v[name], add)
		}
	}
}
