package findings

import (
	"cmp"
	"strconv"
	"strings"

	"parley/session/log"
)

// reportAll returns the reports of all listed rules that are not muted.
func (p *Pane) reportAll() string {
	var parts []string
	for _, c := range p.rules {
		if !c.Muted {
			parts = append(parts, p.report(c))
		}
	}
	return strings.Join(parts, "\n")
}

// report returns a text about a rule and every record that has findings of it.
func (p *Pane) report(c *log.RuleCount) string {
	about := p.about(c.Rule)
	var b strings.Builder
	b.WriteString(c.Rule + " " + c.Worst().String() + ": " + c.First.Message + "\n")
	for _, line := range [][2]string{
		{"rule", about.Checks}, {"section", about.Section}, {"remedy", cmp.Or(about.Fix, c.First.Fix)},
	} {
		if line[1] != "" {
			b.WriteString("  " + line[0] + ": " + line[1] + "\n")
		}
	}
	all := p.log.Scan()
	for _, id := range c.Records {
		b.WriteString("  #" + strconv.FormatUint(uint64(id), 10))
		if it := all.At(id); it != nil {
			b.WriteString(" " + log.Describe(it))
			if f, n := first(it, c.Rule); n > 0 && place(f) != "" {
				b.WriteString(" at " + place(f))
			}
		}
		b.WriteString("\n")
	}
	return b.String()
}
