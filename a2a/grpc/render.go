package grpc

import (
	"fmt"
	"slices"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/reflect/protoreflect"

	"parley/a2a"
)

// maxDepth is how deep messages may be nested. A value of JSON takes two levels for each of its own.
const maxDepth = 1000

// maxMerges is how many messages around each other may come in parts: each one is copied to merge
// its parts.
const maxMerges = 8

// A renderer writes one message as JSON, in one pass over its bytes.
type renderer struct {
	schema  *schema
	src     []byte
	out     []byte
	entries []entry // of the messages that are being written
	depth   int
	merges  int // of messages around this one
	fault   *a2a.Fault
	around  []stretch // the messages around the value that is being written
	found   likeness  // of this message, as far as it is known
	like    likeness  // of an earlier message
}

// An entry is one field on the wire: its number, and where its value begins and ends.
type entry struct {
	number   protoreflect.FieldNumber
	wire     protowire.Type
	from, to int
}

// fail notes where the bytes break; the first break counts.
func (r *renderer) fail(offset int, format string, args ...any) {
	if r.fault == nil {
		r.fault = &a2a.Fault{Offset: offset, Sentence: fmt.Sprintf(format, args...)}
	}
}

// message writes the message in src[from:to].
func (r *renderer) message(m *message, from, to int) {
	if r.depth++; r.depth > maxDepth {
		r.depth--
		r.fail(from, "The message is nested deeper than %d levels at byte %d", maxDepth, from)
		r.out = append(r.out, "{}"...)
		return
	}
	first := len(r.entries)
	r.scan(m, from, to)
	if known := m.shape != plainShape && r.wellKnown(m, r.entries[first:]); !known {
		r.object(m, first)
	}
	r.entries = r.entries[:first]
	r.depth--
}

// scan lists the fields of a message in the order of their numbers. A field that breaks ends the
// list; of a text or a message that is too short, its beginning is listed.
func (r *renderer) scan(m *message, from, to int) {
	first, sorted := len(r.entries), true
	for at := from; at < to; {
		number, wire, n := protowire.ConsumeTag(r.src[at:to])
		if n < 0 || !number.IsValid() {
			r.fail(at, "%s breaks at byte %d: no field begins there", m.short(), at)
			break
		}
		e := entry{number: number, wire: wire, from: at + n, to: to}
		size := protowire.ConsumeFieldValue(number, wire, r.src[at+n:to])
		switch {
		case size >= 0:
			e.to = e.from + size
		case wire == protowire.BytesType:
			length, n := protowire.ConsumeVarint(r.src[e.from:to])
			if n < 0 {
				r.fail(e.from, "%s ends at byte %d, inside field %d", m.short(), to, number)
				return
			}
			r.fail(e.from, "%s ends at byte %d, inside field %d: %d of its %d bytes are missing", m.short(), to, number, length-uint64(to-e.from-n), length)
		default:
			r.fail(e.from, "%s breaks at byte %d, inside field %d (%v)", m.short(), e.from, number, protowire.ParseError(size))
			return
		}
		at = e.to
		if wire == protowire.BytesType { // skip the length
			_, n := protowire.ConsumeVarint(r.src[e.from:e.to])
			e.from += n
		}
		sorted = sorted && (len(r.entries) == first || r.entries[len(r.entries)-1].number <= number)
		r.entries = append(r.entries, e)
	}
	if !sorted {
		slices.SortStableFunc(r.entries[first:], func(a, b entry) int { return int(a.number) - int(b.number) })
	}
}

// fieldsMember is the first member of a message that its well-known type cannot express: it
// names the type, and the members after it are fields.
const fieldsMember = "@fields"

// object writes the fields that begin at an entry as an object. Of a field that occurs several
// times, a list has all values, and any other has the last one; messages are merged.
func (r *renderer) object(m *message, first int) {
	r.out = append(r.out, '{')
	open := len(r.out)
	if m.shape != plainShape {
		r.name(fieldsMember, open)
		r.text([]byte(m.short()))
	}
	last := len(r.entries)
	for i := first; i < last; {
		next := i + 1
		for next < last && r.entries[next].number == r.entries[i].number {
			next++
		}
		f := m.field(r.entries[i].number)
		r.known(f, i, next, open)
		i = next
	}
	r.out = append(r.out, '}')
}

