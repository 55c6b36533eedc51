package curl

import (
	"net/url"
	"strings"

	"parley/a2a"
)

// MQTT returns the command line of mosquitto_pub that repeats a request on a broker; it is empty for
// other records, and over WebSocket, which that program does not speak. Secrets are variables, as
// in [Command]. The answers go where those of the recorded request went.
func MQTT(r *a2a.Record) string {
	if r.Kind != a2a.KindRequest || r.Head == nil || len(r.Raw) == 0 || !a2a.IsMesh(r.Head.URL) {
		return ""
	}
	u, err := url.Parse(r.Head.URL)
	if err != nil || strings.HasPrefix(strings.ToLower(u.Scheme), "ws") {
		return ""
	}
	word := func(s string) string { return text{{literal: s}}.word() }
	c := command{record: r, names: names(r)}
	options := []string{"mosquitto_pub -V 5 -q 1 -h " + word(u.Hostname()) + " -p " + word(u.Port()), "-t " + word(strings.TrimPrefix(u.Path, "/"))}
	if strings.EqualFold(u.Scheme, "mqtts") {
		options[0] += " --tls-use-os-certs"
	}
	used := map[string]int{} // variables of a name so far
	for _, l := range c.lines() {
		t, n := masked(l.Value, c.names.header[l.Key][min(used[l.Key], len(c.names.header[l.Key])):])
		used[l.Key] += n
		options = append(options, "-D publish user-property "+word(l.Name)+" "+t.word())
	}
	body := c.body()
	if inline := body.word(); body.plain() && len(inline) <= maxArgument {
		return strings.Join(append(options, "-m "+inline), " \\\n  ")
	}
	return body.pipe() + " |\n" + strings.Join(append(options, "-s"), " \\\n  ")
}
