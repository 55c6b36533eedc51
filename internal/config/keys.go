package config

import (
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"
)

// Keys are the keys that config.toml gives an action of the workbench.
type Keys struct {
	Action string // "wire.mark-record"
	Press  []string
	Place  string // the file and line
}

// ofKeys sets the keys of an action, whose name has two parts.
func (d *document) ofKeys(name []string, v *unstable.Node, line int) {
	press, ok := texts(v)
	switch {
	case len(name) != 2:
		d.warn(line, "an action of keys has a section and a name, as in keys.wire.mark-record; %s is not used", strings.Join(name, "."))
	case !ok || v.Kind != unstable.String && v.Kind != unstable.Array:
		d.warn(line, "the value of keys.%s must be a key or a list of keys; it is not used", strings.Join(name, "."))
	default:
		d.keys = append(d.keys, Keys{Action: strings.Join(name, "."), Press: press, Place: d.place(line)})
	}
}
