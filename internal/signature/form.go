package signature

import (
	"bytes"
	"encoding/json"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"

	"github.com/gowebpki/jcs"
)

// A form is a way to make the bytes that are signed of a card.
type form struct {
	name    string // an adverbial for "signed this card …"; empty for the form of the specification
	payload func(card map[string]any) ([]byte, error)
}

// forms returns the forms of a card to try, first the one that the specification defines. Before
// 1.0, which a card without supportedInterfaces is, the specification defines none; there, RFC
// 8785 of the card as it was received is the one.
func forms(card map[string]any) []form {
	received := form{"as it was sent, with its default values", func(card map[string]any) ([]byte, error) { return canonical(card) }}
	normal := form{"", func(card map[string]any) ([]byte, error) { return canonical(cardMessage().normal(card)) }}
	others := []form{
		{"as the JavaScript SDK does, without empty and unknown members", sdkForm(canonical)},
		{"as the JavaScript SDK does, without its security schemes: they are not protected", sdkForm(withoutSchemes)},
		{"as the Python SDK does, without empty and unknown members and with escaped text", sdkForm(pythonJSON)},
		{"without its empty members", func(card map[string]any) ([]byte, error) { return canonical(withoutEmpty(card)) }},
		{"as the Python SDK of A2A 0.3 does, without empty, false and default members", func(card map[string]any) ([]byte, error) {
			return pythonJSON(withoutFalse(withoutDefaults03(card)))
		}},
	}
	if _, ok := card["supportedInterfaces"]; ok {
		return append([]form{normal, received}, others...)
	}
	received.name = ""
	normal.name = "in the form of A2A 1.0"
	return append([]form{received, normal}, others...)
}

// canonical writes a value as RFC 8785 says.
func canonical(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return jcs.Transform(b.Bytes())
}

// normal returns a message without the fields that the canonical form omits. Members that the
// message does not define stay: they have no default value.
func (m message) normal(node map[string]any) map[string]any {
	out := make(map[string]any, len(node))
	for name, v := range node {
		f, known := m[name]
		if known && v == nil { // in protocol buffers' JSON, null is a field that is not set
			continue
		}
		if v = f.normal(v); known && !f.keeps && isDefault(v) {
			continue
		}
		out[name] = v
	}
	return out
}

// normal normalizes the messages in the value of a field.
func (f field) normal(v any) any { return f.each(v, message.normal) }

// each applies a function to the messages in a value of the field.
func (f field) each(v any, do func(message, map[string]any) map[string]any) any {
	if f.of == nil {
		return v
	}
	switch v := v.(type) {
	case []any:
		out := make([]any, len(v))
		for i, e := range v {
			if out[i] = e; isObject(e) {
				out[i] = do(f.of, e.(map[string]any))
			}
		}
		return out
	case map[string]any:
		if !f.isMap {
			return do(f.of, v)
		}
		out := make(map[string]any, len(v))
		for name, e := range v {
			if out[name] = e; isObject(e) {
				out[name] = do(f.of, e.(map[string]any))
			}
		}
		return out
	}
	return v
}

func isObject(v any) bool {
	_, ok := v.(map[string]any)
	return ok
}

// isDefault reports whether v is the default value of its kind in protocol buffers. An empty
// object is the default of a map only; a message that is present has presence.
func isDefault(v any) bool {
	switch v := v.(type) {
	case string:
		return v == ""
	case bool:
		return !v
	case float64:
		return v == 0
	case []any:
		return len(v) == 0
	}
	return v == nil
}

// sdkForm is the form of the SDKs of 1.0: they read the card into the generated types, which
// drops unknown members and defaults, write it again, and remove everything that is empty.
func sdkForm(write func(any) ([]byte, error)) func(map[string]any) ([]byte, error) {
	return func(card map[string]any) ([]byte, error) {
		return write(withoutEmpty(cardMessage().normal(cardMessage().known(card))))
	}
}

// withoutSchemes writes a card without its security schemes. The JavaScript SDK 1.3 loses them
// when it signs or verifies a card that it has read.
func withoutSchemes(v any) ([]byte, error) {
	card, ok := v.(map[string]any)
	if !ok {
		return canonical(v)
	}
	rest := maps.Clone(card)
	delete(rest, "securitySchemes")
	return canonical(rest)
}

