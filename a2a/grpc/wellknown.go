package grpc

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"google.golang.org/protobuf/encoding/protowire"
)

// wellKnown writes a message in the JSON of its well-known type. It reports false if it has
// fields that this JSON cannot express; it is then written as an object of its fields.
func (r *renderer) wellKnown(m *message, entries []entry) bool {
	for i := range entries {
		f := m.field(entries[i].number)
		if f == nil || !f.fits(entries[i].wire) {
			return false
		}
	}
	switch m.shape {
	case structShape:
		r.mapOrList(m.field(1), len(entries), true)
	case listShape:
		r.mapOrList(m.field(1), len(entries), false)
	case valueShape:
		return r.dynamic(m, entries)
	case timestampShape:
		return r.timestamp(entries)
	case durationShape:
		return r.duration(entries)
	case anyShape:
		return r.any(entries)
	}
	return true
}

// mapOrList writes the last count entries as a map, or as a list.
func (r *renderer) mapOrList(f *field, count int, object bool) {
	from, to := len(r.entries)-count, len(r.entries)
	if object {
		r.mapField(f, from, to)
	} else {
		r.list(f, from, to)
	}
}

// The fields of google.protobuf.Value.
const (
	valueNull   = 1
	valueNumber = 2
)

// dynamic writes a google.protobuf.Value: the last of its fields counts.
func (r *renderer) dynamic(m *message, entries []entry) bool {
	switch len(entries) {
	case 0:
		r.out = append(r.out, "null"...)
		return true
	case 1:
	default:
		return false
	}
	e := entries[0]
	if e.number == valueNull {
		r.out = append(r.out, "null"...)
		return true
	}
	r.value(m.field(e.number), e)
	return true
}

// moment reads seconds and nanoseconds.
func (r *renderer) moment(entries []entry) (seconds int64, nanos int32) {
	for _, e := range entries {
		v, _ := protowire.ConsumeVarint(r.src[e.from:e.to])
		if e.number == 1 {
			seconds = int64(v)
		} else {
			nanos = int32(v)
		}
	}
	return seconds, nanos
}

// The range of a google.protobuf.Timestamp: from year 1 to year 9999.
const (
	minSeconds = -62135596800
	maxSeconds = 253402300799
)

// timestamp writes a time as RFC 3339 in UTC, with 0, 3, 6 or 9 digits of the second.
func (r *renderer) timestamp(entries []entry) bool {
	seconds, nanos := r.moment(entries)
	if seconds < minSeconds || seconds > maxSeconds || nanos < 0 || nanos > 999999999 {
		return false
	}
	r.out = append(r.out, '"')
	r.out = time.Unix(seconds, 0).UTC().AppendFormat(r.out, "2006-01-02T15:04:05")
	r.out = append(r.out, fraction(nanos)...)
	r.out = append(r.out, 'Z', '"')
	return true
}

// fraction writes nanoseconds with 0, 3, 6 or 9 digits.
func fraction(nanos int32) string {
	if nanos == 0 {
		return ""
	}
	s := fmt.Sprintf(".%09d", nanos)
	s = strings.TrimSuffix(s, "000")
	return strings.TrimSuffix(s, "000")
}

// maxDuration is the range of a google.protobuf.Duration in seconds: 10,000 years.
const maxDuration = 315576000000

func (r *renderer) duration(entries []entry) bool {
	seconds, nanos := r.moment(entries)
	if seconds < -maxDuration || seconds > maxDuration || nanos < -999999999 || nanos > 999999999 ||
		seconds > 0 && nanos < 0 || seconds < 0 && nanos > 0 {
		return false
	}
	r.out = append(r.out, '"')
	if seconds < 0 || nanos < 0 {
		r.out = append(r.out, '-')
		seconds, nanos = -seconds, -nanos
	}
	r.out = strconv.AppendInt(r.out, seconds, 10)
	r.out = append(r.out, fraction(nanos)...)
	r.out = append(r.out, 's', '"')
	return true
}

// any writes a google.protobuf.Any: its type beside the fields of the message in it. One of an
// unknown type has its bytes.
func (r *renderer) any(entries []entry) bool {
	var url, value entry
	for _, e := range entries {
		if e.number == 1 {
			url = e
		} else {
			value = e
		}
	}
	kind := string(r.src[url.from:url.to])
	m := r.schema.messages[kind[strings.LastIndexByte(kind, '/')+1:]]
	r.out = append(r.out, `{"@type":`...)
	r.text(r.src[url.from:url.to])
	switch {
	case m == nil && value.number == 0:
	case m == nil:
		r.out = append(r.out, `,"value":`...)
		r.base64(r.src[value.from:value.to])
	case m.shape != plainShape:
		r.out = append(r.out, `,"value":`...)
		r.message(m, value.from, value.to)
	default:
		r.inside(m, value.from, value.to)
	}
	r.out = append(r.out, '}')
	return true
}

// inside writes the fields of a message as further members of an object that is open.
func (r *renderer) inside(m *message, from, to int) {
	at := len(r.out)
	r.message(m, from, to)
	if body := r.out[at:]; string(body) == "{}" {
		r.out = r.out[:at]
		return
	}
	r.out[at] = ','
	r.out = r.out[:len(r.out)-1]
}
