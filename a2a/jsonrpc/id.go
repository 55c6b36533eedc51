package jsonrpc

import (
	"encoding/json"
	"strings"
	"unicode/utf8"
)

// An ID is the id of a request or response as it crossed the wire. The zero ID is a missing
// one.
type ID struct{ raw string }

// ParseID returns the id whose JSON text is raw, a missing id for "".
func ParseID(raw string) ID { return ID{raw} }

// String returns the exact JSON text: `"c41f-1"`, `17`, `null`, or "" for a missing id.
func (id ID) String() string { return id.raw }

// Missing reports that there is no id at all.
func (id ID) Missing() bool { return id.raw == "" }

// IsNull reports that the id is null, which a server answers to a request it could
// not read.
func (id ID) IsNull() bool { return id.raw == "null" }

// Text returns the id as a user compares it: the content of a string, the exact
// text of anything else.
func (id ID) Text() string {
	if !id.isString() {
		return id.raw
	}
	if inner := id.raw[1 : len(id.raw)-1]; !strings.Contains(inner, `\`) && utf8.ValidString(inner) {
		return inner
	}
	var text string
	if json.Unmarshal([]byte(id.raw), &text) != nil {
		return id.raw
	}
	return text
}

// Equal reports whether two ids mean the same request. Strings and numbers are
// compared by their text, so that 1 equals "1"; anything else only equals itself.
func (id ID) Equal(other ID) bool {
	if id.raw == other.raw {
		return true
	}
	return id.comparable() && other.comparable() && id.Text() == other.Text()
}

func (id ID) isString() bool {
	return len(id.raw) >= 2 && id.raw[0] == '"' && id.raw[len(id.raw)-1] == '"'
}

// comparable reports whether the id is a string or a number.
func (id ID) comparable() bool {
	return id.isString() || id.raw != "" && (id.raw[0] == '-' || id.raw[0]-'0' <= 9)
}
