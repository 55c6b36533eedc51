package lint

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"parley/a2a/jsontok"
)

// asks is what a request asked for, as far as answers are held against it.
type asks struct {
	taskID, contextID string
	extensions        []string // that were opted into
	modes             []string // media types that are accepted
	history           int      // messages of history at most, -1 if it does not say
	artifacts         bool     // a list is to have artifacts
}

// ask remembers what a request asks; n are its parameters.
func (p *pass) ask(n jsontok.Node) {
	a := &p.x.asks
	message := get(n, "message")
	if a.taskID = either(message, "taskId", "task_id").Text(); p.in == onV01 {
		a.taskID = get(n, "id").Text()
	}
	a.contextID = either(message, "contextId", "context_id").Text()
	conf := get(n, "configuration")
	for mode := range get(conf, "acceptedOutputModes").Elems() {
		a.modes = append(a.modes, mode.Text())
	}
	length := get(conf, "historyLength")
	if !length.Exists() {
		length = get(n, "historyLength")
	}
	if v, ok := length.Int(); ok && v >= 0 && v < maxPayload {
		a.history = int(v)
	}
	a.artifacts, _ = get(n, "includeArtifacts").Bool()
}

// askHead remembers what the head of a request asks.
func (p *pass) askHead() {
	a := &p.x.asks
	a.history = -1
	if p.r.Head == nil {
		return
	}
	for _, name := range [...]string{"A2A-Extensions", "X-A2A-Extensions"} {
		for _, line := range p.r.Head.Header[http.CanonicalHeaderKey(name)] {
			for uri := range strings.SplitSeq(line, ",") {
				a.extensions = append(a.extensions, strings.TrimSpace(uri))
			}
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
