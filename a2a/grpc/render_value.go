package grpc

import (
	"encoding/base64"
	"math"
	"strconv"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// fits reports whether a value on the wire can be one of the field.
func (f *field) fits(w protowire.Type) bool {
	return w == f.wire() || f.list && w == protowire.BytesType
}

// wire returns how values of the field are encoded.
func (f *field) wire() protowire.Type {
	switch f.kind {
	case protoreflect.BoolKind, protoreflect.EnumKind, protoreflect.Int32Kind, protoreflect.Int64Kind,
		protoreflect.Uint32Kind, protoreflect.Uint64Kind, protoreflect.Sint32Kind, protoreflect.Sint64Kind:
		return protowire.VarintType
	case protoreflect.Fixed32Kind, protoreflect.Sfixed32Kind, protoreflect.FloatKind:
		return protowire.Fixed32Type
	case protoreflect.Fixed64Kind, protoreflect.Sfixed64Kind, protoreflect.DoubleKind:
		return protowire.Fixed64Type
	default:
		return protowire.BytesType
	}
}

// value writes one value of a field.
func (r *renderer) value(f *field, e entry) {
	b := r.src[e.from:e.to]
	switch f.kind {
	case protoreflect.MessageKind, protoreflect.GroupKind:
		r.around = append(r.around, stretch{e.from, e.to})
		r.message(f.message, e.from, e.to)
		r.around = r.around[:len(r.around)-1]
	case protoreflect.StringKind:
		from := len(r.out) + 1
		r.text(b)
		if f.name == textMember {
			r.noteText(e, stretch{from, len(r.out) - 1})
		}
	case protoreflect.BytesKind:
		r.base64(b)
	default:
		r.number(f, b)
	}
}

// number writes a value that is no text: as protojson does, those of 64 bits in quotes.
func (r *renderer) number(f *field, b []byte) {
	var bits uint64
	switch f.wire() {
	case protowire.Fixed32Type:
		v, _ := protowire.ConsumeFixed32(b)
		bits = uint64(v)
	case protowire.Fixed64Type:
		bits, _ = protowire.ConsumeFixed64(b)
	default:
		bits, _ = protowire.ConsumeVarint(b)
	}
	switch f.kind {
	case protoreflect.BoolKind:
		r.out = strconv.AppendBool(r.out, bits != 0)
	case protoreflect.EnumKind:
		if word, ok := f.words[int32(bits)]; ok {
			r.text([]byte(word))
			return
		}
		r.out = strconv.AppendInt(r.out, int64(int32(bits)), 10)
	case protoreflect.Int32Kind, protoreflect.Sfixed32Kind:
		r.out = strconv.AppendInt(r.out, int64(int32(bits)), 10)
	case protoreflect.Sint32Kind:
		r.out = strconv.AppendInt(r.out, int64(int32(protowire.DecodeZigZag(bits&math.MaxUint32))), 10)
	case protoreflect.Uint32Kind, protoreflect.Fixed32Kind:
		r.out = strconv.AppendUint(r.out, uint64(uint32(bits)), 10)
	case protoreflect.FloatKind:
		r.float(float64(math.Float32frombits(uint32(bits))), 32)
	case protoreflect.DoubleKind:
		r.float(math.Float64frombits(bits), 64)
	case protoreflect.Sint64Kind:
		r.out = strconv.AppendQuote(r.out, strconv.FormatInt(protowire.DecodeZigZag(bits), 10))
	case protoreflect.Int64Kind, protoreflect.Sfixed64Kind:
		r.out = strconv.AppendQuote(r.out, strconv.FormatInt(int64(bits), 10))
	default:
		r.out = strconv.AppendQuote(r.out, strconv.FormatUint(bits, 10))
	}
}

// float writes a number as encoding/json does; JSON has no others, so they are words.
func (r *renderer) float(v float64, size int) {
	switch {
	case math.IsNaN(v):
		r.out = append(r.out, `"NaN"`...)
	case math.IsInf(v, 1):
		r.out = append(r.out, `"Infinity"`...)
	case math.IsInf(v, -1):
		r.out = append(r.out, `"-Infinity"`...)
	default:
		format := byte('f')
		if abs := math.Abs(v); abs != 0 && (abs < 1e-6 || abs >= 1e21) {
			format = 'e'
		}
		r.out = strconv.AppendFloat(r.out, v, format, -1, size)
	}
}

// base64 writes bytes.
func (r *renderer) base64(b []byte) {
	r.out = append(r.out, '"')
	r.out = base64.StdEncoding.AppendEncode(r.out, b)
	r.out = append(r.out, '"')
}

// text writes a text. Bytes that are not UTF-8 stay as they are, so that the reader of the JSON
// can say where they are.
func (r *renderer) text(b []byte) {
	r.out = append(appendText(append(r.out, '"'), b), '"')
}

// appendText appends the inside of a text.
func appendText(out, b []byte) []byte {
	const hex = "0123456789abcdef"
	from := 0
	for i, c := range b {
		if c >= ' ' && c != '"' && c != '\\' {
			continue
		}
		out = append(out, b[from:i]...)
		from = i + 1
		switch c {
		case '"', '\\':
			out = append(out, '\\', c)
		case '\n':
			out = append(out, '\\', 'n')
		case '\r':
			out = append(out, '\\', 'r')
		case '\t':
			out = append(out, '\\', 't')
		default:
			out = append(out, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		}
	}
	return append(out, b[from:]...)
}
