package request

import (
	"bytes"
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"parley/a2a"
	"parley/a2a/jsontok"
)

// The text has the form of HTTP: a line with method and URL, a line for each header, a blank
// line, the body.

// maxPretty is the size up to which a body is formatted.
const maxPretty = 8 << 20

// A parsed is a parsed request with its problems.
type parsed struct {
	request  a2a.RawRequest
	bodyRow  int  // the first line of the body
	broken   bool // the body should be JSON and is not, so findings would be guesses
	problems []problem
}

// A problem is an error in the text at a line and column from 0; line is -1 if it has no place.
type problem struct {
	line, col int
	severity  a2a.Severity
	rule      string // empty if this package found it
	message   string
	fix       string
	blocks    bool // the request cannot be sent
}

// format writes a request as text.
func format(r *a2a.RawRequest) string {
	var b strings.Builder
	b.WriteString(r.Verb() + " " + r.URL + "\n")
	for _, name := range slices.Sorted(maps.Keys(r.Header)) {
		for _, value := range r.Header[name] {
			b.WriteString(name + ": " + value + "\n")
		}
	}
	b.WriteString("\n")
	b.Write(pretty(r.Body))
	return b.String()
}

// pretty formats a body on one line; anything but valid JSON is returned unchanged.
func pretty(body []byte) []byte {
	var out bytes.Buffer
	if len(body) > maxPretty || bytes.IndexByte(bytes.TrimSpace(body), '\n') >= 0 || json.Indent(&out, body, "", "  ") != nil {
		return body
	}
	return out.Bytes()
}

// parse parses the text.
func parse(lines []string) parsed {
	p := parsed{request: a2a.RawRequest{Header: http.Header{}}}
	p.requestLine(lines[0])
	p.bodyRow = bodyRow(lines)
	for row := 1; row < len(lines) && !isBlank(lines[row]); row++ {
		p.headerLine(row, strings.TrimRight(lines[row], "\r"))
	}
	p.request.Body = []byte(strings.Join(lines[p.bodyRow:], "\n"))
	p.json(lines)
	return p
}

// bodyRow returns the first line of the body.
func bodyRow(lines []string) int {
	row := 1
	for row < len(lines) && !isBlank(lines[row]) {
		row++
	}
	return min(row+1, len(lines))
}

func isBlank(line string) bool { return strings.TrimRight(line, " \t\r") == "" }

func (p *parsed) refuse(line, col int, message string) {
	p.problems = append(p.problems, problem{line: line, col: col, severity: a2a.Error, message: message, blocks: true})
}

// requestLine parses "POST http://host/path", with or without a version.
func (p *parsed) requestLine(line string) {
	words := strings.Fields(line)
	if n := len(words); n > 1 && strings.HasPrefix(words[n-1], "HTTP/") {
		words = words[:n-1]
	}
	switch len(words) {
	case 0:
		p.refuse(0, 0, "The first line is empty: write a method and a URL there.")
		return
	case 1:
		p.request.URL = words[0]
	case 2:
		p.request.Method, p.request.URL = words[0], words[1]
	default:
		p.refuse(0, strings.Index(line, words[2]), "The first line must contain only a method and a URL. Write a space in a URL as %20.")
		p.request.Method, p.request.URL = words[0], words[1]
	}
	if a2a.Origin(p.request.URL) == "" {
		p.refuse(0, strings.Index(line, p.request.URL), "The first line has no http, https or grpc URL.")
	}
	if i := strings.IndexFunc(p.request.Method, a2a.NotToken); i >= 0 {
		p.refuse(0, strings.Index(line, words[0])+i, "“"+p.request.Method+"” is not a method: write one word, such as POST.")
	}
}

// headerLine parses "Name: value".
func (p *parsed) headerLine(row int, line string) {
	name, value, found := strings.Cut(line, ":")
	name = strings.TrimRight(name, " \t")
	switch {
	case strings.ContainsAny(line[:1], "{["):
		p.refuse(row, 0, "The body begins here; put a blank line before it.")
	case !found:
		p.refuse(row, 0, "Write a header as Name: value. A blank line ends the headers.")
	case name == "" || strings.ContainsFunc(name, a2a.NotToken):
		p.refuse(row, max(0, strings.IndexFunc(name, a2a.NotToken)), "This is not a header name: use letters, digits and hyphens.")
	case strings.ContainsFunc(value, isControl):
		p.refuse(row, len(line)-len(value)+strings.IndexFunc(value, isControl), "HTTP cannot carry this character in a header.")
	default:
		p.request.Header.Add(name, strings.Trim(value, " \t"))
	}
}

func isControl(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f }

// json adds a problem if the body should be JSON and is not. It does not prevent sending,
// because the agent's answer is of interest.
func (p *parsed) json(lines []string) {
	body := p.request.Body
	if len(bytes.TrimSpace(body)) == 0 {
		return
	}
	kind := p.request.Header.Get("Content-Type")
	if kind != "" && !strings.Contains(kind, "json") {
		return
	}
	var doc jsontok.Doc
	err := doc.Parse(body)
	if err == nil && len(doc.Tail()) > 0 {
		err = &jsontok.SyntaxError{Offset: doc.TailOffset(), Msg: "more text after the end of the value"}
	}
	if err == nil {
		return
	}
	offset, what := 0, err.Error()
	if bad, ok := err.(*jsontok.SyntaxError); ok {
		offset, what = bad.Offset, bad.Msg
	}
	p.broken = true
	line, col := locate(lines, p.bodyRow, offset)
	p.problems = append(p.problems, problem{line: line, col: col, severity: a2a.Warning, message: "This is not JSON: " + what + "."})
}

// locate returns the line and column of a byte of the body, whose first line is row.
func locate(lines []string, row, offset int) (line, col int) {
	for ; row < len(lines)-1 && offset > len(lines[row]); row++ {
		offset -= len(lines[row]) + 1
	}
	if row >= len(lines) {
		return len(lines) - 1, 0
	}
	return row, max(0, min(offset, len(lines[row])))
}

// addFindings adds the findings of the rules.
func (p *parsed) addFindings(lines []string, list []a2a.Finding) {
	for _, f := range list {
		at := problem{line: -1, severity: f.Severity, rule: f.Rule, message: f.Message, fix: f.Fix}
		if f.Offset >= 0 && (f.Offset > 0 || f.Pointer != "") {
			at.line, at.col = locate(lines, p.bodyRow, f.Offset)
		}
		p.problems = append(p.problems, at)
	}
	slices.SortStableFunc(p.problems, func(a, b problem) int { return int(b.severity) - int(a.severity) })
}

// blocked returns why the request cannot be sent, empty if it can.
func (p *parsed) blocked() string {
	for _, at := range p.problems {
		if at.blocks {
			return "line " + strconv.Itoa(at.line+1) + ": " + at.message
		}
	}
	return ""
}

// compact returns a body on one line; anything but valid JSON is returned unchanged.
func compact(body []byte) []byte {
	var out bytes.Buffer
	if len(body) > maxPretty || json.Compact(&out, body) != nil {
		return body
	}
	return out.Bytes()
}
