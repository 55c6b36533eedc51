package filter

import (
	"fmt"
	"strings"
	"testing"

	"parley/internal/golden"
)

// The filter's manual is written from the table of fields: run this test with -update after a
// change.
func TestTheManualNamesEveryField(t *testing.T) { golden.File(t, "../../docs/filter.md", manual()) }

func manual() string {
	var b strings.Builder
	b.WriteString("# The filter of the wire\n\nGenerated from the table of fields; `go test ./session/filter -run Manual -update` writes it.\n\n")
	b.WriteString("`/` in the wire pane opens the filter, which applies while you type. An invalid filter changes nothing; its error is marked. " +
		"`tab` completes, `up` and `down` select, `up` on an empty line recalls earlier filters, `enter` keeps the filter, `esc` clears it. " +
		"The finder (`ctrl+p`, `wire`) has common filters.\n\n")
	b.WriteString("A word lists the records that contain it in their bytes, their head or the text of their row, in any case, and also where JSON escapes its letters. " +
		"`#144` is the record of that number, to which `enter` leads. `\"Two words\"` in quotation marks match as they are; `/regular expressions/` (RE2) are between slashes, in any case too. " +
		"A record must match all terms; combine terms with `or`, `not` and brackets. " +
		"A list behind a field, `kind:task,status`, matches any value in the list; put a value with spaces in quotation marks; a pattern can replace a value.\n\n")
	b.WriteString("| Field | Lists | Value |\n|---|---|---|\n")
	for i := range fields {
		f := &fields[i]
		if f.compile == nil {
			fmt.Fprintf(&b, "| `%s` | %s | |\n", f.form(), f.note)
			continue
		}
		form := f.form()
		if f.is && f.equals && f.words == nil {
			form += "`, `" + f.name + "="
		}
		for _, w := range f.words {
			form += "`, `" + f.name + ":" + w.word
		}
		if f.flag != nil {
			form = f.name + "`, `" + form
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", form, f.note, f.wants)
	}
	b.WriteString("\n`:` matches a part of a name, `=` the whole name. Sizes, times and statuses are compared with `>`, `>=`, `<`, `<=` and `=`.\n\n")
	for _, name := range []string{"kind", "end"} {
		fmt.Fprintf(&b, "## %s\n\n| Word | What it means |\n|---|---|\n", name)
		for _, c := range findField(name).choices {
			fmt.Fprintf(&b, "| `%s` | %s |\n", c.word, c.note)
		}
		b.WriteString("\n")
	}
	b.WriteString("## state\n\n")
	for i, c := range states {
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "`%s`", c.word)
		if c.note != "" {
			fmt.Fprintf(&b, " (%s)", c.note)
		}
	}
	b.WriteString(". A state matches its spellings in every dialect; put a word that an agent made up in quotation marks, as it is on the wire.\n\n## Examples\n\n| Filter | Lists |\n|---|---|\n")
	for _, e := range examples {
		fmt.Fprintf(&b, "| `%s` | %s |\n", e[0], e[1])
	}
	return b.String()
}

var examples = [...][2]string{
	{`error or finding:E`, "failures, and records with an error of the rules"},
	{`end:cut`, "streams and answers that were cut"},
	{`gap>=2s kind:event`, "events that came after two seconds of nothing"},
	{`gap:max`, "the event after the longest gap of each stream, also that of the cut before it; a stream with one event has no other"},
	{`state:other`, "states that no dialect defines"},
	{`task:91c2 not kind:artifact`, "records about a task, without its artifact chunks"},
	{`method:send dir:out since:5m`, "messages that were sent in the five minutes before the newest record"},
	{`since:+12.5s until:+14s`, "what crossed the wire in a second and a half, as the lanes select it"},
	{`agent:"Travel Desk" (status>=400 or kind:error)`, "refusals of one agent"},
	{`artifact:itinerary /sk ?\d{3}/`, "chunks of an artifact with a flight number"},
	{`kind:delivery not error`, "deliveries to webhooks, without the rejected ones"},
	{`size>100k dir:in`, "large records from agents"},
}

func TestTheExamplesOfTheManualAreRight(t *testing.T) {
	for _, e := range examples {
		if _, err := Parse(e[0]); err != nil {
			t.Errorf("%s: %v", e[0], err)
		}
	}
}
