// Package shell exports the requests of a session as a shell script, with environment
// variables in place of secrets. The script has a command line of curl, grpcurl or
// mosquitto_pub for each request, in order.
package shell

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"io"
	"strings"

	"parley/a2a"
	"parley/a2a/curl"
	"parley/internal/visible"
	"parley/session/export/excerpt"
	"parley/session/log"
)

// Write writes the requests of an excerpt. It calls step after each exchange.
func Write(ctx context.Context, out io.Writer, p *excerpt.Excerpt, step func(done, total int)) error {
	w := bufio.NewWriterSize(out, 64<<10)
	fmt.Fprintf(w, `#!/bin/sh
# The requests of %s, in the order in which Parley sent them.
# Each command sends its request again: run those that you want, one by one.
# Secrets are not in the recording. Set the variables that a command names first.
`, comment(p.Name))
	done, total, wrote := 0, p.Len(), false
	for _, ids := range p.Exchanges() {
		if done += len(ids); p.Has(ids[0]) {
			wrote = request(w, p, ids[0]) || wrote
		}
		step(done, total)
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	step(total, total)
	if !wrote {
		fmt.Fprintln(w, "\n# There is no request to repeat.")
	}
	return w.Flush()
}

// request writes the command of a request, and reports false for other records.
func request(w *bufio.Writer, p *excerpt.Excerpt, id a2a.RecordID) bool {
	it := p.State.Log.At(id)
	r := &it.Record
	if r.Kind != a2a.KindRequest {
		return false
	}
	to := ""
	if a := p.State.Agent(p.State.Log.Owner(id).Agent); a != nil {
		to = ", to " + a.Name()
	}
	fmt.Fprintf(w, "\n# %d, %s: %s%s\n", id, r.Time.UTC().Format("2006-01-02 15:04:05.000"), comment(log.Describe(it)), comment(to))
	command := cmp.Or(curl.Command(r, p.State.Log.SentHead(r.Exchange)), curl.GRPC(r), curl.MQTT(r))
	switch {
	case command == "":
		fmt.Fprintln(w, "# No command line repeats it.")
		return true
	case r.Omitted > 0 || r.Torn:
		fmt.Fprintln(w, "# The recording lacks a part of its body.")
	}
	for _, name := range curl.Variables(r) {
		fmt.Fprintf(w, ": \"${%s:?is a secret: set it first}\"\n", name)
	}
	w.WriteString(command + "\n")
	return true
}

// comment returns a text that stays on the line of a comment.
func comment(s string) string { return strings.ReplaceAll(visible.Line(s), "\\", "/") }
