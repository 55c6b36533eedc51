package log

import "parley/a2a"

// RequestURL returns the URL of an exchange's request, in which secrets are masked; empty if it is not known.
func (l *Log) RequestURL(x a2a.ExchangeID) string {
	if it := l.At(x); it != nil && it.Record.Kind == a2a.KindRequest && it.Record.Head != nil {
		return it.Record.Head.URL
	}
	return ""
}

// SentHead returns the head of an exchange's request as it was written, empty if that is not
// known: nothing answered yet, it was HTTP/2, or an old recording lacks it.
func (l *Log) SentHead(x a2a.ExchangeID) a2a.HeadBytes {
	sent, _ := l.SentHeads(x)
	return sent
}

// SentHeads returns the same head, and the head as it was written before on a connection that
// turned out to be closed, empty if that did not happen.
func (l *Log) SentHeads(x a2a.ExchangeID) (sent, earlier a2a.HeadBytes) {
	const first = 16 // first records of an exchange, which contain its head
	ids := l.Exchange(x)
	for _, id := range ids[:min(len(ids), first)] {
		if r := &l.At(id).Record; r.Kind == a2a.KindHead && r.Head != nil && r.Head.Sent != "" {
			return r.Head.Sent, r.Head.Earlier
		}
	}
	if end := l.ended(x); end != nil {
		return end.Sent, end.Earlier
	}
	return "", ""
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
