package markdown

import (
	"path"
	"slices"
	"strings"
	"time"

	"parley/ui/styles"
)

const (
	// maxSource is the size, in bytes, of the longest standalone code that is highlighted.
	maxSource = 256 << 10
	// maxHighlightTime limits the highlighting of a text; the remaining code stays plain.
	maxHighlightTime = time.Second
)

// code marks a [Stream] as code in a language, not Markdown.
type code struct {
	is       bool
	language string // empty if it is unknown: then nothing is highlighted
}

// NewCode returns an empty Stream for code in a language as named by [Language]. Its lines are
// shown as they arrive and highlighted once, when it is closed.
func NewCode(st *styles.Styles, now func() time.Time, language string) *Stream {
	s := &Stream{st: st, now: now, code: code{true, language}}
	s.Reset(nil)
	return s
}

// codeChanged reports whether there is code to highlight.
func (s *Stream) codeChanged(w int) bool {
	return s.closed && s.code.language != "" && s.size <= maxSource && (s.tail.w != w || s.tail.size != s.size)
}

// runCode highlights a text that is code.
func (j Job) runCode(p *painter, d Result) Result {
	began := j.now()
	late := func() bool { return j.now().Sub(began) > maxHighlightTime }
	text := append(slices.Clone(j.src), j.rest...)
	d.tail = &tail{
		w: j.w, size: j.size, closed: j.closed, from: len(text),
		rows: p.source(string(text), j.code.language, j.w, late),
	}
	d.finished = j.now()
	d.cost = d.finished.Sub(began)
	d.renderedBytes = p.renderedBytes
	return d
}

// source renders standalone code, without indentation.
func (p *painter) source(text, language string, w int, late func() bool) (rows []string) {
	defer func() {
		if recover() != nil { // a lexer's defect costs the colours, not the program
			rows = plainRows([]byte(text), w, p.st.Text)
		}
	}()
	rows = wrapLines(highlight(text, language, p.st, late), "", w)
	p.renderedBytes += len(text)
	return rows
}

// neverLate is the time limit of short code.
func neverLate() bool { return false }

// Code highlights complete, sanitised code and returns one line for each of its lines, of any
// length. It highlights some hundred kilobytes per second; code after the first second stays
// plain.
func Code(st *styles.Styles, now func() time.Time, language, text string) (lines []string) {
	defer func() {
		if recover() != nil {
			lines = paintLines(text, st.Text)
		}
	}()
	began := now()
	return highlight(text, language, st, func() bool { return now().Sub(began) > maxHighlightTime })
}

// Language returns the language of a text by its media type, otherwise by its file name; empty
// if neither determines it.
func Language(mediaType, name string) string {
	kind, _, _ := strings.Cut(strings.ToLower(mediaType), ";")
	_, kind, _ = strings.Cut(strings.TrimSpace(kind), "/")
	if known := languageOf(kind); known != "" {
		return known
	}
	name = strings.ToLower(path.Base(strings.ReplaceAll(name, `\`, "/")))
	if end := path.Ext(name); end != "" {
		return languageOf(end[1:])
	}
	return languageOf(name) // Makefile, Dockerfile
}

// languageOf returns the language of a subtype of a media type or of a file extension.
func languageOf(word string) string {
	for _, suffix := range []string{"json", "xml", "yaml"} {
		if strings.HasSuffix(word, "+"+suffix) {
			return suffix
		}
	}
	word = strings.TrimPrefix(strings.TrimPrefix(word, "x-"), "vnd.")
	for _, alias := range aliases {
		if slices.Contains(strings.Fields(alias.words), word) {
			return alias.language
		}
	}
	if slices.Contains(strings.Fields(languages), word) && word != "csv" {
		return word
	}
	return ""
}

// aliases are subtypes of media types and file extensions that are not names of languages.
var aliases = []struct{ language, words string }{
	{"javascript", "mjs cjs ecmascript"}, {"typescript", "mts cts"}, {"python", "pyi script.python"},
	{"c", "h csrc"}, {"cpp", "cc cxx hh hpp hxx c++src"}, {"java", "java-source"}, {"kotlin", "kt kts"},
	{"rust", "rustsrc"}, {"go", "gosrc"}, {"json", "jsonl ndjson jsonlines geojson ipynb webmanifest"}, {"html", "htm xhtml"},
	{"sh", "ksh zshrc bashrc profile shellscript"}, {"perl", "pl pm"}, {"elixir", "ex exs"}, {"erlang", "erl hrl"},
	{"haskell", "lhs"}, {"clojure", "clj cljs edn"}, {"fsharp", "fs fsx"}, {"hcl", "tf tfvars"}, {"xml", "xsd xsl xslt wsdl plist rss atom"},
	{"ini", "cfg conf properties editorconfig"}, {"diff", "rej"}, {"make", "mk mak gnumakefile"}, {"docker", "containerfile"},
	{"powershell", "psm1 psd1"}, {"vb", "vbs visual-basic"}, {"objective-c", "mm objc"}, {"proto", "google.protobuf"}, {"graphql", "gql graphqls"},
	{"lisp", "el cl lsp"}, {"matlab", "octave"}, {"julia", "jl"}, {"tex", "latex sty"}, {"batch", "bat cmd"},
}