// known writes the entries of one number: those that fit its field, then the others.
func (r *renderer) known(f *field, from, to, open int) {
	if f == nil {
		r.unknown(from, to, open, func(*entry) bool { return true })
		return
	}
	fits, odd := 0, false
	for i := from; i < to; i++ {
		if f.fits(r.entries[i].wire) {
			fits++
		} else {
			odd = true
		}
	}
	if fits > 0 {
		r.name(f.name, open)
		switch {
		case f.isMap:
			r.mapField(f, from, to)
		case f.list:
			r.list(f, from, to)
		default:
			r.single(f, from, to)
		}
	}
	if odd {
		r.unknown(from, to, open, func(e *entry) bool { return !f.fits(e.wire) })
	}
}

// name writes the name of the next member of the object whose content begins at open.
func (r *renderer) name(name string, open int) {
	if len(r.out) > open {
		r.out = append(r.out, ',')
	}
	r.out = append(r.out, '"')
	r.out = append(r.out, name...)
	r.out = append(r.out, '"', ':')
}

// single writes the value of a field that is no list.
func (r *renderer) single(f *field, from, to int) {
	last, count := from, 0
	for i := from; i < to; i++ {
		if f.fits(r.entries[i].wire) {
			last, count = i, count+1
		}
	}
	if f.message != nil && count > 1 && r.merges == maxMerges {
		r.fail(r.entries[last].from, "Field %d occurs several times at byte %d, inside others that do", f.number, r.entries[last].from)
		count = 1
	}
	if f.message == nil || count == 1 {
		r.value(f, r.entries[last])
		return
	}
	merged := renderer{schema: r.schema, depth: r.depth, merges: r.merges + 1}
	for i := from; i < to; i++ {
		if e := r.entries[i]; f.fits(e.wire) {
			merged.src = append(merged.src, r.src[e.from:e.to]...)
		}
	}
	merged.message(f.message, 0, len(merged.src))
	r.out = append(r.out, merged.out...)
	if merged.fault != nil {
		r.fail(r.entries[last].from, "%s", merged.fault.Sentence)
	}
}

// list writes the values of a list, packed or not.
func (r *renderer) list(f *field, from, to int) {
	r.out = append(r.out, '[')
	open := len(r.out)
	for i := from; i < to; i++ {
		e := r.entries[i]
		switch {
		case !f.fits(e.wire):
			continue
		case e.wire == protowire.BytesType && f.wire() != protowire.BytesType:
			r.packed(f, e, open)
			continue
		case len(r.out) > open:
			r.out = append(r.out, ',')
		}
		r.value(f, e)
	}
	r.out = append(r.out, ']')
}

// packed writes the numbers of a packed list.
func (r *renderer) packed(f *field, e entry, open int) {
	for at := e.from; at < e.to; {
		n := protowire.ConsumeFieldValue(f.number, f.wire(), r.src[at:e.to])
		if n < 0 {
			r.fail(at, "A list of numbers breaks at byte %d", at)
			return
		}
		if len(r.out) > open {
			r.out = append(r.out, ',')
		}
		r.value(f, entry{f.number, f.wire(), at, at + n})
		at += n
	}
}

// mapField writes a map as an object; its entries are messages with a key and a value.
func (r *renderer) mapField(f *field, from, to int) {
	key, value := f.message.field(1), f.message.field(2)
	r.out = append(r.out, '{')
	open := len(r.out)
	for i := from; i < to; i++ {
		e := r.entries[i]
		if !f.fits(e.wire) {
			continue
		}
		first := len(r.entries)
		r.scan(f.message, e.from, e.to)
		k, v := entry{}, entry{}
		for _, inner := range r.entries[first:] {
			switch {
			case inner.number == 1 && key.fits(inner.wire):
				k = inner
			case inner.number == 2 && value.fits(inner.wire):
				v = inner
			}
		}
		r.entries = r.entries[:first]
		if len(r.out) > open {
			r.out = append(r.out, ',')
		}
		r.text(r.src[k.from:k.to])
		r.out = append(r.out, ':')
		if v.number == 0 && value.message == nil {
			r.out = append(r.out, `""`...)
		} else {
			r.value(value, v)
		}
	}
	r.out = append(r.out, '}')
}
