package a2a

import (
	"bytes"
	"slices"
	"strings"

	"parley/a2a/patterns"
)

// leastPiece is how many bytes at the end of a text are masked because they begin a credential
// that may continue in the next chunk. Fewer prove nothing: they stay readable, also in the
// record, which is saved before the next chunk is known.
const leastPiece = 4

// A joiner follows the texts of a stream for credentials that chunks divide. It keeps the end
// of each artifact's text that may begin a credential: never more than the longest spelling of
// one.
type joiner struct {
	ends map[string][]byte // by artifact
	text []byte            // of the current body, after what was kept; reused
	from []int             // offsets in text of its pieces; reused
	raw  [][2]int          // their positions in the body; reused
}

// pieces appends the positions of parts of a credential that several texts of a body contain
// together. With the joiner of a stream, the texts of earlier bodies count too, and what may
// continue in the next body is masked.
func (d *secretFinder) pieces(spans []span, body []byte, j *joiner) []span {
	if d == nil || d.values == 0 {
		return spans
	}
	alone := j == nil
	if alone {
		if bytes.Count(body, textMember) < 2 {
			return spans
		}
		j = &joiner{}
	}
	j.read(body)
	if len(j.raw) == 0 {
		return spans
	}
	var key []byte
	before := 0
	if len(j.ends) > 0 {
		key = artifactKey(body)
		before = len(j.ends[string(key)])
	}
	j.join(body, j.ends[string(key)])
	if before > 0 || len(j.raw) > 1 {
		d.match.Find(j.text, func(pattern, from int) {
			if pattern < d.values {
				spans = j.hide(spans, body, from, from+d.match.Length(pattern))
			}
		})
		d.spelled.Find(j.text, func(from, to int) { spans = j.hide(spans, body, from, to) })
	}
	if alone {
		return spans
	}
	n := d.startLength(j.text)
	if n >= leastPiece {
		spans = j.hide(spans, body, len(j.text)-n, len(j.text))
	}
	spelled, characters := d.spelled.Begun(j.text)
	if characters >= leastPiece {
		spans = j.hide(spans, body, len(j.text)-spelled, len(j.text))
	}
	if n = max(n, spelled); n > 0 || before > 0 {
		j.keep(artifactKey(body), j.text[len(j.text)-n:])
	}
	return spans
}

// torn appends the end of a body if it begins a credential: the body may have been cut there.
func (d *secretFinder) torn(spans []span, body []byte) []span {
	if d == nil {
		return spans
	}
	if n := d.startLength(body); n >= leastPiece {
		spans = append(spans, span{off: len(body) - n, end: len(body), name: "in the body"})
	}
	return spans
}

var textMember = []byte(`"text"`)

// read finds the texts in a body: the strings of members with that name. It does not parse the
// body, which may be incomplete.
func (j *joiner) read(body []byte) {
	j.raw = j.raw[:0]
	for at := 0; ; {
		i := bytes.Index(body[at:], textMember)
		if i < 0 {
			return
		}
		name := at + i
		at = name + len(textMember)
		colon := skipSpace(body, at)
		if name > 0 && body[name-1] == '\\' || colon >= len(body) || body[colon] != ':' {
			continue
		}
		from := skipSpace(body, colon+1)
		if from >= len(body) || body[from] != '"' {
			continue
		}
		from++
		at = from + closingQuote(body[from:], `"`)
		j.raw = append(j.raw, [2]int{from, at})
	}
}

// join concatenates the texts of a body, after the saved end of an earlier one.
func (j *joiner) join(body, before []byte) {
	j.text = append(j.text[:0], before...)
	j.from = j.from[:0]
	for _, r := range j.raw {
		j.from = append(j.from, len(j.text))
		for raw := body[r[0]:r[1]]; len(raw) > 0; {
			plain := bytes.IndexByte(raw, '\\')
			if plain < 0 {
				plain = len(raw)
			}
			j.text = append(j.text, raw[:plain]...)
			if raw = raw[plain:]; len(raw) > 0 {
				c, size := readEscape(raw)
				j.text = appendEscaped(j.text, raw[0], c, size)
				raw = raw[size:]
			}
		}
	}
}

// hide appends the positions in the body of a stretch of the joined text.
func (j *joiner) hide(spans []span, body []byte, from, to int) []span {
	for i, start := range j.from {
		end := len(j.text)
		if i+1 < len(j.from) {
			end = j.from[i+1]
		}
		a, b := max(from, start), min(to, end)
		if a >= b {
			continue
		}
		off := j.raw[i][0]
		at := offsets(body[off:j.raw[i][1]], []int{a - start, b - start})
		spans = append(spans, span{off: off + at[a-start], end: off + at[b-start], name: "in the body"})
	}
	return spans
}

// keep saves the end of an artifact's text. Most artifacts have none, which costs nothing.
func (j *joiner) keep(key, end []byte) {
	if len(end) == 0 {
		delete(j.ends, string(key))
		return
	}
	if j.ends == nil || len(j.ends) >= maxEchoes {
		j.ends = map[string][]byte{}
	}
	j.ends[string(key)] = append(j.ends[string(key)][:0], end...)
}

// artifactKey returns the name of the artifact in a body, nil without one.
func artifactKey(body []byte) []byte {
	for _, name := range [...]string{`"artifactId"`, `"artifact_id"`, `"index"`} {
		i := bytes.Index(body, []byte(name))
		if i < 0 {
			continue
		}
		rest := body[i+len(name):]
		return rest[:max(0, bytes.IndexAny(rest, ",}"))]
	}
	return nil
}

// startLength returns how many bytes at the end of a text begin a credential, in any of its
// spellings, without completing it.
func (d *secretFinder) startLength(text []byte) int {
	for i := max(0, len(text)-d.longest+1); i < len(text); i++ {
		if d.firsts[text[i]] && patterns.Begun(d.starts, text[i:]) {
			return len(text) - i
		}
	}
	return 0
}

// startsOf returns, in order, the spellings that may begin a credential at the end of a text.
// Those that begin with the name of a scheme and a space, in any spelling, are not among them:
// the token after the space is, and agents often write "Bearer".
func startsOf(patterns []string) []string {
	return slices.DeleteFunc(slices.Clone(patterns), func(p string) bool {
		end := 0
		for end < len(p) && inWordByte(p[end]) {
			end++
		}
		if !authScheme(p[:end]) {
			return false
		}
		for _, space := range [...]string{" ", "+", "%20", `\u0020`} {
			if token, ok := strings.CutPrefix(p[end:], space); ok {
				return len(token) >= shortestSecret
			}
		}
		return false
	})
}
