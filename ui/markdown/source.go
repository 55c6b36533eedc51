package markdown

import (
	"path"
	"slices"
	"strings"
	"time"

	"parley/ui/styles"
)

const (
	// maxSource is the longest code that is highlighted as a text of its own.
	maxSource = 256 << 10
	// patience is how long highlighting one may take; what is left then stays plain.
	patience = time.Second
)

// code says that a [Stream] is no Markdown but code in a language.
type code struct {
	is       bool
	language string // empty if it is not known: then nothing is highlighted
}

// NewCode returns an empty Stream for code in a language as [Language] names it. Its
// lines are shown as they come and highlighted once, when it is closed.
func NewCode(st *styles.Styles, now func() time.Time, language string) *Stream {
	s := &Stream{st: st, now: now, code: code{true, language}}
	s.Reset(nil)
	return s
}

// codeChanged reports whether there is something to highlight.
func (s *Stream) codeChanged(w int) bool {
	return s.closed && s.code.language != "" && s.size <= maxSource && (s.tail.w != w || s.tail.size != s.size)
}

// runCode highlights a text that is code.
func (j Job) runCode(p *painter, d Done) Done {
	began := j.now()
	late := func() bool { return j.now().Sub(began) > patience }
	text := append(slices.Clone(j.src), j.rest...)
	d.tail = &tail{
		w: j.w, size: j.size, closed: j.closed, from: len(text),
		rows: p.source(string(text), j.as.language, j.w, late),
	}
	d.finished = j.now()
	d.cost = d.finished.Sub(began)
	d.given = p.given
	return d
}

// source draws code that stands by itself: from the first cell on, without space in front.
func (p *painter) source(text, language string, w int, late func() bool) (rows []string) {
	defer func() {
		if recover() != nil { // a lexer's defect costs the colours, not the program
			rows = plain([]byte(text), w, p.st.Text)
		}
	}()
	f := flow{w: w}
	for _, line := range highlight(text, language, p.st, late) {
		f.head = line
		rows = append(rows, f.wrap()...)
	}
	p.given += len(text)
	return rows
}

// never is for code that is short.
func never() bool { return false }

// Code highlights code that is complete, each of its lines in one of those returned,
// however long it is: some hundred kilobytes in a second, and what takes longer
// than a second is left plain. The caller has sanitised the code.
func Code(st *styles.Styles, now func() time.Time, language, text string) (lines []string) {
	defer func() {
		if recover() != nil {
			lines = paintLines(text, st.Text)
		}
	}()
	began := now()
	return highlight(text, language, st, func() bool { return now().Sub(began) > patience })
}

// Language returns the language of a text by its media type or, where that names none, by
// its file name; empty if neither tells.
func Language(mediaType, name string) string {
	kind, _, _ := strings.Cut(strings.ToLower(mediaType), ";")
	_, kind, _ = strings.Cut(strings.TrimSpace(kind), "/")
	if known := spoken(kind); known != "" {
		return known
	}
	name = strings.ToLower(path.Base(strings.ReplaceAll(name, `\`, "/")))
	if end := path.Ext(name); end != "" {
		return spoken(end[1:])
	}
	return spoken(name) // Makefile, Dockerfile
}

// spoken returns the language that a word of a media type or the end of a name stands for.
func spoken(word string) string {
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

// aliases are words of media types and ends of names that are no names of languages.
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
