package config

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

// maxTOML is the longest config.toml that is read, in bytes.
const maxTOML = 256 << 10

// Dir returns the folder of a user's settings on a platform (a GOOS), empty if there is none:
// $XDG_CONFIG_HOME/parley, or the platform's own folder for such files.
func Dir(goos string, getenv func(string) string) string {
	home, base := getenv("HOME"), getenv("XDG_CONFIG_HOME")
	switch {
	case filepath.IsAbs(base):
	case goos == "windows":
		base = getenv("APPDATA")
	case home == "":
	case goos == "darwin":
		base = filepath.Join(home, "Library", "Application Support")
	default:
		base = filepath.Join(home, ".config")
	}
	if base == "" {
		return ""
	}
	return filepath.Join(base, "parley")
}

// A document is the content of a config.toml.
type document struct {
	path     string
	o        Options
	values   map[string]Value // by flag
	agents   []Agent
	taps     []Tap
	unusable map[string]string
	helper   []string // bearer-command
	keys     []Keys
	keep     string // sessions.keep
	warnings []string
	// agentsOnly is set if only agents are read.
	agentsOnly bool
}

// readTOML reads a config.toml. Each mistake is reported in a sentence with its line, and costs
// only itself; a file that is not TOML is not used at all.
func readTOML(path string, o Options) (*document, error) {
	content, info, err := slurp(path, maxTOML)
	if err != nil {
		return nil, err
	}
	by := usual
	if path == o.File {
		by = named
	}
	if err := by.distrust(path, info); err != nil {
		return nil, err
	}
	content = bytes.TrimPrefix(content, []byte("\xef\xbb\xbf"))
	d := &document{path: path, o: o, values: map[string]Value{}, unusable: map[string]string{}}
	var whole map[string]any
	if err := toml.Unmarshal(content, &whole); err != nil {
		place := path
		if at, ok := errors.AsType[*toml.DecodeError](err); ok {
			row, column := at.Position()
			place = fmt.Sprintf("%s:%d:%d", path, row, column)
		}
		// The parser quotes lines of the file, which may hold secrets.
		return nil, fmt.Errorf("%s is not valid TOML", place)
	}
	// Only this parser reports the line of a value.
	var p unstable.Parser
	p.Reset(content)
	d.walk(&p)
	d.finish()
	return d, nil
}

// ReadAgents returns the agents of a TOML document at path, and their mistakes, each in a
// sentence with its line: an unusable value costs only itself, neither its agent nor the
// others. It reads only agents. misfit is [Options.Misfit].
func ReadAgents(path string, content []byte, misfit func(flag, value string) string) (agents []Agent, mistakes []string) {
	d := &document{path: path, o: Options{Misfit: misfit, Getenv: func(string) string { return "" }}, agentsOnly: true, unusable: map[string]string{}}
	var p unstable.Parser
	p.Reset(content)
	d.walk(&p)
	d.drop()
	for i := range d.agents {
		d.agents[i].Place = "" // nobody wrote it by hand
	}
	return d.agents, d.warnings
}

