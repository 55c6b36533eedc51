package filter

import (
	"fmt"
	"strings"
	"testing"

	"parley/internal/golden"
)

// The manual of the filter is written from the table of fields: run this test with
// -update after it changed.
func TestTheManualNamesEveryField(t *testing.T) { golden.File(t, "../../docs/filter.md", manual()) }

func manual() string {
	var b strings.Builder
	b.WriteString("# What the wire pane lists\n\nGenerated from the table of fields; `go test ./session/filter -run Manual -update` writes it anew.\n\n")
	b.WriteString("`/` in the wire pane opens the filter; what is written takes effect as it is written. A wrong filter is marked at its place " +
		"and changes nothing. `tab` completes, `up` and `down` choose, `up` on an empty line brings earlier filters back, `enter` keeps the filter, `esc` clears it. " +
		"The finder (`ctrl+p`, `wire`) has the ones that are asked for most.\n\n")
	b.WriteString("A word lists the records that have it in their bytes, their head or the words of their row, in any case, and also where JSON escapes its letters. " +
		"`\"Two words\"` in quotation marks are looked for as they are, `/regular expressions/` (RE2) between slashes, in any case too. " +
		"What stands side by side must all hold; `or`, `not` and brackets do what they say. " +
		"A list behind a field, `kind:task,status`, means any of them; a value with spaces wants quotation marks, and a pattern may stand in its place.\n\n")
	b.WriteString("| Field | Lists | Wants |\n|---|---|---|\n")
	for i := range fields {
		f := &fields[i]
		if f.compile == nil {
			fmt.Fprintf(&b, "| `%s` | %s | |\n", f.form(), f.note)
			continue
		}
		form := f.form()
		if f.is && f.equals {
			form += "`, `" + f.name + "="
		}
		if f.flag != nil {
			form = f.name + "`, `" + form
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", form, f.note, f.wants)
	}
	b.WriteString("\n`:` looks for a part of a name, `=` for the whole. Sizes, times and statuses are compared with `>`, `>=`, `<`, `<=` and `=`.\n\n")
	for _, name := range []string{"kind", "end"} {
		fmt.Fprintf(&b, "## %s\n\n| Word | What it means |\n|---|---|\n", name)
		for _, c := range fieldNamed(name).choices {
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
	b.WriteString(". A state is found in every spelling of every dialect; an agent's own word wants quotation marks, as it stood on the wire.\n\n## Examples\n\n| Filter | Lists |\n|---|---|\n")
	for _, e := range examples {
		fmt.Fprintf(&b, "| `%s` | %s |\n", e[0], e[1])
	}
	return b.String()
}

var examples = [...][2]string{
	{`error or finding:E`, "what went wrong, on the wire or by the rules"},
	{`end:cut`, "streams and answers that broke off in the middle"},
	{`gap>=2s kind:event`, "events that came after two seconds of nothing"},
	{`state:other`, "states that no dialect defines"},
	{`task:91c2 not kind:artifact`, "what names a task, without the pieces of its artifacts"},
	{`method:send dir:out since:5m`, "messages that were sent in the five minutes before the newest record"},
	{`agent:"Travel Desk" (status>=400 or kind:error)`, "refusals of one agent"},
	{`artifact:itinerary /sk ?\d{3}/`, "pieces of an artifact with a flight number in them"},
	{`kind:delivery not error`, "what agents delivered to webhooks, without what was turned away"},
	{`size>100k dir:in`, "what is large"},
}

func TestTheExamplesOfTheManualAreRight(t *testing.T) {
	for _, e := range examples {
		if _, err := Parse(e[0]); err != nil {
			t.Errorf("%s: %v", e[0], err)
		}
	}
}
