package terminal

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A terminal puts these around a paste (bracketed paste mode of xterm).
const (
	pasteStart = "\x1b[200~"
	pasteEnd   = "\x1b[201~"
)

const (
	// pastePatience is how long nothing may come of a paste before what there is of it
	// is handed on.
	pastePatience = 2 * time.Second
	// aKey is how many bytes a key press has at most. After a pause in a paste such a
	// piece is one: the end of the paste got lost.
	aKey = 8
	// interrupt is ctrl+c, which is heard in a paste too when nothing else comes with it.
	interrupt = "\x03"
)

// pastes takes the pastes out of a terminal's input.
type pastes struct {
	open    bool   // a paste has begun and not ended
	begun   int    // how many bytes of the mark that begins one came last
	held    []byte // of the paste that is open
	stalled bool   // it has not gone on for long
	kept    map[string]string
	last    int // number of the paste that was kept last
}

// feed returns what is to be read instead of a piece of input: the same but for pastes,
// which are numbers.
func (p *pastes) feed(piece []byte) []byte {
	var out []byte
	for len(piece) > 0 {
		if !p.open {
			n := p.keys(piece)
			out, piece = append(out, piece[:n]...), piece[n:]
			continue
		}
		if p.broken(piece) {
			out = append(p.close(out), piece...)
			return out
		}
		from := max(0, len(p.held)-len(pasteEnd)+1) // the mark may have begun before
		p.held, p.stalled = append(p.held, piece...), false
		i := bytes.Index(p.held[from:], []byte(pasteEnd))
		if i < 0 {
			return out
		}
		rest := slices.Clone(p.held[from+i+len(pasteEnd):])
		p.held = p.held[:from+i]
		out, piece = p.close(out), rest
	}
	return out
}

// keys returns how much of a piece comes before a paste, with the mark that begins it.
// Nothing is held back, since it may be the escape key that begins like the mark.
func (p *pastes) keys(piece []byte) int {
	for i, b := range piece {
		switch {
		case b == pasteStart[p.begun]:
			p.begun++
		case b == pasteStart[0]:
			p.begun = 1
		default:
			p.begun = 0
		}
		if p.begun == len(pasteStart) {
			p.begun, p.open = 0, true
			return i + 1
		}
	}
	return len(piece)
}

// broken reports whether a piece shows that the end of the open paste will not come.
func (p *pastes) broken(piece []byte) bool {
	if strings.Trim(string(piece), interrupt) == "" { // pressed more than once if nothing came of it
		return true
	}
	return p.stalled && len(piece) <= aKey && !bytes.Contains(piece, []byte(pasteEnd))
}

// close ends the paste that is open: its number and the mark are to be read.
func (p *pastes) close(out []byte) []byte {
	if len(p.held) > 0 {
		if p.kept == nil {
			p.kept = map[string]string{}
		}
		p.last++
		number := strconv.Itoa(p.last)
		p.kept[number] = string(p.held)
		out = append(out, number...)
	}
	p.open, p.stalled, p.held = false, false, nil
	return append(out, pasteEnd...)
}

// stall returns what there is of a paste that does not go on.
func (p *pastes) stall() string {
	if !p.open {
		return ""
	}
	text := string(p.held)
	p.held, p.stalled = nil, true
	return text
}

// take returns the paste of a number, once.
func (p *pastes) take(number string) (string, bool) {
	text, ok := p.kept[number]
	delete(p.kept, number)
	return text, ok
}