// walk handles one expression after the other.
func (d *document) walk(p *unstable.Parser) {
	var table []string // the one that is open
	for p.NextExpression() {
		n := p.Expression()
		keys, line := keysOf(p, n)
		switch n.Kind {
		case unstable.Table, unstable.ArrayTable:
			table = keys
			switch {
			case slices.Equal(keys, []string{"agent"}) && n.Kind == unstable.ArrayTable:
				d.agents = append(d.agents, Agent{Place: d.place(line)})
			case isTap(keys) && n.Kind == unstable.ArrayTable && !d.agentsOnly:
				d.taps = append(d.taps, Tap{Place: d.place(line)})
			case d.agentsOnly && (len(keys) == 0 || keys[0] != "agent"):
			case len(keys) > 0 && keys[0] == "keys" && n.Kind == unstable.Table, slices.Equal(keys, []string{"sessions"}) && n.Kind == unstable.Table:
			case len(keys) > 0 && keys[0] == "agent":
				d.warn(line, "an agent begins with [[agent]]; this is not used")
			case len(keys) > 0 && keys[0] == "tap":
				d.warn(line, "a tap begins with [[tap]]; this is not used")
			default:
				d.warn(line, "there is no table %s; its content is not used", strings.Join(keys, "."))
			}
		case unstable.KeyValue:
			switch {
			case len(table) == 0 && d.agentsOnly:
			case !d.agentsOnly && slices.Concat(table, keys)[0] == "keys":
				d.ofKeys(slices.Concat(table, keys)[1:], n.Value(), line)
			case !d.agentsOnly && slices.Concat(table, keys)[0] == "sessions":
				d.ofSessions(slices.Concat(table, keys)[1:], n.Value(), line)
			case len(table) == 0 && len(keys) == 1:
				d.setting(keys[0], n.Value(), line)
			case len(table) == 0:
				d.warn(line, "there is no setting %s: parley config show lists the settings", strings.Join(keys, "."))
			case slices.Equal(table, []string{"agent"}) && len(keys) == 1 && len(d.agents) > 0:
				d.ofAgent(&d.agents[len(d.agents)-1], keys[0], n.Value(), line)
			case isTap(table) && len(keys) == 1 && len(d.taps) > 0:
				d.ofTap(&d.taps[len(d.taps)-1], keys[0], n.Value(), line)
			}
		}
	}
}

// keysOf returns the parts of an expression's key and the line on which it stands.
func keysOf(p *unstable.Parser, n *unstable.Node) (keys []string, line int) {
	for it := n.Key(); it.Next(); {
		if line == 0 {
			line = p.Shape(it.Node().Raw).Start.Line
		}
		keys = append(keys, string(it.Node().Data))
	}
	return keys, line
}

func (d *document) place(line int) string { return d.path + ":" + strconv.Itoa(line) }

func (d *document) warn(line int, format string, args ...any) {
	d.warnings = append(d.warnings, d.place(line)+": "+fmt.Sprintf(format, args...))
}

// reducedMotion is another name of --no-motion, by which other programs and systems call it.
const reducedMotion = "reduced_motion"

// setting sets the value of a flag.
func (d *document) setting(flag string, v *unstable.Node, line int) {
	list, ok := texts(v)
	name := flag
	if name == reducedMotion {
		flag = "no-motion"
	}
	switch {
	case flag == "bearer-command":
		d.helper = d.command(v, line)
	case d.o.Flags != nil && !slices.Contains(d.o.Flags(), flag):
		d.warn(line, "there is no setting %s: parley config show lists the settings", name)
	case !ok:
		d.warn(line, "the value of %s is neither text, number, true or false, nor a list of texts; it is not used", name)
	case IsSecret(flag) && !reference(list):
		d.warn(line, "%s is written as plain text and not used: write %s = \"$NAME\", and set NAME", flag, flag)
	case IsAddress(flag) && slices.ContainsFunc(list, HoldsPassword):
		d.warn(line, "%s contains a password and is not used: write %s = \"$NAME\" instead, and set NAME", flag, secretFor(flag))
	default:
		if d.isFile(flag) && len(list) == 1 {
			list[0] = beside(list[0], filepath.Dir(d.path), home(d.o.Getenv))
		}
		d.values[flag] = Value{Text: strings.Join(list, "\n"), Variable: name, File: d.place(line), Mild: true}
	}
}

// ofSessions sets how recorded sessions are treated.
func (d *document) ofSessions(name []string, v *unstable.Node, line int) {
	text, ok := texts(v)
	switch {
	case !slices.Equal(name, []string{"keep"}):
		d.warn(line, "there is no setting sessions.%s: it has keep", strings.Join(name, "."))
	case !ok || len(text) != 1 || v.Kind != unstable.String:
		d.warn(line, "the value of sessions.keep must be an age such as \"30d\"; it is not used")
	default:
		if why := d.misfit("sessions.keep", text[0]); why != "" {
			d.warn(line, "the value of sessions.keep is %s; it is not used", why)
			return
		}
		d.keep = text[0]
	}
}

