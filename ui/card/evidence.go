package card

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"parley/a2a"
	"parley/internal/units"
	"parley/ui/canvas"
	"parley/ui/styles"
)

// An entry is what can be chosen: an example, which enter writes into the text field, or what one
// record proves, to which enter goes.
type entry struct {
	from, to int          // its lines
	right    bool         // they are in the right half
	example  *a2a.Example // nil for what a record proves
	record   a2a.RecordID // 0 if there is none
	why      string       // there is no record
	name     string       // tells it from the others
}

// followed returns where the entry at is in a new list: at itself if it is not there, -1 beyond the list.
func followed(old, list []entry, at int) int {
	if at < 0 || at >= len(old) {
		return -1
	}
	was := &old[at]
	same := func(e entry) bool { return e.example == was.example && e.record == was.record && e.name == was.name }
	if at < len(list) && same(list[at]) {
		return at
	}
	if i := slices.IndexFunc(list, same); i >= 0 {
		return i
	}
	if at >= len(list) {
		return -1
	}
	return at
}

// entry makes an entry of the lines that draw adds.
func (b *builder) entry(e entry, draw func()) {
	e.from = len(b.lines)
	draw()
	if e.to = len(b.lines); e.to > e.from {
		b.entries = append(b.entries, e)
	}
}

const (
	maxEvidence = 300 // evidence that is read
	maxFacts    = 50  // evidence that is listed of one field
	maxProbed   = 100 // addresses and probes that are listed
	maxFactRows = 6   // rows of an evidence or of the answer of an address
)

// fields are the fields of evidence in the order of their lists. Others follow.
var fields = []string{"dialect", "binding", "endpoint", "tenant", "streaming"}

// inUse returns the value of a field that Parley uses, empty if it uses none: to an agent to which
// nothing can be sent it speaks in no way.
func inUse(p *a2a.Profile, field string) string {
	if p.Problem != "" && field != "streaming" {
		return ""
	}
	switch field {
	case "dialect":
		return p.Dialect.Number()
	case "binding":
		return p.Binding.String()
	case "endpoint":
		return p.Endpoint
	case "tenant":
		return p.Tenant
	case "streaming":
		if p.Streaming {
			return "yes"
		}
		return "no"
	}
	return ""
}

// words returns the value of an evidence as it is shown.
func words(e *a2a.Evidence) string {
	switch e.Field {
	case "dialect":
		return cmp.Or(a2a.DialectName(e.Value).Number(), "unknown")
	case "binding":
		return a2a.Binding(e.Value).String()
	}
	return e.Value
}

// decided reports whether the values of a field exclude each other.
func decided(field string) bool { return slices.Contains(fields, field) }

// byField returns the evidence by field: in each, first what is in use, the surest first, and then
// what contradicts it. A value in use that nothing proves has an evidence without a reason.
func byField(p *a2a.Profile) [][]a2a.Evidence {
	names := slices.Clone(fields)
	of := map[string][]a2a.Evidence{}
	for _, e := range p.Evidence[:min(len(p.Evidence), maxEvidence)] {
		if of[e.Field] == nil && !decided(e.Field) {
			names = append(names, e.Field)
		}
		of[e.Field] = append(of[e.Field], e)
	}
	var out [][]a2a.Evidence
	for _, name := range names {
		now, list := inUse(p, name), of[name]
		used := func(e *a2a.Evidence) bool { return words(e) == now }
		slices.SortStableFunc(list, func(x, y a2a.Evidence) int {
			if used(&x) != used(&y) {
				return map[bool]int{true: -1, false: 1}[used(&x)]
			}
			return cmp.Compare(y.Confidence, x.Confidence)
		})
		if decided(name) && now != "" && name != "streaming" && (len(list) == 0 || !used(&list[0])) {
			value := map[string]string{"dialect": string(p.Dialect), "binding": string(p.Binding)}[name]
			list = slices.Insert(list, 0, a2a.Evidence{Field: name, Value: cmp.Or(value, now), Confidence: a2a.Certain})
		}
		if len(list) > 0 {
			out = append(out, list)
		}
	}
	return out
}

