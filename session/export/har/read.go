package har

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"

	"parley/a2a"
	"parley/a2a/sse"
	"parley/session/journal"
)

// A Summary says what an import found.
type Summary struct {
	Exchanges int // that are A2A
	Others    int // entries that are not, or whose binding HAR does not hold
	Records   int
}

// Import reads an archive and writes its exchanges of A2A as a session file, with secrets masked.
// It writes nothing if there are none. The error is a sentence unless it is that of w.
func Import(r io.Reader, w io.Writer) (Summary, error) {
	entries, err := read(r)
	if err != nil {
		return Summary{}, err
	}
	s := newSession(entries)
	for i := range entries {
		s.add(&entries[i])
	}
	sum := Summary{Exchanges: s.exchanges, Others: len(entries) - s.exchanges}
	if s.exchanges == 0 {
		return sum, fmt.Errorf("the archive contains no exchange of A2A: no entry, of %d, is a card or calls a method of A2A", len(entries))
	}
	sum.Records, err = s.write(w)
	return sum, err
}

// errNoArchive says what is wrong with a file.
var errNoArchive = errors.New("it is not an HTTP archive (HAR): it has no log with entries")

// read returns the entries of an archive, by their time.
func read(r io.Reader) ([]entry, error) {
	dec := json.NewDecoder(r)
	var entries []entry
	found := false
	err := members(dec, func(name string) error {
		if name != "log" {
			return skip(dec)
		}
		return members(dec, func(name string) error {
			if name != "entries" {
				return skip(dec)
			}
			found = true
			if _, err := dec.Token(); err != nil { // the bracket
				return err
			}
			for dec.More() {
				var raw json.RawMessage
				if err := dec.Decode(&raw); err != nil {
					return err
				}
				var e entry
				if json.Unmarshal(raw, &e) != nil || e.Response == nil {
					e = entry{} // it is counted, and is not A2A
				}
				entries = append(entries, e)
			}
			_, err := dec.Token()
			return err
		})
	})
	switch {
	case err != nil && len(entries) > 0:
		return nil, fmt.Errorf("the archive breaks after entry %d: its JSON is incomplete or wrong", len(entries))
	case err != nil || !found:
		return nil, errNoArchive
	}
	slices.SortStableFunc(entries, func(x, y entry) int { return x.Started.Compare(y.Started) })
	return entries, nil
}

// members calls visit at the value of each member of an object.
func members(dec *json.Decoder, visit func(name string) error) error {
	if t, err := dec.Token(); err != nil || t != json.Delim('{') {
		return cmp.Or(err, errNoArchive)
	}
	for dec.More() {
		name, err := dec.Token()
		if err != nil {
			return err
		}
		if err := visit(fmt.Sprint(name)); err != nil {
			return err
		}
	}
	_, err := dec.Token()
	return err
}

// skip reads over a value.
func skip(dec *json.Decoder) error {
	var raw json.RawMessage
	return dec.Decode(&raw)
}

// body returns the bytes of an answer.
func (c *content) body() []byte {
	if c.Encoding == "base64" {
		if b, err := base64.StdEncoding.DecodeString(c.Text); err == nil {
			return b
		}
	}
	return []byte(c.Text)
}

// body returns the bytes of a request.
func (r *request) body() []byte {
	switch {
	case r.Post == nil:
		return nil
	case r.Post.Encoding == "base64":
		if b, err := base64.StdEncoding.DecodeString(r.Post.Text); err == nil {
			return b
		}
	}
	return []byte(r.Post.Text)
}

// header returns fields as net/http has them. Those of HTTP/2 that are no fields are left out.
func header(fields []pair) http.Header {
	h := http.Header{}
	for _, f := range fields {
		if f.Name != "" && !strings.HasPrefix(f.Name, ":") {
			h.Add(f.Name, f.Value)
		}
	}
	return h
}

// at returns a time so many milliseconds after the start.
func (e *entry) at(ms float64) time.Time {
	return e.Started.UTC().Add(time.Duration(min(max(ms, 0), 1e12) * float64(time.Millisecond)))
}

