package a2a

import (
	"cmp"
	"encoding/base64"
	"errors"
	"net/url"
	"strings"

	"parley/a2a/jsontok"
)

// Bytes decodes the inline content of a part. It reads standard and URL-safe base64 with and
// without padding, and line breaks inside. Parts of other kinds, and content that is not
// base64, give an error that is a sentence.
func (p *Part) Bytes() ([]byte, error) {
	switch {
	case p.Content != nil:
		return p.Content, nil
	case p.Kind != PartBytes:
		return nil, errors.New("this part has no bytes")
	}
	content, ok := decodeBase64(p.Encoded)
	if !ok {
		return nil, errors.New("the content is not base64; the agent may have left a placeholder in it")
	}
	if p.DoubleEncoded {
		if again, ok := unwrapBase64(content); ok {
			return again, nil
		}
	}
	return content, nil
}

// Head decodes the first n bytes of the content, or all of a shorter one. Its cost does not
// depend on the rest. Its errors are those of [Part.Bytes].
func (p *Part) Head(n int) ([]byte, error) {
	const group = 16 // letters that stand for whole bytes, even where base64 is wrapped in base64
	letters := (n/group + 2) * 2 * group
	if p.Content != nil || p.Kind != PartBytes || len(p.Encoded) <= 2*letters {
		content, err := p.Bytes()
		return content[:min(n, len(content))], err
	}
	// Line breaks do not count.
	text := strings.NewReplacer("\r", "", "\n", "").Replace(p.Encoded[:2*letters])
	head := Part{Kind: PartBytes, Encoded: text[:len(text)/group*group], DoubleEncoded: p.DoubleEncoded}
	content, err := head.Bytes()
	return content[:min(n, len(content))], err
}

// Size returns the size of the inline content in bytes without decoding it, 0 for
// parts of other kinds. It is exact for base64 without line breaks.
func (p *Part) Size() int64 {
	if p.Content != nil {
		return int64(len(p.Content))
	}
	size := sizeOfBase64(int64(len(p.Encoded)), strings.HasSuffix(p.Encoded, "=="), strings.HasSuffix(p.Encoded, "="))
	if p.DoubleEncoded {
		// The padding of the outer text determines that of the inner one.
		inner, _ := decodeBase64(p.Encoded[max(0, len(p.Encoded)-4):])
		end := string(inner)
		size = sizeOfBase64(size, strings.HasSuffix(end, "=="), strings.HasSuffix(end, "="))
	}
	return size
}

// PayloadSize returns the size of what a part carries: of its text, its bytes or its data. It is
// 0 for an address.
func (p *Part) PayloadSize() int64 {
	switch p.Kind {
	case PartText:
		return int64(len(p.Text))
	case PartBytes:
		return p.Size()
	case PartData:
		return int64(len(p.Data))
	default:
		return 0
	}
}

func sizeOfBase64(length int64, two, one bool) int64 {
	switch {
	case two:
		length -= 2
	case one:
		length--
	}
	return length * 3 / 4
}

// decodeBase64 takes the four variants of base64 that are seen on the wire.
func decodeBase64(s string) ([]byte, bool) {
	s = strings.TrimRight(s, "=\r\n ")
	enc := base64.RawStdEncoding
	if strings.ContainsAny(s, "-_") {
		enc = base64.RawURLEncoding
	}
	content, err := enc.DecodeString(s) // which skips line breaks
	return content, err == nil
}

// unwrapBase64 decodes content that is clean base64 text itself.
func unwrapBase64(content []byte) ([]byte, bool) {
	if len(content) == 0 || len(content)%4 != 0 {
		return nil, false
	}
	inner, err := base64.StdEncoding.Strict().DecodeString(string(content))
	return inner, err == nil
}

// checkBase64 notes what is wrong with inline content by its letters alone; [Part.Bytes]
// decides.
func (d *decoder) checkBase64(n jsontok.Node, s string) {
	bare := strings.TrimRight(s, "=")
	urlSafe := false
	for i := 0; i < len(bare); i++ {
		switch base64Letters[bare[i]] {
		case letterNone:
			d.note("PART-007", Error, n, "The content is not base64", "Send the bytes as standard base64")
			return
		case letterURLSafe:
			urlSafe = true
		}
	}
	switch {
	case len(bare)%4 == 1 && !strings.ContainsAny(bare, "\r\n"):
		d.note("PART-007", Error, n, "The content is incomplete: base64 cannot have this length", "Send the bytes as standard base64")
	case urlSafe:
		d.note("PART-007", Info, n, "The content is URL-safe base64", "Send the bytes as standard base64")
	case len(s)%4 != 0 && !strings.ContainsAny(bare, "\r\n"):
		d.note("PART-007", Info, n, "The base64 content is not padded", "Send the bytes as standard base64")
	}
}

// inline checks the content of a part of bytes. Some agents write a data URL (RFC 2397) in
// place of the base64: its bytes become those of the part, and so does its type if the part has
// none.
func (d *decoder) inline(n jsontok.Node, p *Part) {
	const scheme = "data:"
	start := p.Encoded[:min(len(p.Encoded), maxDataHead)]
	comma := strings.IndexByte(start, ',')
	if comma < len(scheme) || !strings.EqualFold(start[:len(scheme)], scheme) {
		d.checkBase64(n, p.Encoded)
		return
	}
	about, content := start[len(scheme):comma], p.Encoded[comma+1:]
	d.note("PART-007", Error, n, "The content is a data URL; Parley uses its bytes", "Send the bytes as standard base64")
	media, encoded := strings.CutSuffix(about, ";base64")
	if !encoded {
		if plain, err := url.PathUnescape(content); err == nil {
			content = plain
		}
		content = base64.StdEncoding.EncodeToString([]byte(content))
	} else if plain, err := url.PathUnescape(content); err == nil {
		content = plain // a URL may have its + and / escaped
	}
	p.Encoded = content
	p.MediaType = cmp.Or(p.MediaType, media)
}

// maxDataHead is the longest beginning of a data URL that is looked at, up to its comma.
const maxDataHead = 256

// The kinds of byte that base64 can have.
const (
	letterNone uint8 = iota
	letterStandard
	letterURLSafe
)

// base64Letters says for each byte what it is in base64.
var base64Letters = func() (t [256]uint8) {
	for _, c := range []byte("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/\r\n") {
		t[c] = letterStandard
	}
	t['-'], t['_'] = letterURLSafe, letterURLSafe
	return t
}()
