package cli

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"parley/a2a"
	"parley/session/log"
)

// A wirePrinter prints records as they come: a line that describes each, and indented below it
// head and body. Secrets are masked before recording, so it cannot show them.
type wirePrinter struct{ w io.Writer }

func (p *wirePrinter) item(it *log.Item) {
	if it.Signal != nil {
		return
	}
	r := &it.Record
	var b bytes.Buffer
	fmt.Fprintf(&b, "#%d %s %s %s\n", r.ID, r.Time.Format("15:04:05.000"), arrow(r.Dir), line(log.Describe(it)))
	if h := r.Head; h != nil {
		printHead(&b, h)
	}
	for l := range strings.Lines(clean(string(r.Raw))) {
		fmt.Fprintf(&b, "    %s\n", strings.TrimSuffix(l, "\n"))
	}
	if e := r.End; e != nil {
		if e.Trailer != nil {
			for _, l := range e.Trailer.Wire.Trailer() {
				fmt.Fprintf(&b, "    %s: %s\n", line(l.Name), line(l.Value))
			}
		}
		for _, s := range []string{e.Sentence, e.Detail} {
			if s != "" {
				fmt.Fprintf(&b, "    %s\n", line(s))
			}
		}
	}
	_, _ = p.w.Write(b.Bytes()) // there is no other place to report it
}

// printHead prints a head as it crossed the wire, as far as it is known.
func printHead(b *bytes.Buffer, h *a2a.Head) {
	if h.Wire != "" {
		for l := range strings.Lines(strings.TrimRight(string(h.Wire), "\r\n")) {
			fmt.Fprintf(b, "    %s\n", line(strings.TrimRight(l, "\r\n")))
		}
		return
	}
	if h.Method != "" {
		fmt.Fprintf(b, "    %s %s\n", line(h.Method), line(h.URL))
	} else {
		fmt.Fprintf(b, "    %s %d\n", line(h.Proto), h.Status)
	}
	for name, i := range h.Fields() {
		fmt.Fprintf(b, "    %s: %s\n", line(name), line(h.Header[name][i]))
	}
	if h.Rebuilt != "" {
		fmt.Fprintf(b, "    (%s)\n", h.Rebuilt)
	}
}

// line prints something that is not a record.
func (p *wirePrinter) line(s string) { _, _ = io.WriteString(p.w, "   "+line(s)+"\n") }

func arrow(d a2a.Direction) string {
	switch d {
	case a2a.Out:
		return "->"
	case a2a.In:
		return "<-"
	default:
		return "--"
	}
}