// evidence lists why Parley speaks to the agent as it does.
func (b *builder) evidence(p *a2a.Profile) {
	if len(p.Evidence) == 0 {
		return
	}
	b.section("How Parley knows this")
	for _, list := range byField(p) {
		label := list[0].Field
		for i := range list {
			if i == maxFacts {
				b.painted("", "and "+units.Count(len(list)-i)+" more", b.st.Faint)
				break
			}
			b.fact(label, &list[i], inUse(p, list[i].Field))
			label = ""
		}
	}
}

// fact is the entry of one evidence.
func (b *builder) fact(label string, e *a2a.Evidence, now string) {
	text, paint := words(e), b.st.Text
	if decided(e.Field) && e.Value != "" && text != now {
		text, paint = text+", not in use", b.st.Dim
	}
	if e.Confidence == a2a.Pinned {
		paint = b.st.Accent
	}
	text += ": " + cmp.Or(e.Reason, "nothing in this session says why") + certainty(e)
	b.entry(entry{record: e.Record, why: unproven(e), name: label + text}, func() { b.inRows(label, text, paint) })
}

// inRows shows a label and a value from the network in a few rows.
func (b *builder) inRows(label, value string, paint styles.Paint) {
	const most = 2 << 10 // bytes; the rows seldom have room for as many
	clean := func(s string) string {
		return canvas.SanitizeLine(strings.ToValidUTF8(s[:min(len(s), most)], ""))
	}
	l := canvas.Label{Text: clean(label), W: labelWidth, Paint: b.st.Faint}
	value = clean(value)
	for _, row := range canvas.WrapLabeledIn(maxFactRows, l, value, b.w, paint, b.st.G[styles.Ellipsis]) {
		b.row(row)
	}
}

// certainty adds how certain an evidence is, and the record that proves it.
func certainty(e *a2a.Evidence) string {
	var out []string
	if word := map[a2a.Confidence]string{a2a.Guess: "a guess", a2a.Likely: "likely", a2a.Pinned: "pinned"}[e.Confidence]; word != "" && decided(e.Field) {
		out = append(out, word)
	}
	if e.Record == 0 {
		out = append(out, "no record")
	}
	text := ""
	if len(out) > 0 {
		text = " (" + strings.Join(out, ", ") + ")"
	}
	return text + inRecord(e.Record)
}

// unproven says why no record proves an evidence, empty if one does.
func unproven(e *a2a.Evidence) string {
	switch {
	case e.Record != 0:
		return ""
	case e.Confidence == a2a.Pinned:
		return "You pinned that, so no record proves it."
	case e.Confidence == a2a.Guess && decided(e.Field):
		return "That is a guess of Parley: no record proves it."
	}
	return "No record of this session proves that."
}

// inRecord names the record that proves something.
func inRecord(id a2a.RecordID) string {
	if id == 0 {
		return ""
	}
	return " #" + strconv.FormatUint(uint64(id), 10)
}

// attempts lists the addresses that were tried for the card, and the answers to probes.
func (b *builder) attempts(list []a2a.Lookup) {
	if len(list) == 0 {
		return
	}
	b.section("Addresses tried for the card")
	for i := range list {
		if i == maxProbed {
			b.painted("", "and "+units.Count(len(list)-i)+" more", b.st.Faint)
			break
		}
		at := &list[i]
		e := entry{record: at.Record, name: at.Probe + at.URL}
		if at.Record == 0 {
			e.why = "Parley sent no request there."
		}
		b.entry(e, func() { b.lookup(at) })
	}
}

// lookup shows one address, and what was there.
func (b *builder) lookup(at *a2a.Lookup) {
	label, where, paint := b.st.G[styles.Failed]+" not found", at.URL, b.st.Dim
	switch {
	case at.Probe != "":
		label, where = "probe", at.Probe+" at "+at.URL
	case at.Sentence == "":
		label, paint = b.st.G[styles.Done]+" found", b.st.Text
	}
	b.inRows(label, where+inRecord(at.Record), paint)
	if at.Sentence != "" {
		b.inRows("", strings.TrimPrefix(at.Sentence, at.URL+" "), b.st.Faint)
	}
}
