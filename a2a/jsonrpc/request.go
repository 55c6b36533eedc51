package jsonrpc

import (
	"encoding/json"
	"unicode/utf8"
)

// Request returns a request with a string id, the only kind that every server repeats
// faithfully. Params are written byte for byte and omitted if they are empty; they must be
// JSON.
func Request(id, method string, params json.RawMessage) []byte {
	body := make([]byte, 0, len(id)+len(method)+len(params)+64)
	body = append(body, `{"jsonrpc":"`+Version+`","id":`...)
	body = appendString(body, id)
	body = append(body, `,"method":`...)
	body = appendString(body, method)
	if len(params) > 0 {
		body = append(body, `,"params":`...)
		body = append(body, params...)
	}
	return append(body, '}')
}

// appendString appends text as a JSON string with only the escapes that JSON requires. Invalid
// UTF-8 becomes U+FFFD.
func appendString(b []byte, text string) []byte {
	const hex = "0123456789abcdef"
	b = append(b, '"')
	for _, r := range text {
		switch {
		case r == '"' || r == '\\':
			b = append(b, '\\', byte(r))
		case r < ' ':
			b = append(b, '\\', 'u', '0', '0', hex[r>>4], hex[r&0xF])
		default:
			b = utf8.AppendRune(b, r)
		}
	}
	return append(b, '"')
}
