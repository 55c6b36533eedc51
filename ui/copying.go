package ui

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strconv"

	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/a2a/curl"
	"parley/internal/units"
	"parley/session/log"
	"parley/ui/menu"
)

// copied makes the text that an item of the copy menu stands for.
type copied func() string

// copyMenu offers what can be copied of the exchange that a record belongs to.
func (m *Model) copyMenu(of *log.Item) tea.Cmd {
	it := m.requestOf(of)
	if it == nil {
		return m.say("This record belongs to no request: select one that does.", true)
	}
	m.openMenu("copy", "#"+strconv.FormatUint(uint64(it.Record.ID), 10), m.copyItems(it))
	return nil
}

func (m *Model) copyItems(it *log.Item) []menu.Item {
	r := &it.Record
	size, kept := m.answered(r.Exchange)
	line := menu.Item{Key: "c", Name: "curl", Note: "for a shell; secrets are variables", Value: copied(func() string { return curl.Command(r, m.state.Log.SentHead(r.Exchange)) })}
	body := menu.Item{Key: "j", Name: "request body", Note: units.Bytes(int64(len(r.Raw))), Value: copied(func() string { return string(r.Raw) })}
	switch {
	case len(r.Raw) == 0:
		body.Why = "this request has no body"
	case r.Call != nil && r.Call.Binding == a2a.BindingJSONRPC:
		body.Name = "JSON-RPC request"
	}
	raw := menu.Item{Key: "r", Name: "raw request", Note: "as HTTP has it, secrets masked", Value: copied(func() string { return rawRequest(r, m.state.Log.SentHead(r.Exchange)) })}
	answer := menu.Item{Key: "b", Name: "response body", Note: units.Bytes(int64(size)), Value: copied(func() string { return m.answer(r.Exchange) })}
	switch {
	case !kept:
		answer.Why = "it is too large: not all of it was kept"
	case size == 0:
		answer.Why = "nothing came yet"
	}
	if r.Head == nil || r.Head.Method == "READ" {
		line.Why = "this was no HTTP request"
	}
	tooLarge(&line, len(r.Raw))
	tooLarge(&body, len(r.Raw))
	tooLarge(&raw, len(r.Raw))
	tooLarge(&answer, size)
	return []menu.Item{line, body, raw, answer}
}

// tooLarge refuses an item whose text no terminal would take.
func tooLarge(it *menu.Item, size int) {
	if it.Why == "" && size > maxClipboard {
		it.Why = units.Bytes(int64(size)) + " are too large for a terminal's clipboard: w saves them to a file"
	}
}

const (
	// maxClipboard is the size beyond which no terminal takes a text.
	maxClipboard = 16 << 20
	// sureClipboard is the size up to which tmux, which takes less than others, does.
	sureClipboard = 700 << 10
)

// answered returns how large the body of an exchange's answer is, and whether all of it
// was kept.
func (m *Model) answered(x a2a.ExchangeID) (size int, kept bool) {
	kept = true
	all := m.state.Log.Scan()
	for _, id := range m.state.Log.Exchange(x) {
		if it := all.At(id); it.Record.Kind != a2a.KindRequest {
			size += len(it.Record.Raw)
			kept = kept && it.Record.Omitted == 0
		}
	}
	return size, kept
}

// answer is the body of an exchange's answer, byte for byte.
func (m *Model) answer(x a2a.ExchangeID) string {
	var b bytes.Buffer
	all := m.state.Log.Scan()
	for _, id := range m.state.Log.Exchange(x) {
		if it := all.At(id); it.Record.Kind != a2a.KindRequest {
			b.Write(it.Record.Raw)
		}
	}
	return b.String()
}

// rawRequest is a request as HTTP has it: with the head that was sent, if that is known.
func rawRequest(r *a2a.Record, sent a2a.HeadBytes) string {
	var b bytes.Buffer
	if h := r.Head; sent != "" {
		b.WriteString(string(sent))
	} else if h != nil {
		proto := h.Proto
		if proto == "" {
			proto = "HTTP/1.1"
		}
		fmt.Fprintf(&b, "%s %s %s\r\n", h.Method, h.URL, proto)
		for _, name := range slices.Sorted(maps.Keys(h.Header)) {
			for _, value := range h.Header[name] {
				fmt.Fprintf(&b, "%s: %s\r\n", name, value)
			}
		}
		b.WriteString("\r\n")
	}
	b.Write(r.Raw)
	return b.String()
}
