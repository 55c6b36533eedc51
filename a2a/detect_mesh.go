package a2a

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strings"
)

// solaceScheme begins the URL of an agent in its card: the rest is the topic of its requests.
const solaceScheme = "solace:"

// mesh fills the profile of an agent whose card came from the discovery topic of a broker. Requests go
// to the topic of the agent that was named, whatever the card says: it is a claim of whoever may
// publish, and must not lead elsewhere.
func (d *detector) mesh() {
	address, problem := ParseMesh(d.card.SourceURL)
	if address.Agent == "" { // of a recording, whose cards come from the topic of all agents
		address.Agent = d.card.Name
	}
	p := &d.profile
	if problem == "" {
		problem = address.problem()
	}
	if problem != "" {
		p.Problem = problem
		return
	}
	d.onBroker(&address)
	d.elsewhere(&address)
}

// elsewhere judges the addresses that the card declares besides the topic of its agent. If none is that
// topic, and one is another topic, nobody may listen there: nothing is sent.
func (d *detector) elsewhere(address *MeshAddress) {
	p, listed := &d.profile, 0
	own, topic, other := false, "", ""
	for i := range d.card.Interfaces {
		at := &d.card.Interfaces[i]
		switch declared, onMesh := declaredTopic(at.DeclaredURL, address); {
		case onMesh && declared == address.RequestTopic():
			own = true
			continue
		case onMesh:
			topic = cmp.Or(topic, declared)
		default:
			other = cmp.Or(other, at.DeclaredURL)
		}
		if listed++; at.DeclaredURL != "" && listed <= maxWarnings {
			p.Evidence = append(p.Evidence, Evidence{Field: "interface", Value: clip(cmp.Or(at.BindingWord, at.Binding.String())),
				Reason: "declared at " + clip(at.DeclaredURL) + ", not used: a card of a mesh leads to the agent's topic alone", Confidence: Certain})
		}
	}
	switch {
	case own:
	case topic != "":
		p.Problem = fmt.Sprintf("The card of %s names the topic %s, which is not that of its name in this mesh (%s): nothing is sent there.",
			clip(address.Agent), clip(topic), clip(address.RequestTopic()))
	case other != "":
		d.warn("The card of %s names %s and no topic; on a mesh requests go to the topic of the agent alone: to use that address, open it or name it with --endpoint",
			clip(address.Agent), clip(MaskURL(other)))
	}
}

// onBroker fills the profile of an agent on a broker. Updates come whatever the card says about
// streaming, which only chooses the method.
func (d *detector) onBroker(address *MeshAddress) {
	p := &d.profile
	p.Dialect, p.Binding, p.Endpoint, p.Agent, p.Streaming = SAMBroker, BindingMQTT, address.String(), address.Agent, true
	p.Evidence = append(p.Evidence,
		Evidence{Field: "dialect", Value: string(SAMBroker), Reason: "the card came from the discovery topic of a Solace Agent Mesh", Confidence: Certain},
		Evidence{Field: "binding", Value: string(BindingMQTT), Reason: "the card came from a broker", Confidence: Certain},
		Evidence{Field: "endpoint", Value: p.Endpoint, Reason: "the topic of the agent's requests, by its name", Confidence: Certain})
}

// declaredTopic returns the topic in the URL of an interface, and whether it is one of a broker: that of
// another broker is its whole URL.
func declaredTopic(declared string, mesh *MeshAddress) (topic string, onMesh bool) {
	declared = strings.TrimSpace(declared)
	if len(declared) >= len(solaceScheme) && strings.EqualFold(declared[:len(solaceScheme)], solaceScheme) {
		topic = strings.TrimLeft(declared[len(solaceScheme):], "/")
		if topic != mesh.RequestTopic() {
			topic = unescape(topic)
		}
		return topic, true
	}
	if other, problem := ParseMesh(declared); problem == "" && other.Broker == mesh.Broker {
		return other.RequestTopic(), true
	}
	return declared, strings.HasPrefix(strings.ToLower(declared), "mqtt") // a WebSocket may be anything
}

// meshProfile is the profile of an agent of a mesh without a card.
func meshProfile(address MeshAddress, pins *Pins) Profile {
	d := detector{card: &Card{Name: address.Agent}}
	d.onBroker(&address)
	for i := range d.profile.Evidence {
		d.profile.Evidence[i].Reason, d.profile.Evidence[i].Confidence = "the address that was given", Likely
	}
	return pins.Apply(d.profile)
}

// displayName is the extension in which an agent of a mesh says how users should call it.
const displayName = "https://solace.com/a2a/extensions/display-name"

// DisplayName returns the name for users: that of an extension of Solace Agent Mesh, otherwise the
// name of the card.
func (c *Card) DisplayName() string { return cmp.Or(c.display, c.Name) }

// displayIn returns the name for users in extensions, empty if they have none.
func displayIn(extensions []Extension) string {
	for _, e := range extensions {
		var params struct {
			Name any `json:"display_name"`
		}
		if e.URI != displayName || json.Unmarshal(e.Params, &params) != nil {
			continue
		}
		if name, ok := params.Name.(string); ok && strings.TrimSpace(name) != "" {
			return name
		}
	}
	return ""
}
