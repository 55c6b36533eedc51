// Package media determines the form of a text, such as Markdown, code, JSON or a table, by its
// media type, file name and first bytes. All three come from untrusted sources and may
// contradict each other.
package media

import (
	"path"
	"strings"

	"parley/ui/markdown"
)

// A Form is the format of a text.
type Form uint8

// The forms of text.
const (
	Text Form = iota
	Markdown
	Code
	JSON
	CSV
)

// Of returns the form of a text by its media type and name, and the language of code and JSON.
func Of(mediaType, name string) (f Form, language string) {
	kind, _, _ := strings.Cut(strings.ToLower(mediaType), ";")
	kind, end := strings.TrimSpace(kind), strings.ToLower(path.Ext(name))
	switch language = markdown.Language(mediaType, name); {
	case kind == "text/csv" || kind == "application/csv" || kind == "text/tab-separated-values":
		return CSV, ""
	case IsMarkdown(mediaType, name):
		return Markdown, ""
	case end == ".csv" || end == ".tsv":
		return CSV, ""
	case language == "json":
		return JSON, language
	case language != "":
		return Code, language
	default:
		return Text, ""
	}
}

// Textual reports whether data is text.
func Textual(data []byte) bool {
	head := string(data[:min(len(data), 1024)])
	return !strings.ContainsFunc(strings.ToValidUTF8(head, ""), func(r rune) bool {
		return r < ' ' && r != '\n' && r != '\r' && r != '\t'
	})
}

// Image reports whether a media type is that of an image.
func Image(mediaType string) bool {
	return strings.HasPrefix(strings.ToLower(strings.TrimSpace(mediaType)), "image/")
}

// codeNames are file extensions of texts that are not Markdown.
var codeNames = map[string]bool{
	".c": true, ".cc": true, ".cpp": true, ".cs": true, ".css": true, ".csv": true, ".diff": true, ".go": true, ".h": true,
	".html": true, ".ini": true, ".java": true, ".js": true, ".json": true, ".jsonl": true, ".jsx": true, ".kt": true,
	".log": true, ".lua": true, ".patch": true, ".php": true, ".pl": true, ".proto": true, ".py": true, ".rb": true,
	".rs": true, ".sh": true, ".sql": true, ".svg": true, ".swift": true, ".toml": true, ".ts": true, ".tsv": true,
	".tsx": true, ".txt": true, ".xml": true, ".yaml": true, ".yml": true,
}

// IsMarkdown reports whether a text is Markdown: its media type says so, or there is none and
// the file extension is not one of code.
func IsMarkdown(mediaType, name string) bool {
	kind, _, _ := strings.Cut(strings.ToLower(mediaType), ";")
	switch strings.TrimSpace(kind) {
	case "text/markdown", "text/x-markdown":
		return true
	case "", "text":
		return !codeNames[strings.ToLower(path.Ext(name))]
	default:
		return path.Ext(name) == ".md"
	}
}