// misfit says what is wrong with a value, empty if nothing is.
func (d *document) misfit(name, value string) string {
	if d.o.Misfit == nil {
		return ""
	}
	return d.o.Misfit(name, value)
}

// agentMembers are the members of an agent, in the order in which sentences list them.
const agentMembers = "name, ref, dialect, endpoint, tenant, transport, extension, bearer, bearer-command, api-key, svc-param, public, mqtt-user, mqtt-password, mqtt-client-id, mesh-user, mesh-interval, mesh-gone, artifact-gateway, cacert, cert and key"

// ofAgent sets a member of an agent. An unusable value is skipped, with a sentence, and the
// agent stays.
func (d *document) ofAgent(a *Agent, name string, v *unstable.Node, line int) {
	texts, ok := texts(v)
	one := map[string]*string{
		"name": &a.Name, "ref": &a.Ref, "dialect": &a.Dialect, "endpoint": &a.Endpoint, "tenant": &a.Tenant, "bearer": &a.Bearer, "api-key": &a.APIKey,
		"mqtt-user": &a.MQTTUser, "mqtt-password": &a.MQTTPassword, "mqtt-client-id": &a.MQTTClientID, "mesh-user": &a.MeshUser, "mesh-interval": &a.MeshInterval, "mesh-gone": &a.MeshGone, "artifact-gateway": &a.ArtifactGateway,
		"cacert": &a.CACert, "cert": &a.Cert, "key": &a.Key,
	}[name]
	many := map[string]*[]string{
		"transport": &a.Transport, "extension": &a.Extension, "svc-param": &a.Params, "public": &a.Public, "bearer-command": &a.BearerCommand,
	}[name]
	switch {
	case one == nil && many == nil:
		d.warn(line, "an agent has no %s: it has %s", name, agentMembers)
	case !ok || one != nil && (len(texts) != 1 || v.Kind != unstable.String):
		d.warn(line, "the %s of an agent must be text; it is not used", name)
	case name == "bearer-command":
		a.BearerCommand = d.command(v, line)
	case many != nil:
		*many = d.usable(a, name, texts, line)
	case IsSecret(name) && !reference(texts):
		d.warn(line, "%s is written as plain text and not used: write %s = \"$NAME\", and set NAME", name, name)
	case IsAddress(name) && HoldsPassword(texts[0]):
		d.warn(line, "the %s contains a password and is not used: write %s = \"$NAME\" instead, and set NAME", name, secretFor(name))
	default:
		if d.isFile(name) && !d.agentsOnly {
			texts[0] = beside(texts[0], filepath.Dir(d.path), home(d.o.Getenv))
		}
		if name == "name" || name == "ref" || len(d.usable(a, name, texts, line)) == 1 {
			*one = texts[0]
		}
	}
}

// usable returns the usable values of an agent, and warns of the others.
func (d *document) usable(a *Agent, name string, values []string, line int) (fit []string) {
	whose := "this agent"
	if CheckName(a.Name) == "" {
		whose = a.Name
	}
	for _, v := range values {
		why := ""
		switch {
		case !utf8.ValidString(v):
			why = "not text"
		case d.agentsOnly && d.isFile(name): // it is read when the agent is opened
		case d.o.Misfit != nil && v != "":
			why = d.o.Misfit(name, v)
		}
		if why != "" {
			d.warn(line, "the %s of %s is %s; it is not used, and the agent is opened without it", name, whose, why)
			continue
		}
		fit = append(fit, v)
	}
	return fit
}

// secrets are the settings that are secrets as a whole.
var secrets = [...]string{"bearer", "api-key", "mqtt-password", "push-token", "push-credentials"}

// IsSecret reports whether a setting is a secret, of which files have only the variable.
func IsSecret(name string) bool { return slices.Contains(secrets[:], name) }

