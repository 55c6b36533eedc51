package script

import (
	"bytes"
	"encoding/json"
	"reflect"
	"slices"
	"strconv"
)

// decodeJSON decodes JSON with its numbers as they are written.
func decodeJSON(raw []byte) (v any) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	if d.Decode(&v) != nil {
		return nil
	}
	return v
}

// lookUp follows a JSON pointer.
func lookUp(v any, pointer []string) (any, bool) {
	for _, token := range pointer {
		switch within := v.(type) {
		case map[string]any:
			next, found := within[token]
			if !found {
				return nil, false
			}
			v = next
		case []any:
			i, err := strconv.Atoi(token)
			if err != nil || i < 0 || i >= len(within) || strconv.Itoa(i) != token {
				return nil, false
			}
			v = within[i]
		default:
			return nil, false
		}
	}
	return v, true
}

// plainText returns a value as text: that of a string without quotes.
func plainText(v any) string {
	if s, ok := v.(string); ok {
		return s
	}
	raw, err := json.Marshal(v)
	if err != nil { // what was decoded can be encoded
		return ""
	}
	return string(raw)
}

// equalJSON compares decoded JSON. Numbers are equal if they mean the same: 1 and 1.0.
func equalJSON(a, b any) bool {
	switch a := a.(type) {
	case json.Number:
		b, ok := b.(json.Number)
		return ok && (a == b || equalNumbers(a, b))
	case []any:
		b, ok := b.([]any)
		return ok && slices.EqualFunc(a, b, equalJSON)
	case map[string]any:
		b, ok := b.(map[string]any)
		if !ok || len(a) != len(b) {
			return false
		}
		for name, v := range a {
			if other, found := b[name]; !found || !equalJSON(v, other) {
				return false
			}
		}
		return true
	}
	return reflect.DeepEqual(a, b)
}

// equalNumbers compares numbers that are written in two ways. Those with more digits than a
// floating-point number has are equal only if they are written alike.
func equalNumbers(a, b json.Number) bool {
	const digits = 15
	x, errX := a.Float64()
	y, errY := b.Float64()
	return errX == nil && errY == nil && x == y && len(a) <= digits+8 && len(b) <= digits+8 && (x > -1e15 && x < 1e15)
}
