package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"parley/a2a"
	"parley/internal/config"
	"parley/internal/roster"
	"parley/session/engine"
	"parley/session/journal"
	"parley/themes"
)

// roster returns the file of saved and recent agents, nil if there is no folder for it.
func (a *app) roster() *roster.File {
	if a.rosterFile == nil {
		if dir, err := journal.SessionsDir(runtime.GOOS, a.env.get); err == nil {
			a.rosterFile = roster.Open(filepath.Join(filepath.Dir(dir), "agents.toml"))
			a.rosterFile.Misfit = misfit
			known := a.rosterFile.Content()
			for _, mistake := range known.Mistakes {
				a.mildly("%s", line(mistake))
			}
		}
	}
	return a.rosterFile
}

// savedAgent returns the agent of a name: of config.toml, otherwise one that was saved on the
// screen.
func (a *app) savedAgent(name string) (config.Agent, bool) {
	for _, agent := range a.settings.Agents {
		if strings.EqualFold(agent.Name, name) {
			return agent, true
		}
	}
	if config.CheckName(name) != "" {
		return config.Agent{}, false
	}
	if file := a.roster(); file != nil {
		c := file.Content()
		return c.Find(name)
	}
	return config.Agent{}, false
}

// engineAgent returns an agent of a name as an engine opens it; more are options that every agent
// gets.
func (a *app) engineAgent(name string, more func(*a2a.Options)) (engine.Saved, bool) {
	agent, ok := a.savedAgent(name)
	if !ok {
		return engine.Saved{}, false
	}
	own, warnings := a.own(&agent)
	client := func() a2a.Options {
		o := own.client(agent.Ref)
		for i := range o.Headers {
			o.Headers[i].Pinned = slices.ContainsFunc(agent.Params, func(p string) bool {
				h, _ := param(p)
				return strings.EqualFold(h.Name, o.Headers[i].Name)
			})
		}
		more(&o)
		if len(agent.Transport) > 0 && !a.net.fromFlags["transport"] {
			o.Pins.Prefer = bindings(agent.Transport)
		}
		if len(agent.Extension) > 0 && !a.net.fromFlags["extension"] {
			o.Extensions = agent.Extension
		}
		return o
	}
	return engine.Saved{Name: agent.Name, Ref: agent.Ref, Client: client, Warnings: warnings}, true
}

// own returns the network settings of a saved agent: its own settings win over everything
// except the command line.
func (a *app) own(agent *config.Agent) (n network, warnings []string) {
	variable := func(name string) string {
		v, ok := a.settings.Variable(name)
		switch {
		case !ok:
			warnings = append(warnings, name+" is not set: Parley opens "+agent.Name+" without it")
		case v.Found:
			warnings = append(warnings, "the value of $"+name+" comes from "+v.File+", which was found in this folder or above it")
		}
		return v.Text
	}
	n = a.net
	own := func(flag, value string, to *string) {
		if value != "" && !n.fromFlags[flag] {
			*to = value
		}
	}
	secret := func(flag, reference string, to *string) {
		if name, ok := config.VariableIn(reference); ok && !n.fromFlags[flag] {
			own(flag, variable(name), to)
		}
	}
	secret("bearer", agent.Bearer, &n.bearer)
	secret("api-key", agent.APIKey, &n.apiKey)
	secret("mqtt-password", agent.MQTTPassword, &n.mqttPassword)
	own("mqtt-user", agent.MQTTUser, &n.mqttUser)
	own("mqtt-client-id", agent.MQTTClientID, &n.mqttClientID)
	own("mesh-user", agent.MeshUser, &n.meshUser)
	span := func(flag, value string, to *time.Duration) {
		if d, err := time.ParseDuration(value); err == nil && d > 0 && !n.fromFlags[flag] {
			*to = d
		}
	}
	span("mesh-interval", agent.MeshInterval, &n.meshInterval)
	span("mesh-gone", agent.MeshGone, &n.meshGone)
	own("artifact-gateway", agent.ArtifactGateway, &n.artifactGateway)
	own("dialect", agent.Dialect, &n.dialect)
	own("endpoint", agent.Endpoint, &n.endpoint)
	own("tenant", agent.Tenant, &n.tenant)
	n.public = slices.Concat(n.public, agent.Public)
	if len(agent.BearerCommand) > 0 && (agent.Bearer == "" || n.bearer == "") && !n.fromFlags["bearer"] {
		n.bearer, n.helper = "", a.tokenCommand(agent.BearerCommand)
	}
	if err := n.ownCertificates(agent); err != nil {
		warnings = append(warnings, err.Error()+"; "+agent.Name+" is opened without it")
	}
	params, plain := n.usableParams(agent, variable)
	warnings = append(warnings, plain...)
	if n.fromFlags["svc-param"] {
		n.params = besides(params, n.params)
	} else {
		n.params = besides(n.params, params)
	}
	return n, warnings
}

