package grpc

import (
	"slices"
	"strconv"
	"unicode/utf8"

	"google.golang.org/protobuf/encoding/protowire"
)

// The types of fields that the descriptors lack, as their members name them: "7:varint".
const (
	unknownVarint  = "varint"
	unknownFixed32 = "fixed32"
	unknownFixed64 = "fixed64"
	unknownText    = "text"
	unknownBytes   = "bytes"
	unknownGroup   = "group"
)

// unknown writes the entries of one number that have no field, each type as a member of its
// own: a value, or a list of several.
func (r *renderer) unknown(from, to, open int, chosen func(*entry) bool) {
	var kinds []string
	for i := from; i < to; i++ {
		if e := &r.entries[i]; chosen(e) && !slices.Contains(kinds, r.unknownKind(e)) {
			kinds = append(kinds, r.unknownKind(e))
		}
	}
	for _, kind := range kinds {
		count := 0
		for i := from; i < to; i++ {
			if e := &r.entries[i]; chosen(e) && r.unknownKind(e) == kind {
				count++
			}
		}
		r.name(strconv.Itoa(int(r.entries[from].number))+":"+kind, open)
		if count > 1 {
			r.out = append(r.out, '[')
		}
		written := 0
		for i := from; i < to; i++ {
			if e := &r.entries[i]; chosen(e) && r.unknownKind(e) == kind {
				if written++; written > 1 {
					r.out = append(r.out, ',')
				}
				r.unknownValue(e, kind)
			}
		}
		if count > 1 {
			r.out = append(r.out, ']')
		}
	}
}

func (r *renderer) unknownKind(e *entry) string {
	switch e.wire {
	case protowire.VarintType:
		return unknownVarint
	case protowire.Fixed32Type:
		return unknownFixed32
	case protowire.Fixed64Type:
		return unknownFixed64
	case protowire.StartGroupType:
		return unknownGroup
	}
	if b := r.src[e.from:e.to]; readable(b) {
		return unknownText
	}
	return unknownBytes
}

// readable reports whether bytes are probably meant as text.
func readable(b []byte) bool {
	for _, c := range b {
		if c < ' ' && c != '\n' && c != '\t' && c != '\r' || c == 0x7f {
			return false
		}
	}
	return len(b) > 0 && utf8.Valid(b)
}

func (r *renderer) unknownValue(e *entry, kind string) {
	b := r.src[e.from:e.to]
	switch kind {
	case unknownVarint:
		v, _ := protowire.ConsumeVarint(b)
		r.out = strconv.AppendUint(r.out, v, 10)
	case unknownFixed32:
		v, _ := protowire.ConsumeFixed32(b)
		r.out = strconv.AppendUint(r.out, uint64(v), 10)
	case unknownFixed64:
		v, _ := protowire.ConsumeFixed64(b)
		r.out = strconv.AppendUint(r.out, v, 10)
	case unknownText:
		r.text(b)
	default:
		r.base64(b)
	}
}
