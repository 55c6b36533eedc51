package a2a

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strings"
)

// solaceScheme begins the URL of an agent in its card: the rest is the topic of its requests.
const solaceScheme = "solace:"

// mesh reports whether the card came from the discovery topic of a broker, and fills the profile.
// Requests go to the topic that belongs to the name in the card, if the card says the same: a card
// is a claim of whoever may publish, and must not lead elsewhere.
func (d *detector) mesh() bool {
	if !IsMesh(d.card.SourceURL) {
		return false
	}
	address, problem := ParseMesh(d.card.SourceURL)
	address = address.At(d.card.Name)
	p := &d.profile
	if problem == "" {
		problem = address.problem()
	}
	if problem != "" {
		p.Problem = problem
		return true
	}
	if declared := d.declaredTopic(); declared != "" && declared != address.RequestTopic() {
		p.Problem = fmt.Sprintf("The card of %s names the topic %s, which is not that of its name in this mesh (%s): nothing is sent there.",
			clip(d.card.Name), clip(declared), clip(address.RequestTopic()))
	}
	d.onBroker(&address)
	return true
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

// declaredTopic returns the topic that the card declares, empty if it declares none.
func (d *detector) declaredTopic() string {
	for i := range d.card.Interfaces {
		if topic, ok := strings.CutPrefix(d.card.Interfaces[i].DeclaredURL, solaceScheme); ok {
			return topic
		}
	}
	return ""
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
