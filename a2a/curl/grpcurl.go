package curl

import (
	"net/url"
	"strings"

	"parley/a2a"
)

// GRPC returns the command line of grpcurl that repeats a request over gRPC; it is empty for
// other records. Secrets are variables, as in [Command]. The server needs reflection, or
// grpcurl the option -proto.
func GRPC(r *a2a.Record) string {
	if r.Kind != a2a.KindRequest || r.Head == nil || !a2a.IsGRPC(r.Head.URL) {
		return ""
	}
	u, err := url.Parse(r.Head.URL)
	if err != nil {
		return ""
	}
	c := command{record: r, names: names(r)}
	options := []string{"grpcurl"}
	if strings.EqualFold(u.Scheme, "grpc") {
		options[0] += " -plaintext"
	}
	used := map[string]int{} // variables of a name so far
	for _, l := range c.lines() {
		if l.Key == "User-Agent" || l.Key == "Host" || !token(l.Name) {
			continue
		}
		t, n := masked(l.Value, c.names.header[l.Key][min(used[l.Key], len(c.names.header[l.Key])):])
		used[l.Key] += n
		options = append(options, "-H "+append(text{{literal: strings.ToLower(l.Name) + ": "}}, t...).word())
	}
	to := text{{literal: u.Host}}.word() + " " + text{{literal: strings.TrimPrefix(u.Path, "/")}}.word()
	before := ""
	if body := c.body(); len(r.Raw) > 0 {
		if inline := body.word(); body.plain() && len(inline) <= maxArgument && !body.file() {
			options = append(options, "-d "+inline)
		} else {
			before = body.pipe() + " |\n"
			options = append(options, "-d @")
		}
	}
	return before + strings.Join(append(options, to), " \\\n  ")
}
