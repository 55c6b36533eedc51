package grpc

import (
	"cmp"
	"encoding/base64"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/reflect/protoreflect"

	"parley/a2a"
	"parley/a2a/jsontok"
)

// A builder makes messages of JSON. It reads everything that a renderer writes, and both
// spellings of names that protojson reads.
type builder struct {
	schema *schema
	doc    *jsontok.Doc
}

// A member is one of an object, with the field that it means.
type member struct {
	field   *field // nil if the name says number and type itself
	number  protoreflect.FieldNumber
	unknown string // its type then
	node    jsontok.Node
}

// failf returns the error about a value.
func failf(n jsontok.Node, format string, args ...any) error {
	where := "The message"
	if at := n.Pointer(); at != "" {
		where = "The value at " + at
	}
	return &a2a.EncodeError{Sentence: where + " " + fmt.Sprintf(format, args...)}
}

// message appends the message that a value describes.
func (b *builder) message(m *message, dst []byte, n jsontok.Node, depth int) ([]byte, error) {
	if depth > maxDepth {
		return nil, failf(n, "is nested deeper than %d levels", maxDepth)
	}
	if m.shape != plainShape && !n.Get(fieldsMember).Is(m.short()) {
		out, done, err := b.wellKnown(m, dst, n, depth)
		if done || err != nil {
			return out, err
		}
	}
	if n.Kind() != jsontok.Object {
		return nil, failf(n, "is no object, which %s must be; correct it", m.short())
	}
	members, err := membersOf(m, n, fieldsMember)
	if err != nil {
		return nil, err
	}
	return b.members(dst, members, depth)
}

// membersOf returns the members of an object in the order in which their fields are written,
// without the one of a name.
func membersOf(m *message, n jsontok.Node, without string) ([]member, error) {
	var list []member
	for name, value := range n.Members() {
		if name == without {
			continue
		}
		if f := m.byName[name]; f != nil {
			list = append(list, member{field: f, number: f.number, node: value})
			continue
		}
		number, kind, ok := unknownName(name)
		if !ok {
			return nil, failf(value, "has a name that %s lacks: “%.80s”; correct or remove it", m.short(), name)
		}
		list = append(list, member{number: number, unknown: kind, node: value})
	}
	slices.SortStableFunc(list, func(a, b member) int { return cmp.Compare(a.number, b.number) })
	return list, nil
}

// unknownName reads the name of a member such as "7:varint".
func unknownName(name string) (number protoreflect.FieldNumber, kind string, ok bool) {
	digits, kind, ok := strings.Cut(name, ":")
	n, err := strconv.ParseInt(digits, 10, 32)
	if !ok || err != nil || !protowire.Number(n).IsValid() {
		return 0, "", false
	}
	return protowire.Number(n), kind, true
}

func (b *builder) members(dst []byte, members []member, depth int) (out []byte, err error) {
	for _, m := range members {
		switch f := m.field; {
		case f == nil:
			dst, err = unknownField(dst, m)
		case m.node.Kind() == jsontok.Null && !(f.message != nil && f.message.shape == valueShape):
			continue // the default
		case f.isMap:
			dst, err = b.mapField(dst, f, m.node, depth)
		case f.list:
			dst, err = b.list(dst, f, m.node, depth)
		default:
			dst, err = b.value(dst, f, m.node, depth)
		}
		if err != nil {
			return nil, err
		}
	}
	return dst, nil
}

func (b *builder) list(dst []byte, f *field, n jsontok.Node, depth int) (out []byte, err error) {
	if n.Kind() != jsontok.Array {
		return nil, failf(n, "is no list; correct it")
	}
	for e := range n.Elems() {
		if dst, err = b.value(dst, f, e, depth); err != nil {
			return nil, err
		}
	}
	return dst, nil
}

func (b *builder) mapField(dst []byte, f *field, n jsontok.Node, depth int) ([]byte, error) {
	if n.Kind() != jsontok.Object {
		return nil, failf(n, "is no object; correct it")
	}
	value := f.message.field(2)
	for _, v := range n.Members() {
		inner := protowire.AppendTag(nil, 1, protowire.BytesType)
		inner = protowire.AppendBytes(inner, textOf(b.doc.Node(v.Index()-1))) // the name, whatever its bytes
		inner, err := b.value(inner, value, v, depth)
		if err != nil {
			return nil, err
		}
		dst = protowire.AppendTag(dst, f.number, protowire.BytesType)
		dst = protowire.AppendBytes(dst, inner)
	}
	return dst, nil
}

// value appends one value of a field with its tag.
func (b *builder) value(dst []byte, f *field, n jsontok.Node, depth int) ([]byte, error) {
	dst = protowire.AppendTag(dst, f.number, f.wire())
	switch f.kind {
	case protoreflect.MessageKind:
		inner, err := b.message(f.message, nil, n, depth+1)
		return protowire.AppendBytes(dst, inner), err
	case protoreflect.StringKind:
		if !n.IsText() {
			return nil, failf(n, "is no text; correct it")
		}
		return protowire.AppendBytes(dst, textOf(n)), nil
	case protoreflect.BytesKind:
		content, err := bytesOf(n)
		return protowire.AppendBytes(dst, content), err
	case protoreflect.BoolKind:
		v, ok := n.Bool()
		if !ok {
			return nil, failf(n, "is neither true nor false; correct it")
		}
		return protowire.AppendVarint(dst, protowire.EncodeBool(v)), nil
	case protoreflect.EnumKind:
		if v, ok := f.numbers[n.Text()]; ok && n.IsText() {
			return protowire.AppendVarint(dst, uint64(int64(v))), nil
		} else if n.IsText() {
			return nil, failf(n, "is a word that its enum lacks: “%.80s”; correct it, or write a number", n.Text())
		}
	}
	return number(dst, f, n)
}