// records returns the records of an exchange. The last one ends it.
func (e *entry) records(call *a2a.Call) []a2a.Record {
	out := []a2a.Record{{Kind: a2a.KindRequest, Dir: a2a.Out, Time: e.at(0), Call: call, Raw: e.Request.body(),
		Head: &a2a.Head{Method: e.Request.Method, URL: e.Request.URL, Proto: proper(e.Request.Version), Header: header(e.Request.Headers)}}}
	r := e.Response
	answered := max(e.Timings.Blocked, 0) + max(e.Timings.DNS, 0) + max(e.Timings.Connect, 0) + max(e.Timings.Send, 0) + max(e.Timings.Wait, 0)
	over := e.at(max(e.Time, answered))
	if r.Status != 0 {
		out = append(out, a2a.Record{Kind: a2a.KindHead, Dir: a2a.In, Time: e.at(answered), Head: &a2a.Head{Status: r.Status, Proto: proper(r.Version), Header: header(r.Headers)}})
	}
	body, tail := r.Content.body(), []byte(nil)
	if e.streams() {
		var events []a2a.Record
		events, tail = e.frames(body, over)
		out = append(out, events...)
	} else if len(body) > 0 {
		out = append(out, a2a.Record{Kind: a2a.KindBody, Dir: a2a.In, Time: over, Raw: body})
	}
	return append(out, a2a.Record{Kind: a2a.KindEnd, Dir: a2a.In, Time: over, Raw: tail, Torn: len(tail) > 0, End: e.end()})
}

// streams reports whether the answer is an event stream.
func (e *entry) streams() bool {
	media := e.Response.Content.MediaType
	if media == "" {
		media = header(e.Response.Headers).Get("Content-Type")
	}
	return strings.HasPrefix(strings.ToLower(strings.TrimSpace(media)), "text/event-stream")
}

// proper returns the version of HTTP as net/http writes it.
func proper(version string) string {
	switch strings.ToLower(version) {
	case "h2", "http/2", "http/2.0":
		return "HTTP/2.0"
	case "h3", "http/3", "http/3.0":
		return "HTTP/3.0"
	case "http/1.0":
		return "HTTP/1.0"
	}
	return "HTTP/1.1"
}

// frames divides the body of a stream into events, with the times that Parley wrote; without them
// all have that of the end, because other programs do not note any.
func (e *entry) frames(body []byte, over time.Time) (events []a2a.Record, tail []byte) {
	dec := sse.NewDecoder(bytes.NewReader(body))
	for {
		f, err := dec.Next()
		if err != nil || f.Torn {
			if err == nil {
				tail = f.Raw
			}
			return events, tail
		}
		r := a2a.Record{Kind: a2a.KindEvent, Dir: a2a.In, Time: over, Raw: bytes.Clone(f.Raw), Data: bytes.Clone(f.Data), SSE: &a2a.SSEFields{ID: f.ID, Event: f.Event, Retry: f.Retry, LateLF: f.LateLF}}
		if i := len(events); i < len(e.Events) {
			r.Time = e.at(e.Events[i].Time)
		}
		events = append(events, r)
	}
}

// end returns the end of an exchange.
func (e *entry) end() *a2a.End {
	switch {
	case e.End != nil:
		end := &a2a.End{Reason: e.End.Reason, Class: e.End.Class, Sentence: e.End.Sentence}
		if len(e.End.Trailer) > 0 {
			end.Trailer = &a2a.Head{Header: header(e.End.Trailer)}
		}
		return end
	case e.Response.Status == 0:
		return &a2a.End{Reason: a2a.Cut, Class: a2a.ClassUnrecorded, Sentence: strings.TrimSpace("The archive contains no answer. " + e.Error)}
	default:
		return &a2a.End{Reason: a2a.Ended}
	}
}

// write numbers the records in the order of their times and writes them.
func (s *session) write(w io.Writer) (int, error) {
	slices.SortStableFunc(s.drafts, func(x, y *draft) int { return x.Time.Compare(y.Time) })
	out, err := journal.NewWriter(w, s.drafts[0].Time)
	if err != nil {
		return 0, err
	}
	mask := a2a.NewRecordMasker(nil)
	for i, d := range s.drafts {
		d.ID = a2a.RecordID(i + 1)
		if d.request != nil {
			d.Exchange = d.request.ID
		}
		s.refer(d)
		mask.Mask(&d.Record)
		if err := out.Write(&d.Record); err != nil {
			return 0, err
		}
	}
	return len(s.drafts), nil
}
