package log

import (
	"slices"

	"parley/a2a"
)

// A HeadChange is a field of a request's head that went to the agent otherwise than its client sent
// it to the tap.
type HeadChange struct {
	Name    string // as the client wrote it, or as it arrived if the client did not send it
	Sent    string // by the client, empty if Added
	Arrived string // at the agent, empty if Dropped
	Added   bool
	Dropped bool
}

// Forwarded compares the head that a client sent to a tap with the one that went to the agent. It is
// false if the exchange did not pass through a tap, or if one of the heads is not known: over
// HTTP/2, heads have no bytes.
func (l *Log) Forwarded(x a2a.ExchangeID) ([]HeadChange, bool) {
	it := l.At(x)
	if it == nil || it.Record.Call == nil || it.Record.Call.Tapped == nil || it.Record.Head == nil {
		return nil, false
	}
	sent, arrived := finalHead(it.Record.Head.Wire), finalHead(l.SentHead(x))
	if sent == nil || arrived == nil {
		return nil, false
	}
	return headChanges(sent, arrived), true
}

// finalHead returns the lines of the last head in bytes, nil if there is none.
func finalHead(b a2a.HeadBytes) []a2a.HeadLine {
	heads := b.Heads()
	if len(heads) == 0 {
		return nil
	}
	return heads[len(heads)-1]
}

// headChanges compares two heads. The first line of each is its start line. Fields of one name are
// compared in their order.
func headChanges(sent, arrived []a2a.HeadLine) (all []HeadChange) {
	if sent[0].Value != arrived[0].Value {
		all = append(all, HeadChange{Sent: sent[0].Value, Arrived: arrived[0].Value})
	}
	rest := slices.Clone(arrived[1:])
	for _, s := range sent[1:] {
		i := slices.IndexFunc(rest, func(a a2a.HeadLine) bool { return a.Key == s.Key })
		if i < 0 {
			all = append(all, HeadChange{Name: s.Name, Sent: s.Value, Dropped: true})
			continue
		}
		if rest[i].Value != s.Value {
			all = append(all, HeadChange{Name: s.Name, Sent: s.Value, Arrived: rest[i].Value})
		}
		rest = slices.Delete(rest, i, i+1)
	}
	for _, a := range rest {
		all = append(all, HeadChange{Name: a.Name, Arrived: a.Value, Added: true})
	}
	return all
}
