package curl

import (
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"parley/a2a"
)

// maxArgument is the longest body in an argument: Linux accepts no longer ones. Longer bodies
// come through a pipe.
const maxArgument = 100_000

// expects is the length from which curl asks a server before it sends a body.
const expects = 1 << 20

// Command returns the command line that repeats a request; it is empty for a record of another
// kind and for an invalid URL. It has several lines, each but the last ending in a backslash.
// In place of a mask it has an environment variable named after the masked value:
// $A2A_AUTHORIZATION, with the scheme before the credential, $A2A_PUSH_TOKEN. Headers come in
// the order and spelling of sent, the head as it was written; if that is empty because it is
// not known, they come by name.
func Command(r *a2a.Record, sent a2a.HeadBytes) string {
	if r.Kind != a2a.KindRequest || r.Head == nil || !isURL(r.Head.URL) {
		return ""
	}
	c := command{record: r, sent: sent, names: names(r)}
	options := []string{"curl -sS"}
	if c.streams() {
		options[0] += " -N"
	}
	options[0] += c.verb()
	address, _ := masked(r.Head.URL, urlNames(r, c.names))
	if strings.ContainsAny(r.Head.URL, "[]{}") {
		options[0] += " -g"
	}
	if path, _, _ := strings.Cut(r.Head.URL, "?"); strings.Contains(path+"/", "/./") || strings.Contains(path+"/", "/../") {
		options[0] += " --path-as-is"
	}
	options[0] += " " + address.word()
	options = append(options, c.headers()...)
	before := ""
	if body := c.body(); len(r.Raw) > 0 {
		if inline := body.word(); body.plain() && len(inline) <= maxArgument && !body.file() {
			options = append(options, "--data-binary "+inline)
		} else {
			before = body.pipe() + " |\n"
			options = append(options, "--data-binary @-")
		}
	}
	return before + strings.Join(options, " \\\n  ")
}

// Reference returns what a user typed to name an agent as a word of a shell, with an
// environment variable in place of each secret: "https://h/?ticket=$A2A_TICKET".
func Reference(ref string) string {
	shown, gone := a2a.RedactReference(ref)
	for i := range gone {
		gone[i].Hash = gone[i].Original // they live as long as the word is made
	}
	r := a2a.Record{Head: &a2a.Head{URL: shown}, Redactions: gone}
	t, _ := masked(shown, urlNames(&r, names(&r)))
	return t.word()
}

// isURL rejects what curl could take for an option, a file or another protocol.
func isURL(s string) bool {
	return strings.HasPrefix(s, "http://") || strings.HasPrefix(s, "https://")
}

// A command is the state of writing a command line.
type command struct {
	record *a2a.Record
	sent   a2a.HeadBytes
	names  variables
}

// streams reports whether the answer may be a stream, which curl must not buffer.
func (c *command) streams() bool {
	return strings.Contains(c.record.Head.Header.Get("Accept"), "text/event-stream")
}

// verb returns the option for the method, unless it is curl's default.
func (c *command) verb() string {
	switch verb := c.record.Head.Method; {
	case verb == http.MethodHead:
		return " -I"
	case len(c.record.Raw) > 0 && verb == http.MethodPost, len(c.record.Raw) == 0 && verb == http.MethodGet:
		return ""
	default:
		return " -X " + text{{literal: verb}}.word()
	}
}

// headers returns the options for the headers, including those that curl would add.
func (c *command) headers() []string {
	h := c.record.Head.Header
	var options []string
	used := map[string]int{} // variables of a header so far
	for _, l := range c.lines() {
		if l.Key == "Content-Length" || l.Key == "Host" && l.Value == host(c.record.Head.URL) || !token(l.Name) {
			continue
		}
		line := text{{literal: l.Name + ": "}}
		if l.Value == "" {
			line = text{{literal: l.Name + ";"}} // curl's way to send an empty one
		}
		t, n := masked(l.Value, c.names.header[l.Key][min(used[l.Key], len(c.names.header[l.Key])):])
		used[l.Key] += n
		options = append(options, "-H "+append(line, t...).word())
	}
	own := []string{"Accept", "User-Agent"}
	if len(c.record.Raw) > 0 {
		own = append(own, "Content-Type")
	}
	if len(c.record.Raw) > expects {
		own = append(own, "Expect")
	}
	for _, name := range own {
		if len(h[name]) == 0 {
			options = append(options, "-H '"+name+":'")
		}
	}
	return options
}

// lines returns the header lines of the request in the order in which they were sent, and then
// the others by name. Their values are those of the record, whose redactions count its masks.
func (c *command) lines() []a2a.HeadLine {
	h := c.record.Head.Header
	var lines []a2a.HeadLine
	taken := map[string]int{}
	if heads := c.sent.Heads(); len(heads) > 0 {
		for _, l := range heads[len(heads)-1][1:] {
			if n := taken[l.Key]; n < len(h[l.Key]) {
				l.Value = h[l.Key][n]
				lines = append(lines, l)
				taken[l.Key]++
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(h)) {
		for _, value := range h[name][taken[name]:] {
			lines = append(lines, a2a.HeadLine{Name: name, Key: name, Value: value})
		}
	}
	return lines
}

func host(rawURL string) string {
	u, err := url.Parse(rawURL)
	if err != nil {
		return ""
	}
	return u.Host
}

// token reports whether HTTP allows a header of this name. Others were never sent, and curl
// would take some for file names.
func token(name string) bool { return name != "" && !strings.ContainsFunc(name, a2a.NotToken) }

// masked returns a text with variables in place of its masks, and their number.
func masked(s string, variables []string) (t text, used int) {
	for _, name := range variables {
		before, after, found := a2a.CutMask(s)
		if !found {
			break
		}
		t = append(t, piece{literal: before}, piece{variable: name})
		s = after
		used++
	}
	return append(t, piece{literal: s}), used
}

// body returns the body with variables in place of its masks.
func (c *command) body() text {
	var t text
	raw, from := c.record.Raw, 0
	for i := range c.record.Redactions {
		gone := &c.record.Redactions[i]
		if gone.Length <= 0 || gone.Offset < from || gone.Length > len(raw)-gone.Offset {
			continue
		}
		t = append(t, piece{literal: string(raw[from:gone.Offset])}, piece{variable: c.names.body[i]})
		from = gone.Offset + gone.Length
	}
	return append(t, piece{literal: string(raw[from:])})
}
