package request

import (
	"bytes"
	"encoding/json"
	"strings"

	"parley/a2a/jsontok"
)

// promptOf returns what a message says: its texts, then its data and its files, one per line.
func promptOf(message jsontok.Node) string {
	var lines, others []string
	for part := range message.GetAny("parts", "content").Elems() {
		if text := part.Get("text"); text.IsText() {
			lines = append(lines, text.Text())
			continue
		}
		if data := part.Get("data"); data.Exists() {
			var b bytes.Buffer
			if json.Compact(&b, data.Raw()) == nil {
				others = append(others, b.String())
			}
			continue
		}
		file := part
		if inner := part.Get("file"); inner.Exists() {
			file = inner
		}
		if name := file.GetAny("name", "filename", "uri", "url", "fileWithUri"); name.IsText() {
			others = append(others, name.Text())
		}
	}
	return strings.Join(append(lines, others...), "\n")
}
