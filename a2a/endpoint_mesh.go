package a2a

import (
	"cmp"
	"net/url"
	"strings"
	"unicode/utf8"

	"parley/a2a/hostname"
)

// meshPorts are the schemes of brokers of a mesh, with their usual ports.
var meshPorts = map[string]string{"mqtt": "1883", "mqtts": "8883", "ws": "80", "wss": "443"}

// meshOrigins are the schemes of HTTP with the same transport, for the rule of origins.
var meshOrigins = map[string]string{"mqtt": "http", "mqtts": "https", "ws": "http", "wss": "https"}

// The longest topic that a Solace broker accepts is 250 bytes; a longer one makes it close the
// connection.
const maxTopic = 250

// A MeshAddress is a namespace of a Solace Agent Mesh on a broker, or one agent in it. As a URL
// the path is the namespace, and for an agent the topic of its requests.
type MeshAddress struct {
	Broker    string // scheme://host:port, and for WebSocket maybe ?path=/p
	Namespace string
	Agent     string // empty for the whole mesh
}

// IsMesh reports whether a text is the address of a broker by its scheme.
func IsMesh(address string) bool {
	scheme, _, ok := strings.Cut(strings.TrimSpace(address), "://")
	return ok && meshPorts[strings.ToLower(scheme)] != ""
}

// ParseMesh reads mqtt://host:1883/NAMESPACE, with #AGENT or with the topic of an agent's
// requests as its path. The problem says in one sentence why it cannot.
func ParseMesh(s string) (m MeshAddress, problem string) {
	u, err := url.Parse(strings.TrimSpace(s))
	switch {
	case err != nil || u.Hostname() == "" || strings.ContainsAny(u.Host, " \t") || !IsMesh(s):
		return m, "This is no address of a broker: write mqtt://host:1883/NAMESPACE, or mqtts:// with TLS."
	case u.User != nil:
		return m, "A name or password in a URL would be shown on screens and saved in files: give them with --mqtt-user and PARLEY_MQTT_PASSWORD."
	case !isHost(u):
		return m, noHost(u)
	}
	scheme := strings.ToLower(u.Scheme)
	m.Broker = scheme + "://" + hostname.Join(u.Hostname(), cmp.Or(u.Port(), meshPorts[scheme]))
	if path := u.Query().Get("path"); path != "" && strings.HasPrefix(scheme, "ws") {
		m.Broker += "/?path=" + url.QueryEscape(path)
	}
	m.Namespace, m.Agent = strings.Trim(u.Path, "/"), u.Fragment
	if at := strings.LastIndex("/"+m.Namespace, meshRoot+meshRequest); at >= 0 {
		topic := "/" + m.Namespace
		m.Namespace, m.Agent = strings.Trim(topic[:at], "/"), topic[at+len(meshRoot+meshRequest):]
	} else if at := strings.LastIndex("/"+m.Namespace+"/", meshRoot); at >= 0 {
		m.Namespace = strings.Trim(("/" + m.Namespace)[:at], "/")
	}
	return m, m.problem()
}

// problem says why an address cannot be used, empty if it can.
func (m MeshAddress) problem() string {
	switch {
	case m.Namespace == "":
		return "The address names no namespace of the mesh: write mqtt://host:1883/NAMESPACE, as in the setting NAMESPACE of the mesh."
	case BadTopicPart(m.Namespace, true) != "":
		return "The namespace “" + clip(m.Namespace) + "” cannot be part of a topic: it contains " + BadTopicPart(m.Namespace, true) + "."
	case m.Agent != "" && BadTopicPart(m.Agent, false) != "":
		return "The agent “" + clip(m.Agent) + "” cannot be part of a topic: it contains " + BadTopicPart(m.Agent, false) + "."
	case len(m.RequestTopic()) > maxTopic:
		return "The topic of the agent's requests is longer than 250 bytes, which brokers refuse: shorten the namespace or the name."
	}
	return ""
}

// BadTopicPart says what a name contains that must not stand in a topic, because brokers read it
// as a pattern, as another level or not at all; empty if nothing. Levels allows several levels.
func BadTopicPart(name string, levels bool) string {
	switch {
	case !utf8.ValidString(name):
		return "bytes that are no text"
	case strings.ContainsAny(name, "+#*>"):
		return "a character of patterns (+ # * >)"
	case strings.HasPrefix(name, "$") || strings.HasPrefix(name, "!"):
		return "$ or ! at its beginning"
	case strings.ContainsFunc(name, isControl):
		return "a control character"
	case !levels && strings.Contains(name, "/"):
		return "a slash"
	case len(name) > maxTopic:
		return "more than 250 bytes"
	default:
		return ""
	}
}

// The levels of topics below a namespace.
const (
	meshRoot    = "/a2a/v1/"
	meshRequest = "agent/request/"
)

// Topic returns a topic below the namespace.
func (m MeshAddress) Topic(rest string) string { return m.Namespace + meshRoot + rest }

// RequestTopic returns the topic of the agent's requests.
func (m MeshAddress) RequestTopic() string { return m.Topic(meshRequest + m.Agent) }

// String returns the address as a URL: with the topic of the agent's requests if it names one.
func (m MeshAddress) String() string {
	if m.Agent != "" {
		return m.url(m.RequestTopic())
	}
	return m.url(m.Namespace)
}

// Reference returns the address as a user writes it: with the name of the agent behind #.
func (m MeshAddress) Reference() string {
	if m.Agent == "" {
		return m.String()
	}
	ref := m.url(m.Namespace) + "#" + (&url.URL{Fragment: m.Agent}).EscapedFragment()
	if again, problem := ParseMesh(ref); problem != "" || again != m { // a namespace that looks like a topic
		return m.String()
	}
	return ref
}

// source returns where the card of an agent came from: the topic of all cards, with the agent's name.
func (m MeshAddress) source() string {
	source := m.url(m.Topic("discovery/agentcards"))
	if m.Agent != "" {
		source += "#" + (&url.URL{Fragment: m.Agent}).EscapedFragment()
	}
	return source
}

// Named returns the address of the agent that m names, else of the one that a pinned endpoint names
// in the same mesh; the address of the mesh if neither names one.
func (m MeshAddress) Named(endpoint string) MeshAddress {
	if pinned, problem := ParseMesh(endpoint); m.Agent == "" && problem == "" && pinned.At("") == m {
		return pinned
	}
	return m
}

// url returns the URL of a topic on the broker.
func (m MeshAddress) url(topic string) string {
	base, query, _ := strings.Cut(m.Broker, "/?")
	if query != "" {
		query = "?" + query
	}
	return base + (&url.URL{Path: "/" + topic}).EscapedPath() + query
}

// At returns the address of an agent of the same mesh.
func (m MeshAddress) At(agent string) MeshAddress {
	m.Agent = agent
	return m
}
