package grpc

import (
	"strconv"
	"strings"
	"time"

	"google.golang.org/protobuf/encoding/protowire"

	"parley/a2a/jsontok"
)

// wellKnown appends a message of a well-known type. It reports false for an object of the fields
// of one that has another JSON.
func (b *builder) wellKnown(m *message, dst []byte, n jsontok.Node, depth int) (out []byte, done bool, err error) {
	switch m.shape {
	case structShape:
		if n.Kind() != jsontok.Object {
			return nil, true, failf(n, "is no object, as it must be in A2A over gRPC; correct it")
		}
		out, err = b.mapField(dst, m.field(1), n, depth)
		return out, true, err
	case listShape:
		if n.Kind() == jsontok.Object {
			return nil, false, nil
		}
		out, err = b.list(dst, m.field(1), n, depth)
		return out, true, err
	case valueShape:
		out, err = b.dynamic(m, dst, n, depth)
		return out, true, err
	case anyShape:
		if !n.Get("@type").IsText() {
			return nil, false, nil
		}
		out, err = b.any(dst, n, depth)
		return out, true, err
	}
	if n.Kind() == jsontok.Object {
		return nil, false, nil
	}
	if m.shape == timestampShape {
		out, err = timestamp(dst, n)
	} else {
		out, err = duration(dst, n)
	}
	return out, true, err
}

// dynamic appends a google.protobuf.Value.
func (b *builder) dynamic(m *message, dst []byte, n jsontok.Node, depth int) ([]byte, error) {
	switch n.Kind() {
	case jsontok.Null:
		return protowire.AppendVarint(protowire.AppendTag(dst, valueNull, protowire.VarintType), 0), nil
	case jsontok.Number:
		return b.value(dst, m.field(valueNumber), n, depth)
	case jsontok.String:
		return b.value(dst, m.field(3), n, depth)
	case jsontok.True, jsontok.False:
		return b.value(dst, m.field(4), n, depth)
	case jsontok.Object:
		if n.Get(fieldsMember).Is("ListValue") {
			return b.value(dst, m.field(6), n, depth)
		}
		return b.value(dst, m.field(5), n, depth)
	case jsontok.Array:
		return b.value(dst, m.field(6), n, depth)
	default:
		return nil, failf(n, "is no JSON value; correct it")
	}
}

func timestamp(dst []byte, n jsontok.Node) ([]byte, error) {
	at, err := time.Parse(time.RFC3339Nano, n.Text())
	if err != nil || !n.IsText() {
		return nil, failf(n, "is no time such as 2026-01-31T09:00:00Z; correct it")
	}
	return moment(dst, at.Unix(), int32(at.Nanosecond())), nil
}

func duration(dst []byte, n jsontok.Node) ([]byte, error) {
	text, ok := strings.CutSuffix(n.Text(), "s")
	text, negative := strings.CutPrefix(text, "-")
	whole, part, _ := strings.Cut(text, ".")
	seconds, err := strconv.ParseInt(whole, 10, 64)
	nanos, bad := strconv.ParseInt((part + "000000000")[:9], 10, 32)
	if !ok || err != nil || bad != nil || len(part) > 9 {
		return nil, failf(n, "is no duration such as 1.5s; correct it")
	}
	if negative {
		seconds, nanos = -seconds, -nanos
	}
	return moment(dst, seconds, int32(nanos)), nil
}

// moment appends seconds and nanoseconds, without zeros.
func moment(dst []byte, seconds int64, nanos int32) []byte {
	if seconds != 0 {
		dst = protowire.AppendVarint(protowire.AppendTag(dst, 1, protowire.VarintType), uint64(seconds))
	}
	if nanos != 0 {
		dst = protowire.AppendVarint(protowire.AppendTag(dst, 2, protowire.VarintType), uint64(int64(nanos)))
	}
	return dst
}

// any appends a google.protobuf.Any: its type, and the message that the other members make.
func (b *builder) any(dst []byte, n jsontok.Node, depth int) ([]byte, error) {
	url := n.Get("@type").Text()
	m := b.schema.messages[url[strings.LastIndexByte(url, '/')+1:]]
	var content []byte
	var err error
	switch {
	case m == nil:
		if v := n.Get("value"); v.Exists() {
			content, err = bytesOf(v)
		}
	case m.shape != plainShape:
		content, err = b.message(m, nil, n.Get("value"), depth+1)
	default:
		content, err = b.inside(m, n, depth)
	}
	if err != nil {
		return nil, err
	}
	dst = protowire.AppendString(protowire.AppendTag(dst, 1, protowire.BytesType), url)
	if len(content) > 0 {
		dst = protowire.AppendBytes(protowire.AppendTag(dst, 2, protowire.BytesType), content)
	}
	return dst, nil
}

// inside makes a message of the members beside its type.
func (b *builder) inside(m *message, n jsontok.Node, depth int) ([]byte, error) {
	members, err := membersOf(m, n, "@type")
	if err != nil {
		return nil, err
	}
	return b.members(nil, members, depth+1)
}
