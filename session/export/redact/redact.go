// Package redact masks what the user's patterns match in records, before they are decoded,
// so that no format can contain it. It masks in values of JSON whatever their escapes, also
// in base64, in numbers, in heads, addresses and notes, and where the chunks of a stream
// divide it.
package redact

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"parley/a2a"
	"parley/internal/visible"
)

// Patterns are regular expressions for what is masked. They belong to one export.
type Patterns struct {
	all    []*regexp.Regexp
	pieces map[a2a.RecordID][]piece
}

// Compile reads patterns. The error is a sentence about the first that is wrong.
func Compile(patterns []string) (*Patterns, error) {
	p := &Patterns{}
	for _, text := range patterns {
		re, err := regexp.Compile(text)
		switch {
		case err != nil:
			return nil, fmt.Errorf("the pattern %q to redact is no regular expression: %s", visible.Line(text), visible.Line(err.Error()))
		case re.MatchString(""):
			return nil, fmt.Errorf("the pattern %q to redact matches the empty text, and so everything: make it match at least one character", visible.Line(text))
		}
		p.all = append(p.all, re)
	}
	return p, nil
}

// Empty reports whether there is nothing to mask.
func (p *Patterns) Empty() bool { return p == nil || len(p.all) == 0 }

// Record masks what the patterns match in a record. What the record shares with others is
// copied, except for the call of a request, which all records of its exchange share.
func (p *Patterns) Record(r *a2a.Record) {
	before := len(r.Redactions)
	p.body(r)
	if r.Head != nil {
		r.Head = p.head(r, r.Head)
	}
	if r.SSE != nil {
		fields := *r.SSE
		fields.ID, fields.Event, fields.Retry = p.Text(fields.ID), p.Text(fields.Event), p.Text(fields.Retry)
		r.SSE = &fields
	}
	if r.End != nil {
		end := *r.End
		end.Sentence, end.Detail = p.Text(end.Sentence), p.Text(end.Detail)
		end.Sent, end.Earlier = p.wire(end.Sent), p.wire(end.Earlier)
		if end.Trailer != nil {
			end.Trailer = p.head(r, end.Trailer)
		}
		r.End = &end
	}
	if r.Note != nil {
		note := a2a.Note{Type: r.Note.Type, Attrs: maps.Clone(r.Note.Attrs)}
		for name, value := range note.Attrs {
			note.Attrs[name] = p.attr(value)
		}
		r.Note = &note
	}
	if r.Call != nil && r.Exchange == r.ID {
		p.call(r.Call)
	}
	r.Redactions = p.credentials(r.Redactions)
	if r.Coding != nil && len(r.Redactions) > before {
		coding := *r.Coding
		coding.Bytes, coding.LossReason = nil, "they would reveal what was masked"
		r.Coding = &coding
	}
}

// call masks what a call says of its subject.
func (p *Patterns) call(c *a2a.Call) {
	c.Endpoint, c.URI = p.address(c.Endpoint), p.address(c.URI)
	c.TaskID, c.ContextID, c.PushID = p.Text(c.TaskID), p.Text(c.ContextID), p.Text(c.PushID)
	if c.Delivery != nil {
		facts := *c.Delivery
		facts.Signed, facts.Remote = p.Text(facts.Signed), p.Text(facts.Remote)
		c.Delivery = &facts
	}
	if c.Tapped != nil {
		tapped := *c.Tapped
		tapped.Tap, tapped.Client, tapped.From = p.Text(tapped.Tap), p.Text(tapped.Client), p.Text(tapped.From)
		c.Tapped = &tapped
	}
}

// credentials returns redactions in which the claims of tokens have masks.
func (p *Patterns) credentials(gone []a2a.Redaction) []a2a.Redaction {
	gone = slices.Clone(gone)
	for i := range gone {
		if gone[i].Credential == nil || gone[i].Credential.Token == nil {
			continue
		}
		credential, token := *gone[i].Credential, *gone[i].Credential.Token
		token.Issuer, token.Audience = p.address(token.Issuer), slices.Clone(token.Audience)
		for j := range token.Audience {
			token.Audience[j] = p.address(token.Audience[j])
		}
		credential.Token = &token
		gone[i].Credential = &credential
	}
	return gone
}

// attr masks an attribute of a note, which may be JSON.
func (p *Patterns) attr(value string) string {
	if raw := []byte(value); len(raw) > 0 && (raw[0] == '{' || raw[0] == '[') && json.Valid(raw) {
		masked, _ := p.bytes(raw, false, nil)
		return string(masked)
	}
	return p.address(value)
}

// head returns a head with masks, which the redactions of its record list.
func (p *Patterns) head(r *a2a.Record, h *a2a.Head) *a2a.Head {
	masked := *h
	if masked.URL = p.address(h.URL); masked.URL != h.URL {
		gone := strings.Count(masked.URL, a2a.Mask) - strings.Count(h.URL, a2a.Mask)
		for range max(gone, 0) {
			r.Redactions = append(r.Redactions, a2a.Redaction{Name: "in the URL"})
		}
	}
	masked.Header = http.Header{}
	for name, values := range h.Header {
		for _, value := range values {
			shown := p.address(value)
			if shown != value {
				r.Redactions = append(r.Redactions, a2a.Redaction{Name: "header " + name, Size: len(value)})
			}
			masked.Header[name] = append(masked.Header[name], shown)
		}
	}
	if h.Header == nil {
		masked.Header = nil
	}
	masked.Wire, masked.Sent, masked.Earlier = p.wire(h.Wire), p.wire(h.Sent), p.wire(h.Earlier)
	return &masked
}

// wire masks the bytes of a head, line by line.
func (p *Patterns) wire(b a2a.HeadBytes) a2a.HeadBytes {
	if b == "" {
		return b
	}
	var out strings.Builder
	for line := range strings.Lines(string(b)) {
		text := strings.TrimRight(line, "\r\n")
		words := strings.Split(text, " ") // the target of a request line may have escapes
		for i := range words {
			words[i] = p.address(words[i])
		}
		out.WriteString(p.Text(strings.Join(words, " ")) + line[len(text):])
	}
	return a2a.HeadBytes(out.String())
}

// Text masks what the patterns match in a text.
func (p *Patterns) Text(s string) string {
	for _, re := range p.all {
		s = re.ReplaceAllLiteralString(s, a2a.Mask)
	}
	return s
}

// address masks a text that may be a URL: also what matches when its escapes are decoded.
func (p *Patterns) address(s string) string {
	if s = p.Text(s); !strings.ContainsAny(s, "%+") {
		return s
	}
	const separators = "/?&=#;,"
	var out strings.Builder
	for rest := s; rest != ""; {
		n := strings.IndexAny(rest, separators)
		end := n + 1
		if n < 0 {
			n, end = len(rest), len(rest)
		}
		word := rest[:n]
		for _, decode := range []func(string) (string, error){url.QueryUnescape, url.PathUnescape} {
			if plain, err := decode(word); err == nil && p.matches(plain) {
				word = a2a.Mask
			}
		}
		out.WriteString(word + rest[n:end])
		rest = rest[end:]
	}
	return out.String()
}

func (p *Patterns) matches(s string) bool {
	for _, re := range p.all {
		if re.MatchString(s) {
			return true
		}
	}
	return false
}