// IsAddress reports whether a setting is the address of a server, which may contain a password. The ref
// of an agent is checked with the agent.
func IsAddress(name string) bool {
	return slices.Contains([]string{"agent-card", "endpoint", "artifact-gateway", "push-url", "allow-origin"}, name)
}

// secretFor names the setting for credentials that belong to an address.
func secretFor(address string) string {
	if address == "push-url" {
		return "push-credentials"
	}
	return "bearer"
}

// isFile reports whether a setting names a file that is read.
func (d *document) isFile(name string) bool {
	return name == "cacert" || name == "cert" || name == "key"
}

// command reads a program with its arguments, which is a list so that no shell is involved.
func (d *document) command(v *unstable.Node, line int) []string {
	list, ok := texts(v)
	if !ok || v.Kind != unstable.Array || len(list) == 0 || strings.TrimSpace(list[0]) == "" {
		d.warn(line, "bearer-command must be a list such as [\"tool\", \"argument\"], which no shell reads; it is not used")
		return nil
	}
	if strings.HasPrefix(list[0], "~/") || strings.HasPrefix(list[0], "./") || strings.HasPrefix(list[0], "../") {
		list[0] = beside(list[0], filepath.Dir(d.path), home(d.o.Getenv))
	}
	return list
}

// reference reports whether a text is the name of a variable, $NAME.
func reference(texts []string) bool {
	if len(texts) != 1 {
		return false
	}
	_, ok := VariableIn(texts[0])
	return ok
}

// VariableIn returns the name of the variable in a text: $NAME or ${NAME}.
func VariableIn(text string) (name string, ok bool) {
	name, ok = strings.CutPrefix(text, "$")
	if inner, braced := strings.CutPrefix(name, "{"); braced {
		name, braced = strings.CutSuffix(inner, "}")
		ok = ok && braced
	}
	odd := func(r rune) bool {
		return r != '_' && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
	}
	return name, ok && name != "" && !strings.ContainsFunc(name, odd)
}

// texts returns a value as texts, one for each element of a list.
func texts(v *unstable.Node) ([]string, bool) {
	switch v.Kind {
	case unstable.String, unstable.Bool:
		return []string{string(v.Data)}, true
	case unstable.Integer:
		n, err := strconv.ParseInt(strings.ReplaceAll(string(v.Data), "_", ""), 0, 64)
		return []string{strconv.FormatInt(n, 10)}, err == nil
	case unstable.Array:
		var out []string
		for it := v.Children(); it.Next(); {
			if it.Node().Kind != unstable.String {
				return nil, false
			}
			out = append(out, string(it.Node().Data))
		}
		return out, true
	default:
		return nil, false
	}
}

// finish removes unusable agents, and resolves the files that the others name.
func (d *document) finish() {
	d.drop()
	for i := range d.agents {
		d.agents[i].Ref = resolveRef(d.agents[i].Ref, filepath.Dir(d.path), home(d.o.Getenv))
	}
}

// drop removes unusable agents.
func (d *document) drop() {
	var kept []Agent
	for _, a := range d.agents {
		why := a.Check()
		if why == "" && slices.ContainsFunc(kept, func(b Agent) bool { return strings.EqualFold(a.Name, b.Name) }) {
			why = "two agents are named " + a.Name
		}
		if why != "" {
			d.warnings = append(d.warnings, a.Place+": "+why+"; it is not used")
			if name := strings.ToLower(a.Name); d.unusable[name] == "" && CheckName(a.Name) == "" {
				d.unusable[name] = why + " (" + a.Place + ")"
			}
			continue
		}
		kept = append(kept, a)
	}
	d.agents = kept
}

// home returns the user's home, empty if it is unknown.
func home(getenv func(string) string) string {
	dir := getenv("HOME")
	if dir == "" && runtime.GOOS == "windows" {
		dir = getenv("USERPROFILE")
	}
	return dir
}
