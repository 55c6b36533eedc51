package lint

import (
	"iter"
	"net/url"
	"strconv"
	"strings"

	"parley/a2a"
	"parley/a2a/jsontok"
)

// asks is what a request asked for, as far as answers are compared with it.
type asks struct {
	taskID, contextID string
	subject           string          // id of the task of a call that sends no message
	extensions        map[string]bool // that were requested
	modes             modes           // that are accepted
	history           int             // messages of history at most, -1 if it does not say
	artifacts         bool            // a list should have artifacts
	webhook           string          // URL that was registered
}

// modes are media types, without parameters and in lower case, which may have wildcards.
type modes map[string]bool

func (m *modes) add(mode string) {
	if *m == nil {
		*m = modes{}
	}
	(*m)[essence(mode)] = true
}

// accept reports whether one of the modes matches a media type.
func (m modes) accept(media string) bool {
	family, _, whole := strings.Cut(media, "/")
	return m[media] || m["*"] || m["*/*"] || whole && m[family+"/*"] || media == "text/plain" && m["text"]
}

// ask remembers what a request asks for; n are its parameters.
func (p *pass) ask(n jsontok.Node) {
	a := &p.x.asks
	message := messageIn(n)
	if a.taskID = either(message, "taskId", "task_id").Text(); p.in == onV01 {
		a.taskID = get(n, "id").Text()
	}
	if !message.Exists() {
		a.subject = get(n, "id").Text()
	}
	a.contextID = either(message, "contextId", "context_id").Text()
	conf := get(n, "configuration")
	for mode := range get(conf, "acceptedOutputModes").Elems() {
		a.modes.add(mode.Text())
	}
	length := get(conf, "historyLength")
	if !length.Exists() {
		length = get(n, "historyLength")
	}
	if v, ok := length.Int(); ok && v >= 0 && v < maxPayload {
		a.history = int(v)
	}
	a.artifacts, _ = get(n, "includeArtifacts").Bool()
	if p.call.Op == a2a.OpPushSet {
		a.webhook = get(p.pushConfig(n), "url").Text()
	}
}

// items yields the values of a header that is a list, in one line or several.
func items(lines []string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, line := range lines {
			for item := range strings.SplitSeq(line, ",") {
				if !yield(strings.TrimSpace(item)) {
					return
				}
			}
		}
	}
}

// askHead remembers what the head of a request asks.
func (p *pass) askHead() {
	a := &p.x.asks
	a.history = -1
	if p.r.Head == nil {
		return
	}
	for _, name := range [...]string{"A2A-Extensions", "X-A2A-Extensions"} {
		for uri := range items(p.r.Head.Header.Values(name)) {
			if a.extensions == nil {
				a.extensions = map[string]bool{}
			}
			a.extensions[uri] = true
		}
	}
	u, err := url.Parse(p.r.Head.URL)
	if err != nil || u.RawQuery == "" {
		return
	}
	q := u.Query()
	if v, err := strconv.Atoi(q.Get("historyLength")); err == nil && v >= 0 {
		a.history = v
	}
	a.artifacts = q.Get("includeArtifacts") == "true"
}
