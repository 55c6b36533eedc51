package page

import (
	"bytes"
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"time"

	"parley/a2a"
	"parley/internal/units"
	"parley/session/log"
)

// kinds are the kinds of record that can be hidden, without the script too.
var kinds = []struct {
	kind a2a.RecordKind
	name string
}{
	{a2a.KindRequest, "requests"}, {a2a.KindHead, "heads"}, {a2a.KindBody, "bodies"}, {a2a.KindEvent, "events"},
	{a2a.KindEnd, "ends"}, {a2a.KindDelivery, "deliveries"}, {a2a.KindNote, "notes"},
}

// wire writes the right side of the page.
func (p *page) wire() {
	p.tag(`<section id="wire" tabindex="-1"><h2>wire <span id="count">`, units.Plural(p.excerpt.Len(), "record"), "</span></h2>\n")
	p.tag(`<div class="bar"><input id="filter" type="search" placeholder="filter: words, -word, kind:event, #12" aria-label="filter the records" autocomplete="off" spellcheck="false" hidden>`)
	for _, k := range kinds {
		p.tag(`<label><input type="checkbox" id="k-`, string(k.kind), `" checked>`, k.name, "</label>")
	}
	p.tag("</div>\n<ol id=\"rows\">\n")
	var before time.Time
	for it := range p.excerpt.Items() {
		p.row(it, before)
		before = it.Record.Time
		if !p.advance() {
			return
		}
	}
	p.tag("</ol></section>\n")
}

// row writes a record: a line, and what it contains below.
func (p *page) row(it *log.Item, before time.Time) {
	r := &it.Record
	p.tag(`<li class="`)
	if slices.ContainsFunc(kinds, func(k struct {
		kind a2a.RecordKind
		name string
	}) bool {
		return k.kind == r.Kind
	}) {
		p.tag(string(r.Kind))
	}
	switch r.Dir {
	case a2a.Out:
		p.tag(" out")
	case a2a.In:
		p.tag(" in")
	}
	p.tag(`"><details><summary><b>`)
	p.number(r.ID)
	p.tag("</b><i>")
	if !before.IsZero() {
		p.tag(pause(r.Time.Sub(before)))
	}
	p.tag("</i><span>")
	p.line(string(log.Described(it)))
	p.tag("</span><s>")
	p.flags(it.Findings)
	marked, comment := p.excerpt.Remark(r.ID)
	if marked || comment != "" {
		p.tag(`<u class="mark">★</u>`)
	}
	p.tag("</s>")
	p.tag("<em>")
	if n := r.Size(); n > 0 {
		p.tag(units.Bytes(int64(n)))
	}
	p.tag(`</em></summary><div class="inside" id="r`)
	p.number(r.ID)
	p.tag(`"><p class="dim">`, r.Time.UTC().Format("2006-01-02 15:04:05.000"))
	if r.Exchange != 0 && r.Exchange != r.ID {
		p.tag(" · of ")
		p.link(r.Exchange)
	}
	if at := p.places.of(p.excerpt.State, r.ID); at != "" {
		p.tag(` · <a href="#`, at, `">in the conversation</a>`)
	}
	p.tag("</p>")
	if comment != "" {
		p.tag(`<p class="comment">★ `)
		p.text(comment)
		p.tag("</p>")
	}
	p.content(it)
	p.tag("</div></details></li>\n")
}

// pause returns the time between two records as HTML, empty if there is none.
func pause(d time.Duration) string {
	switch {
	case d <= 0:
		return ""
	case d < time.Millisecond:
		return "&lt;1 ms"
	default:
		return "+" + units.Duration(d)
	}
}

// flags writes how grave the findings of a record are.
func (p *page) flags(findings []a2a.Finding) {
	worst := a2a.Info
	for i := range findings {
		worst = max(worst, findings[i].Severity)
	}
	if worst > a2a.Info {
		p.tag(`<u class="`, worst.String(), `">⚑`, strconv.Itoa(len(findings)), "</u>")
	}
}

// content writes everything that a record contains.
func (p *page) content(it *log.Item) {
	r := &it.Record
	for i := range it.Findings {
		f := &it.Findings[i]
		p.tag(`<p class="finding `, f.Severity.String(), `">⚑ `)
		p.line(f.Rule + " " + f.Message)
		if f.Fix != "" {
			p.tag(` <span class="dim">`)
			p.line(f.Fix)
			p.tag("</span>")
		}
		p.tag("</p>")
	}
	if r.Head != nil {
		p.head(r.Head)
	}
	if r.End != nil {
		p.tag("<p>")
		p.line(string(r.End.Reason))
		if r.End.Sentence != "" {
			p.tag(": ")
			p.line(r.End.Sentence)
		}
		p.tag("</p>")
		if r.End.Trailer != nil {
			p.head(r.End.Trailer)
		}
	}
	if r.Note != nil {
		p.tag("<table>")
		for _, name := range slices.Sorted(maps.Keys(r.Note.Attrs)) {
			p.pair(name, r.Note.Attrs[name])
		}
		p.tag("</table>")
	}
	if r.SSE != nil && (r.SSE.ID != "" || r.SSE.Event != "") {
		p.tag("<table>")
		for _, f := range [][2]string{{"id", r.SSE.ID}, {"event", r.SSE.Event}} {
			if f[1] != "" {
				p.pair(f[0], f[1])
			}
		}
		p.tag("</table>")
	}
	if len(r.Raw) > 0 {
		data := r.Raw
		if r.Kind == a2a.KindEvent {
			if payload, ok := log.PlainFrame(r.Raw); ok {
				data = payload
			}
		}
		p.json(data)
	}
	if r.Torn || r.Omitted > 0 {
		p.tag(`<p class="problem">The recording lacks the rest of these bytes.</p>`)
	}
}

// head writes the head of a request or an answer.
func (p *page) head(h *a2a.Head) {
	p.tag("<p><code>")
	switch {
	case h.Method != "":
		p.line(h.Method + " " + h.URL)
	case h.Status != 0:
		p.line(h.Proto + " " + strconv.Itoa(h.Status) + " " + http.StatusText(h.Status))
	default:
		p.line(h.URL)
	}
	p.tag("</code></p><table>")
	for _, name := range slices.Sorted(maps.Keys(h.Header)) {
		for _, value := range h.Header[name] {
			p.pair(name, value)
		}
	}
	p.tag("</table>")
}

// pair writes a row of a table.
func (p *page) pair(name, value string) {
	p.tag("<tr><th>")
	p.line(name)
	p.tag("</th><td>")
	p.text(value)
	p.tag("</td></tr>")
}

// maxBody is how much of a body a page shows.
const maxBody = 1 << 20

// json writes a body: indented if it is JSON, which changes nothing but the space in it.
func (p *page) json(raw []byte) {
	more := 0
	if len(raw) > maxBody {
		raw, more = raw[:maxBody], len(raw)-maxBody
	}
	var b bytes.Buffer
	if more == 0 && json.Indent(&b, raw, "", "\t") == nil {
		p.tag(`<pre class="json">`)
		p.raw(b.Bytes())
	} else {
		p.tag("<pre>")
		p.raw(raw)
	}
	p.tag("</pre>")
	if more > 0 {
		p.tag(`<p class="problem">`, units.Bytes(int64(more)), " more are not part of this page; an export as jsonl has them.</p>")
	}
}
