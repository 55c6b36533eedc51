package terminal

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
	"time"
)

// The marks around a paste (bracketed paste mode of xterm).
const (
	pasteStart = "\x1b[200~"
	pasteEnd   = "\x1b[201~"
)

const (
	// pastePatience is how long to wait for more of an open paste before its first part is
	// sent.
	pastePatience = 2 * time.Second
	// aKey is the size of a key press in bytes, at most. After a pause in a paste so few bytes
	// are a key: the end of the paste was lost.
	aKey = 8
	// interrupt is ctrl+c, which counts in a paste too if it comes alone.
	interrupt = "\x03"
)

// pastes takes the pastes out of a terminal's input.
type pastes struct {
	open     bool   // a paste is incomplete
	markRead int    // how many bytes of the start mark were read last
	buffer   []byte // the bytes of the open paste
	stalled  bool   // no bytes arrived for a while
	texts    map[string]string
	last     int // the number of the last paste
}

// feed returns a piece of input with each paste replaced by its number.
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
		from := max(0, len(p.buffer)-len(pasteEnd)+1) // the mark may have begun in an earlier piece
		p.buffer, p.stalled = append(p.buffer, piece...), false
		i := bytes.Index(p.buffer[from:], []byte(pasteEnd))
		if i < 0 {
			return out
		}
		rest := slices.Clone(p.buffer[from+i+len(pasteEnd):])
		p.buffer = p.buffer[:from+i]
		out, piece = p.close(out), rest
	}
	return out
}

// keys returns how many bytes of a piece come before a paste, including its start mark. It does
// not hold bytes back, since an escape key begins like the mark.
func (p *pastes) keys(piece []byte) int {
	for i, b := range piece {
		switch {
		case b == pasteStart[p.markRead]:
			p.markRead++
		case b == pasteStart[0]:
			p.markRead = 1
		default:
			p.markRead = 0
		}
		if p.markRead == len(pasteStart) {
			p.markRead, p.open = 0, true
			return i + 1
		}
	}
	return len(piece)
}

// broken reports whether a piece shows that the end of the open paste will not come.
func (p *pastes) broken(piece []byte) bool {
	if strings.Trim(string(piece), interrupt) == "" { // the user presses it again if nothing happens
		return true
	}
	return p.stalled && len(piece) <= aKey && !bytes.Contains(piece, []byte(pasteEnd))
}

// close ends the open paste, and appends its number and the end mark to out.
func (p *pastes) close(out []byte) []byte {
	if len(p.buffer) > 0 {
		if p.texts == nil {
			p.texts = map[string]string{}
		}
		p.last++
		number := strconv.Itoa(p.last)
		p.texts[number] = string(p.buffer)
		out = append(out, number...)
	}
	p.open, p.stalled, p.buffer = false, false, nil
	return append(out, pasteEnd...)
}

// stall returns the bytes of an open paste that stopped.
func (p *pastes) stall() string {
	if !p.open {
		return ""
	}
	text := string(p.buffer)
	p.buffer, p.stalled = nil, true
	return text
}

// take returns the paste with a number, once.
func (p *pastes) take(number string) (string, bool) {
	text, ok := p.texts[number]
	delete(p.texts, number)
	return text, ok
}
