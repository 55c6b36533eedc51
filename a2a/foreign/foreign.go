// Package foreign reads the words of answers that A2A does not define. Gateways, frameworks and web sites answer
// in words of their own, which tell more than any sentence about them: the title of a page, the text of an error.
package foreign

import (
	"bytes"
	"encoding/json"
	"html"
	"strings"
)

// Window is how far into a body its words are looked for.
const Window = 8 << 10

// IsHTML reports whether a body is a web page.
func IsHTML(body []byte) bool {
	head := bytes.ToLower(body[:min(len(body), 512)])
	return bytes.HasPrefix(head, []byte("<")) &&
		(bytes.Contains(head, []byte("<!doctype html")) || bytes.Contains(head, []byte("<html")) ||
			bytes.Contains(head, []byte("<head")) || bytes.Contains(head, []byte("<body")))
}

// Title returns the title of a web page, empty if it has none.
func Title(page []byte) string {
	page = page[:min(len(page), Window)]
	lower := bytes.ToLower(page)
	if len(lower) != len(page) { // folding changed lengths: offsets would be wrong
		return ""
	}
	start := bytes.Index(lower, []byte("<title"))
	if start < 0 {
		return ""
	}
	gt := bytes.IndexByte(lower[start:], '>')
	if gt < 0 {
		return ""
	}
	start += gt + 1
	end := bytes.Index(lower[start:], []byte("</title"))
	if end < 0 {
		return ""
	}
	return html.UnescapeString(string(bytes.TrimSpace(page[start : start+end])))
}

// Words returns the text of a JSON object about an error, as frameworks write it, otherwise the beginning of
// the body.
func Words(body []byte) string {
	body = body[:min(len(body), Window)]
	var said struct {
		Error, Message, Detail any
	}
	if json.Unmarshal(body, &said) == nil {
		for _, text := range [...]any{said.Error, said.Message, said.Detail} {
			if in, ok := text.(map[string]any); ok {
				text = in["message"]
			}
			if words, ok := text.(string); ok && strings.TrimSpace(words) != "" {
				return words
			}
		}
	}
	return string(body)
}
