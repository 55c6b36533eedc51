package a2a

import (
	"cmp"
	"encoding/base64"
	"strconv"
	"strings"

	"parley/a2a/jsontok"
)

// secretAnswer names a masked text that the user marked as secret.
const secretAnswer = "secret answer"

// A seeker finds the secrets of a user in one JSON body.
type seeker struct {
	secrets *knownSecrets
	own     bool // the body is the request that sends a secret message
	doc     jsontok.Doc
	spans   []span
	texts   []passage
	key     string // of the artifact that the body is about
}

// A passage is the text of a string in the body, and its position.
type passage struct {
	text []byte
	at   []int // offset in the body of each byte, and of the closing quote
}

// A spot is the position of a value in a body.
type spot struct {
	name    string // of the nearest member
	message bool   // in a message that is a secret
	parts   bool   // in the parts of such a message, or in its metadata
	data    bool   // below data or metadata, whose content the agent defines
}

// spansIn returns the spans to mask in a body. Echo, which may be nil, knows the texts of
// earlier frames.
func (k *knownSecrets) spansIn(body []byte, own bool, echo *echo) []span {
	if k.none() && !own {
		return nil
	}
	s := seeker{secrets: cmp.Or(k, &knownSecrets{}), own: own}
	doc := &s.doc
	if err := doc.Parse(body); err != nil {
		s.spans = s.secrets.plain(body, true, secretAnswer) // it is broken, or not JSON at all
	}
	s.visit(doc.Root(), spot{})
	s.join(echo)
	return s.spans
}

func (s *seeker) mask(off, end int, as string) {
	s.spans = append(s.spans, span{off: off, end: end, name: secretAnswer, as: as, private: true})
}

func (s *seeker) visit(n jsontok.Node, at spot) {
	switch n.Kind() {
	case jsontok.Object:
		s.object(n, at)
	case jsontok.Array:
		for e := range n.Elems() {
			s.visit(e, at)
		}
	case jsontok.String:
		s.text(n, at)
	case jsontok.Number:
		if number := []byte(n.Number()); at.parts && at.data || s.is(number, at.data) {
			s.mask(n.Offset(), n.End(), strconv.Quote(Mask)) // JSON stays JSON
		}
	}
}

func (s *seeker) object(n jsontok.Node, at spot) {
	at.message = at.message || s.secrets.messages[n.GetAny("messageId", "message_id").Text()]
	for name, value := range n.Members() {
		in := at
		in.name = name
		switch name {
		case "message":
			in.message = at.message || s.own && !at.data
		case "parts", "content":
			in.parts = at.message
		case "data", "metadata":
			in.data = true
			in.parts = at.parts || at.message && name == "metadata"
		case "artifactId", "artifact_id", "index":
			if s.key == "" {
				s.key = string(value.Raw())
			}
		}
		if key := readPassage(s.doc.Node(value.Index() - 1)); len(key.text) > 0 {
			s.secrets.find(key.text, false, nil, func(from, to int) { s.mask(key.at[from], key.at[to], "") })
		}
		s.visit(value, in)
	}
}

// is reports whether a number is a secret, or contains a long one.
func (s *seeker) is(number []byte, data bool) (found bool) {
	s.secrets.find(number, data, nil, func(int, int) { found = true })
	return found
}

// text checks one string.
func (s *seeker) text(n jsontok.Node, at spot) {
	t := readPassage(n)
	if len(t.text) == 0 {
		return
	}
	from, to := t.at[0], t.at[len(t.text)]
	switch at.name {
	case "bytes", "raw", "fileWithBytes", "file_with_bytes":
		if at.parts || s.inFile(t.text) {
			s.mask(from, to, base64.StdEncoding.EncodeToString([]byte(Mask)))
		}
		return
	case "text", "uri", "url", "fileWithUri", "file_with_uri", "filename", "name":
		if at.parts {
			s.mask(from, to, "")
			return
		}
	}
	if at.parts && at.data {
		s.mask(from, to, "")
		return
	}
	s.secrets.find(t.text, at.data || !structural(at.name), nil, func(from, to int) { s.mask(t.at[from], t.at[to], "") })
	if at.name == "text" {
		s.texts = append(s.texts, t)
	}
}

// inFile reports whether a file holds a secret.
func (s *seeker) inFile(encoded []byte) (found bool) {
	p := Part{Kind: PartBytes, Encoded: string(encoded), DoubleEncoded: true}
	if content, err := p.Bytes(); err == nil {
		s.secrets.find(content, true, nil, func(int, int) { found = true })
	}
	return found
}

// structural reports whether a member of that name holds words of the protocol, which a short
// secret may equal by chance.
func structural(name string) bool {
	low := strings.ToLower(strings.ReplaceAll(name, "_", ""))
	switch low {
	case "kind", "type", "role", "state", "method", "jsonrpc", "timestamp", "mimetype", "mediatype", "url", "uri", "version",
		"protocolversion", "@type", "etag":
		return true
	}
	return strings.HasSuffix(low, "id") || strings.HasSuffix(low, "ids")
}

// readPassage reads a string or a name. A string that the end of the body cuts has no closing
// quote.
func readPassage(n jsontok.Node) passage {
	raw := n.Raw()
	if n.Kind() != jsontok.String || len(raw) < 2 {
		return passage{}
	}
	off := n.Offset() + 1
	if raw = raw[1:]; raw[len(raw)-1] == '"' {
		raw = raw[:len(raw)-1]
	}
	t := passage{text: make([]byte, 0, len(raw)), at: make([]int, 0, len(raw)+1)}
	for i := 0; i < len(raw); {
		r, size := readEscape(raw[i:])
		before := len(t.text)
		t.text = appendEscaped(t.text, raw[i], r, size)
		for range len(t.text) - before {
			t.at = append(t.at, off+i)
		}
		i += size
	}
	t.at = append(t.at, off+len(raw))
	return t
}

// leaves returns the texts and numbers in a JSON value.
func leaves(data []byte) []string {
	var all []string
	var doc jsontok.Doc
	_ = doc.Parse(data)
	var visit func(n jsontok.Node)
	visit = func(n jsontok.Node) {
		switch n.Kind() {
		case jsontok.Object:
			for _, v := range n.Members() {
				visit(v)
			}
		case jsontok.Array:
			for v := range n.Elems() {
				visit(v)
			}
		case jsontok.String:
			all = append(all, n.Text())
		case jsontok.Number:
			all = append(all, n.Number())
		}
	}
	visit(doc.Root())
	return all
}
