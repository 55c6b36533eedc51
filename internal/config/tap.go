package config

import (
	"slices"

	"github.com/pelletier/go-toml/v2/unstable"
)

// A Tap is one of a set of taps: where its clients connect, and the agent behind it.
type Tap struct {
	Name   string
	To     string // the URL of the agent
	Listen string // host and port, empty for a free port on loopback
	Fault  string // that it injects, as --fault of parley tap, empty for none

	Place string // file and line
}

// tapMembers are the members of a tap, in the order in which sentences list them.
const tapMembers = "name, to, listen and fault"

// isTap reports whether keys name the list of taps.
func isTap(keys []string) bool { return slices.Equal(keys, []string{"tap"}) }

// ofTap sets a member of a tap. An unusable value is skipped, with a sentence.
func (d *document) ofTap(t *Tap, name string, v *unstable.Node, line int) {
	text, ok := texts(v)
	member := map[string]*string{"name": &t.Name, "to": &t.To, "listen": &t.Listen, "fault": &t.Fault}[name]
	switch {
	case member == nil:
		d.warn(line, "a tap has no %s: it has %s", name, tapMembers)
	case !ok || len(text) != 1 || v.Kind != unstable.String:
		d.warn(line, "the %s of a tap must be text; it is not used", name)
	case name == "to" && HoldsPassword(text[0]):
		d.warn(line, "the to of a tap contains a password and is not used: clients send their own credentials")
	default:
		if why := d.misfit("tap."+name, text[0]); why != "" {
			d.warn(line, "the %s of a tap is %s; it is not used", name, why)
			return
		}
		*member = text[0]
	}
}