// number appends a number, which may stand in quotes.
func number(dst []byte, f *field, n jsontok.Node) ([]byte, error) {
	word := n.Number()
	if n.IsText() {
		word = n.Text()
	}
	switch f.kind {
	case protoreflect.FloatKind, protoreflect.DoubleKind:
		v, err := strconv.ParseFloat(word, 64)
		if err != nil {
			return nil, failf(n, "is no number; correct it")
		}
		if f.kind == protoreflect.FloatKind {
			return protowire.AppendFixed32(dst, math.Float32bits(float32(v))), nil
		}
		return protowire.AppendFixed64(dst, math.Float64bits(v)), nil
	}
	bits, ok := integer(f.kind, word)
	switch {
	case !ok:
		return nil, failf(n, "is no whole number that fits; correct it")
	case f.wire() == protowire.Fixed32Type:
		return protowire.AppendFixed32(dst, uint32(bits)), nil
	case f.wire() == protowire.Fixed64Type:
		return protowire.AppendFixed64(dst, bits), nil
	default:
		return protowire.AppendVarint(dst, bits), nil
	}
}

// integer reads a whole number, which may be written as 1e3 or 5.0.
func integer(kind protoreflect.Kind, word string) (bits uint64, ok bool) {
	if v, err := strconv.ParseFloat(word, 64); err == nil && strings.ContainsAny(word, ".eE") && v == math.Trunc(v) && math.Abs(v) < 1<<53 {
		word = strconv.FormatInt(int64(v), 10)
	}
	size := 64
	switch kind {
	case protoreflect.Uint32Kind, protoreflect.Fixed32Kind:
		v, err := strconv.ParseUint(word, 10, 32)
		return v, err == nil
	case protoreflect.Uint64Kind, protoreflect.Fixed64Kind:
		v, err := strconv.ParseUint(word, 10, 64)
		return v, err == nil
	case protoreflect.Int32Kind, protoreflect.Sint32Kind, protoreflect.Sfixed32Kind, protoreflect.EnumKind:
		size = 32
	}
	v, err := strconv.ParseInt(word, 10, size)
	if kind == protoreflect.Sint32Kind || kind == protoreflect.Sint64Kind {
		return protowire.EncodeZigZag(v), err == nil
	}
	return uint64(v), err == nil
}

// unknownField appends the values of a field that the descriptors lack.
func unknownField(dst []byte, m member) ([]byte, error) {
	values := []jsontok.Node{m.node}
	if m.node.Kind() == jsontok.Array {
		values = slices.Collect(m.node.Elems())
	}
	for _, n := range values {
		switch m.unknown {
		case unknownVarint, unknownFixed32, unknownFixed64:
			v, err := strconv.ParseUint(n.Number(), 10, 64)
			switch {
			case err != nil || m.unknown == unknownFixed32 && v > math.MaxUint32:
				return nil, failf(n, "is no whole number that fits; correct it")
			case m.unknown == unknownVarint:
				dst = protowire.AppendVarint(protowire.AppendTag(dst, m.number, protowire.VarintType), v)
			case m.unknown == unknownFixed32:
				dst = protowire.AppendFixed32(protowire.AppendTag(dst, m.number, protowire.Fixed32Type), uint32(v))
			default:
				dst = protowire.AppendFixed64(protowire.AppendTag(dst, m.number, protowire.Fixed64Type), v)
			}
		case unknownText:
			dst = protowire.AppendBytes(protowire.AppendTag(dst, m.number, protowire.BytesType), textOf(n))
		case unknownBytes, unknownGroup:
			content, err := bytesOf(n)
			if err != nil {
				return nil, err
			}
			if m.unknown == unknownBytes {
				dst = protowire.AppendBytes(protowire.AppendTag(dst, m.number, protowire.BytesType), content)
			} else {
				dst = append(protowire.AppendTag(dst, m.number, protowire.StartGroupType), content...)
			}
		default:
			return nil, failf(n, "has the unknown type “%.80s”; write varint, fixed32, fixed64, text, bytes or group", m.unknown)
		}
	}
	return dst, nil
}

// textOf returns a text with bytes that are not UTF-8 as they are.
func textOf(n jsontok.Node) []byte {
	raw := n.Raw()
	if len(raw) < 2 {
		return nil
	}
	raw = raw[1 : len(raw)-1]
	var out []byte
	for i := 0; i < len(raw); {
		if raw[i] != '\\' {
			out = append(out, raw[i])
			i++
			continue
		}
		c, size := jsontok.Escape(raw[i:])
		if size == 0 {
			return append(out, raw[i:]...)
		}
		out = append(out, string(c)...)
		i += size
	}
	return out
}

// bytesOf reads base64 in any of its spellings.
func bytesOf(n jsontok.Node) ([]byte, error) {
	text := strings.TrimRight(n.Text(), "=")
	code := base64.RawStdEncoding
	if strings.ContainsAny(text, "-_") {
		code = base64.RawURLEncoding
	}
	content, err := code.DecodeString(text)
	if err != nil || !n.IsText() {
		return nil, failf(n, "is no base64; correct it")
	}
	return content, nil
}