// known returns a message without the members that it does not define.
func (m message) known(node map[string]any) map[string]any {
	out := map[string]any{}
	for name, v := range node {
		if f, ok := m[name]; ok {
			out[name] = f.each(v, message.known)
		}
	}
	return out
}

// withoutEmpty removes empty texts, lists and objects, and null, at any depth.
func withoutEmpty(v any) any {
	return filtered(v, func(v any) bool { return v == nil || v == "" })
}

// withoutFalse removes what counts as false in Python as well: false and zero inside objects
// and lists.
func withoutFalse(v any) any {
	return filtered(v, func(v any) bool { return isDefault(v) })
}

// filtered removes the values that drop accepts and the containers that are empty then.
func filtered(v any, drop func(any) bool) any {
	var keep any
	switch v := v.(type) {
	case map[string]any:
		out := map[string]any{}
		for name, e := range v {
			if e = filtered(e, drop); e != nil {
				out[name] = e
			}
		}
		if len(out) > 0 {
			keep = out
		}
	case []any:
		var out []any
		for _, e := range v {
			if e = filtered(e, drop); e != nil {
				out = append(out, e)
			}
		}
		if len(out) > 0 {
			keep = out
		}
	default:
		if !drop(v) {
			keep = v
		}
	}
	return keep
}

// withoutDefaults03 removes the members of a 0.3 card that have the default value of the
// Python SDK's model.
func withoutDefaults03(card map[string]any) map[string]any {
	out := maps.Clone(card)
	for name, value := range map[string]string{"protocolVersion": "0.3.0", "preferredTransport": "JSONRPC"} {
		if out[name] == value {
			delete(out, name)
		}
	}
	return out
}

// pythonJSON writes a value as Python's json.dumps does with sorted keys and without spaces:
// only ASCII, and keys in the order of their code points.
func pythonJSON(v any) ([]byte, error) {
	var b strings.Builder
	writePython(&b, v)
	return []byte(b.String()), nil
}

func writePython(b *strings.Builder, v any) {
	switch v := v.(type) {
	case map[string]any:
		b.WriteByte('{')
		for i, name := range sortedNames(v) {
			if i > 0 {
				b.WriteByte(',')
			}
			writeASCII(b, name)
			b.WriteByte(':')
			writePython(b, v[name])
		}
		b.WriteByte('}')
	case []any:
		b.WriteByte('[')
		for i, e := range v {
			if i > 0 {
				b.WriteByte(',')
			}
			writePython(b, e)
		}
		b.WriteByte(']')
	case string:
		writeASCII(b, v)
	case float64:
		b.WriteString(pythonNumber(v))
	default:
		text, _ := json.Marshal(v) // true, false or null
		b.Write(text)
	}
}

// pythonNumber writes a number of a protocol buffer Struct, which is always a float in Python.
func pythonNumber(v float64) string {
	if v == math.Trunc(v) && math.Abs(v) < 1e16 {
		return strconv.FormatFloat(v, 'f', 1, 64)
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}

// writeASCII writes a text in quotes, with escapes for all that is not printable ASCII.
func writeASCII(b *strings.Builder, s string) {
	const hex = "0123456789abcdef"
	escape := func(u uint16) {
		b.WriteString(`\u`)
		for shift := 12; shift >= 0; shift -= 4 {
			b.WriteByte(hex[u>>shift&15])
		}
	}
	b.WriteByte('"')
	for _, r := range s {
		if i := strings.IndexRune("\"\\\b\f\n\r\t", r); i >= 0 {
			b.WriteByte('\\')
			b.WriteByte(`"\bfnrt`[i])
			continue
		}
		switch {
		case r >= ' ' && r < 0x7f:
			b.WriteRune(r)
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			escape(uint16(high))
			escape(uint16(low))
		default:
			escape(uint16(r))
		}
	}
	b.WriteByte('"')
}

func sortedNames(m map[string]any) []string { return slices.Sorted(maps.Keys(m)) }

// escapePointer writes a member's name for a JSON pointer (RFC 6901).
func escapePointer(name string) string {
	return strings.NewReplacer("~", "~0", "/", "~1").Replace(name)
}
