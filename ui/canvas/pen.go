package canvas

import "strings"

// penLimit limits what a pen carries from line to line, so that wrapping text that switches on
// attributes without end does not cost its square.
const penLimit = 256

// A pen tracks what the escape sequences of a line have switched on.
type pen struct {
	sgr  string // the SGR sequences since the last reset
	link string // the OSC 8 sequence of the open link
}

// read applies one escape sequence.
func (p *pen) read(seq string) {
	switch _, kind := escape(seq); kind {
	case escapeSGR:
		switch {
		case sgrIsReset(seq):
			p.sgr = ""
		case len(seq) > penLimit:
		case len(p.sgr)+len(seq) > penLimit:
			p.sgr = seq
		default:
			p.sgr += seq
		}
	case escapeLink:
		p.link = seq
		if linkCloses(seq) {
			p.link = ""
		}
	}
}

func (p *pen) closed() bool { return p.sgr == "" && p.link == "" }

// on returns the prefix that a line needs to continue as the pen left off.
func (p *pen) on() string { return p.link + p.sgr }

// off returns the suffix that a line needs to leave nothing switched on.
func (p *pen) off() string {
	out := ""
	if p.sgr != "" {
		out = reset
	}
	if p.link != "" {
		out += "\x1b]8;;\x1b\\"
	}
	return out
}

// linkCloses reports whether an OSC 8 sequence has no address.
func linkCloses(seq string) bool {
	_, rest, _ := strings.Cut(seq, "8;")
	_, address, ok := strings.Cut(rest, ";")
	return !ok || address == "" || address[0] == '\a' || address[0] == esc || address[0] == 0xc2
}
