package chat

import (
	"net/url"

	"parley/a2a"
	"parley/a2a/hostname"
)

// samples are the agents that the official SDKs come with, by the port at which they start: what each is, and
// how its README starts it.
var samples = map[string]string{
	"9001":  "the hello world of the Go SDK: go run ./examples/helloworld/server/jsonrpc, in a2a-go",
	"9999":  "the hello world of the Python SDK: uv run . in a2a-samples/samples/python/agents/helloworld",
	"41241": "the sample agent of the JavaScript SDK: npm run agents:sample-agent, in a2a-js",
}

// absentLines say what happens while nobody is at the agent's address, and how to start an agent.
func (p *Pane) absentLines() []string {
	k := p.renderer
	if !p.agent.Away() || k.recording {
		return nil
	}
	lines := append([]string{""}, indent(2, k.withKey("Parley tries again until it answers; /reconnect tries now.", "/reconnect", p.w-2))...)
	if p.agent.Card != nil {
		return lines // the user knows where it is
	}
	if sample := sampleAt(p.agent.Ref); sample != "" {
		lines = append(lines, "")
		lines = append(lines, indent(2, k.text(k.st.Dim, "At this port starts "+sample+".", p.w-2))...)
	}
	lines = append(lines, "")
	const practise = "parley demo-server"
	return append(lines, indent(2, k.withKey("To practise, "+practise+" starts agents, in another terminal, and prints their addresses.", practise, p.w-2))...)
}

// sampleAt names the sample that starts at an address of this machine, empty if none does.
func sampleAt(ref string) string {
	if !a2a.LooksLikeAddress(ref) {
		return ""
	}
	u, err := url.Parse(ref)
	if err != nil || u.Host == "" {
		u, err = url.Parse("http://" + ref)
	}
	if err != nil {
		return ""
	}
	if !hostname.IsLoopback(u.Hostname()) {
		return ""
	}
	return samples[u.Port()]
}
