package composer

import "slices"

// A history walks through what was sent or cleared. The text that was being written when
// the walk began is its newest end.
type history struct {
	sent []string // oldest first
	at   int      // where the walk stands; len(sent) is the draft
	// draft is what was being written when the walk left it.
	draft string
}

func newHistory(sent []string) history {
	return history{sent: slices.Clip(sent), at: len(sent)}
}

// add puts text at the end, once.
func (h *history) add(text string) {
	if len(h.sent) == 0 || h.sent[len(h.sent)-1] != text {
		h.sent = append(h.sent, text)
	}
	h.at, h.draft = len(h.sent), ""
}

// previous returns the text before the one that stands now.
func (h *history) previous(current string) (string, bool) {
	if h.at == 0 {
		return "", false
	}
	if h.at == len(h.sent) {
		h.draft = current
	}
	h.at--
	return h.sent[h.at], true
}

// next returns the text after the one that stands now, the draft at last.
func (h *history) next(string) (string, bool) {
	if h.at >= len(h.sent) {
		return "", false
	}
	h.at++
	if h.at == len(h.sent) {
		return h.draft, true
	}
	return h.sent[h.at], true
}
