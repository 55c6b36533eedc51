package records

import (
	"bytes"
	"fmt"

	"parley/a2a"
	"parley/session/log"
)

// responseSize returns the size of an exchange's response body, and whether all of it was
// recorded.
func responseSize(records *log.Log, x a2a.ExchangeID) (size int, whole bool) {
	whole = true
	all := records.Scan()
	for _, id := range records.Exchange(x) {
		if it := all.At(id); it.Record.Kind != a2a.KindRequest {
			size += len(it.Record.Raw)
			whole = whole && it.Record.Omitted == 0
		}
	}
	return size, whole
}

// responseBody returns an exchange's response body, byte for byte.
func responseBody(records *log.Log, x a2a.ExchangeID) string {
	var b bytes.Buffer
	all := records.Scan()
	for _, id := range records.Exchange(x) {
		if it := all.At(id); it.Record.Kind != a2a.KindRequest {
			b.Write(it.Record.Raw)
		}
	}
	return b.String()
}

// rawRequest returns a request as HTTP text: with the head that was sent, if that is known.
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
		for name, i := range h.Fields() {
			fmt.Fprintf(&b, "%s: %s\r\n", name, h.Header[name][i])
		}
		b.WriteString("\r\n")
	}
	b.Write(r.Raw)
	return b.String()
}
