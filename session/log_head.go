package session

import "parley/a2a"

// SentHead returns the head of an exchange's request as it was written, empty if that is
// not known: nothing answered yet, it was HTTP/2, or an old recording does not say.
func (l *Log) SentHead(x a2a.ExchangeID) a2a.HeadBytes {
	const first = 16 // records of an exchange among which its head is
	ids := l.Exchange(x)
	for _, id := range ids[:min(len(ids), first)] {
		if r := &l.At(id).Record; r.Kind == a2a.KindHead && r.Head != nil && r.Head.Sent != "" {
			return r.Head.Sent
		}
	}
	if end := l.ended(x); end != nil {
		return end.Sent
	}
	return ""
}

// Trailer returns the fields that came after the body of an exchange's response, nil if
// there are none.
func (l *Log) Trailer(x a2a.ExchangeID) *a2a.Head {
	if end := l.ended(x); end != nil {
		return end.Trailer
	}
	return nil
}

// ended returns the end of an exchange, nil while there is none.
func (l *Log) ended(x a2a.ExchangeID) *a2a.End {
	ids := l.Exchange(x)
	if len(ids) == 0 {
		return nil
	}
	return l.At(ids[len(ids)-1]).Record.End
}
