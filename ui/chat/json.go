package chat

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"parley/a2a/jsontok"
	"parley/internal/units"
	"parley/ui/canvas"
	"parley/ui/keys"
	"parley/ui/styles"
)

// maxJSONLines limits what is drawn of one JSON value; the wire pane shows all.
const maxJSONLines = 400

// pretty returns data, unsanitised JSON, indented and coloured in lines of at most w cells.
// Invalid JSON is shown unchanged.
func (k *renderer) pretty(data []byte, w int) []string {
	if len(data) > maxInset {
		return append(k.text(k.st.Text, strings.ToValidUTF8(string(data[:maxJSONLines*64]), ""), w), k.moreNote("all of the "+units.Bytes(int64(len(data)))+" of JSON", w))
	}
	var b bytes.Buffer
	if err := json.Indent(&b, data, "", "  "); err != nil {
		return k.capLines(k.text(k.st.Text, string(data[:min(len(data), maxJSONLines*64)]), w))
	}
	lines := strings.SplitN(b.String(), "\n", maxJSONLines+1)
	more := 0
	if len(lines) > maxJSONLines {
		more = strings.Count(lines[maxJSONLines], "\n") + 1
		lines = lines[:maxJSONLines]
	}
	var out []string
	for _, line := range lines {
		out = append(out, canvas.Wrap(k.jsonLine(line), max(w, 1))...)
	}
	if more > 0 {
		out = append(out, k.more(more))
	}
	return out
}

// previewLines is how many lines of a value are shown before it is opened.
const previewLines = 4

// preview returns the beginning of unsanitised JSON on a few lines, without the space between
// its tokens.
func (k *renderer) preview(data []byte, w int) []string {
	const most = 4 << 10
	var b bytes.Buffer
	if len(data) > most || json.Compact(&b, data) != nil {
		b.Reset()
		b.WriteString(strings.ToValidUTF8(string(data[:min(len(data), most)]), ""))
	}
	return k.clamp(b.String(), w)
}

// clamp returns text on at most glimpseLines lines.
func (k *renderer) clamp(text string, w int) []string {
	lines := k.text(k.st.Dim, text, w)
	if len(lines) > previewLines {
		lines = append(lines[:previewLines-1:previewLines-1], k.st.Faint.S(k.st.G[styles.Ellipsis]+" "+keys.Name(k.keys(foldOrUnfold))+" shows all of it"))
	}
	return lines
}

// explanation returns the content of an error's data on a few lines: the reason and the
// metadata of a single google.rpc.ErrorInfo, as in 1.0, and the JSON itself of everything else.
func (k *renderer) explanation(data []byte, w int) []string {
	var details []struct {
		Type     string            `json:"@type"`
		Reason   string            `json:"reason"`
		Domain   string            `json:"domain"`
		Metadata map[string]string `json:"metadata"`
	}
	if len(data) > maxInset || json.Unmarshal(data, &details) != nil || len(details) != 1 ||
		!strings.HasSuffix(details[0].Type, "google.rpc.ErrorInfo") || details[0].Reason == "" {
		return k.preview(data, w)
	}
	words := []string{details[0].Reason}
	for _, name := range slices.Sorted(maps.Keys(details[0].Metadata)) {
		words = append(words, name+" "+details[0].Metadata[name])
	}
	return k.clamp(strings.Join(words, " · "), w)
}

// capLines returns the first lines and counts the omitted ones.
func (k *renderer) capLines(lines []string) []string {
	if len(lines) <= maxJSONLines {
		return lines
	}
	return append(lines[:maxJSONLines:maxJSONLines], k.more(len(lines)-maxJSONLines))
}

func (k *renderer) more(lines int) string {
	return k.st.Faint.S(k.st.G[styles.Ellipsis] + " " + units.Plural(lines, "more line") + " in the wire pane")
}

// jsonLine colours one line of indented JSON: names, strings, and the rest.
func (k *renderer) jsonLine(line string) string {
	rest := strings.TrimLeft(line, " ")
	var b strings.Builder
	b.WriteString(line[:len(line)-len(rest)])
	if name := quoted(rest); name > 0 && strings.HasPrefix(rest[name:], ":") {
		b.WriteString(k.st.Dim.S(canvas.SanitizeLine(rest[:name])))
		b.WriteString(k.st.Faint.S(":"))
		rest = rest[name+1:]
	}
	value := strings.TrimLeft(rest, " ")
	b.WriteString(rest[:len(rest)-len(value)])
	if n := quoted(value); n > 0 {
		b.WriteString(k.st.Text.S(canvas.SanitizeLine(value[:n])))
		value = value[n:]
	} else if word := strings.TrimRight(value, ",[]{}"); word != "" {
		b.WriteString(k.st.Number.S(canvas.SanitizeLine(word)))
		value = value[len(word):]
	}
	b.WriteString(k.st.Faint.S(canvas.SanitizeLine(value)))
	return b.String()
}

// quoted returns the length of the JSON string that s begins with, 0 if none.
func quoted(s string) int {
	if !strings.HasPrefix(s, `"`) {
		return 0
	}
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return 0
}

// summary describes a JSON value in a few words: "3 keys", "2 items".
func summary(data []byte) string {
	var doc jsontok.Doc
	if err := doc.Parse(data); err != nil {
		return "not JSON"
	}
	root := doc.Root()
	switch root.Kind() {
	case jsontok.Object:
		return units.Plural(root.Len(), "key")
	case jsontok.Array:
		return units.Plural(root.Len(), "item")
	case jsontok.String:
		return strconv.Quote(root.Text())
	default:
		return string(root.Raw())
	}
}

// empty reports whether a JSON value has no content.
func empty(data json.RawMessage) bool {
	switch strings.TrimSpace(string(data[:min(len(data), 8)])) {
	case "", "{}", "[]", "null":
		return true
	default:
		return false
	}
}