// usableParams returns the service parameters of a saved agent with the values of their variables, and warns of
// secrets among them.
func (n *network) usableParams(agent *config.Agent, variable func(string) string) (params, warnings []string) {
	for _, p := range agent.Params {
		if why := n.plainSecret(p); why != "" {
			warnings = append(warnings, placed(agent)+"a svc-param of "+agent.Name+" is "+why+"; Parley opens "+agent.Name+" without it")
			continue
		}
		params = append(params, os.Expand(p, variable))
	}
	return params, warnings
}

// placed begins a sentence about an agent with where the user wrote it.
func placed(agent *config.Agent) string {
	if agent.Place == "" {
		return ""
	}
	return agent.Place + ": "
}

// positive reports whether a text is a duration above 0.
func positive(s string) bool {
	d, err := time.ParseDuration(s)
	return err == nil && d > 0
}

// misfits say in a clause what is wrong with a value of a flag in config.toml, empty if nothing
// is. The flag itself checks its type.
var misfits = map[string]func(string) string{
	"sessions.keep": func(v string) string {
		if _, ok := parseAge(v); !ok {
			return "no age such as 30d"
		}
		return ""
	},
	"theme":            unless("not the name of a theme", func(s string) bool { return s == autoTheme || themes.CheckName(s) == "" }),
	"output":           unless("none of text, json and answer", func(s string) bool { return s == "text" || s == "json" || s == answerOnly }),
	"transport":        unless("not one of JSONRPC, HTTP+JSON, GRPC and MQTT", func(s string) bool { return checkTransports([]string{s}) == nil }),
	"dialect":          unless("not one of v1.0, v1.0-rest, v1.0-grpc, v0.3, v0.3-rest, v0.3-grpc, v0.2, v0.1, sam-broker, sam-http and sam-doc", func(s string) bool { _, _, ok := a2a.ParseDialect(s); return ok }),
	"a2a-version":      unless("not one of 1.0, 0.3, 0.2 and 0.1", func(s string) bool { _, ok := a2a.ParseVersion(s); return ok }),
	"endpoint":         unless("not an http, https, grpc, grpcs, mqtt, mqtts, ws or wss URL", func(s string) bool { return a2a.Origin(s) != "" }),
	"artifact-gateway": unless("not an http or https URL", func(s string) bool { return strings.HasPrefix(s, "http") && a2a.Origin(s) != "" }),
	"mqtt-client-id": func(s string) string {
		if bad := a2a.BadTopicPart(s, false); bad != "" {
			return "an id with " + bad
		}
		return ""
	},
	"allow-origin":  unless("not an origin such as https://agent.example", func(s string) bool { return !strings.Contains(s, "://") || a2a.Origin(s) != "" }),
	"timeout":       unless("not a duration such as 30s", func(s string) bool { d, err := time.ParseDuration(s); return err == nil && d >= 0 }),
	"poll-interval": unless("not a duration such as 2s", positive),
	"mesh-interval": unless("not a duration such as 10s", positive),
	"mesh-gone":     unless("not a duration such as 1m", positive),
	"ports":         checkPorts,
	"extension":     unless("not a URI that can be requested", func(s string) bool { return a2a.CheckExtension(s) == "" }),
	"public":        unfitPublic,
	"cacert":        func(s string) string { return unreadable(s, "", "") },
	"svc-param":     checkParam,
}

func unless(what string, fits func(string) bool) func(string) string {
	return func(s string) string {
		if fits(s) {
			return ""
		}
		return what
	}
}

// misfit says in a clause what is wrong with one value of a flag in config.toml, empty if
// nothing is.
func misfit(flag, value string) string {
	if check := misfits[flag]; check != nil && value != "" {
		return check(value)
	}
	return ""
}

// tooMany says in a clause why a flag in config.toml cannot have as many values, empty if
// it can.
func tooMany(flag string, values []string) string {
	if flag == "extension" && len(values) > a2a.MaxExtensions {
		return fmt.Sprintf("a list of more than %d", a2a.MaxExtensions)
	}
	return ""
}

// unreadable says in a clause what is wrong with files of certificates, empty if nothing is.
func unreadable(cacert, cert, key string) string {
	if _, err := loadCertificates(cacert, cert, key); err != nil {
		return "not a usable file: " + err.Error()
	}
	return ""
}
