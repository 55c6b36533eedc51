package ui

import (
	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/session/log"
	"parley/session/model"
	"parley/ui/control"
)

// fetching lists the artifacts that the conversation on the screen refers to by
// artifact:// URIs. They are fetched only when the user chooses one.
func (m *Model) fetching() []control.Command {
	a, conv := m.agent(), m.conversation()
	if a == nil || conv == nil {
		return nil
	}
	var out []control.Command
	for _, uri := range artifactURIs(conv) {
		e := control.Command{Name: "Fetch " + uri, Note: "from the gateway"}
		link, err := a2a.ParseArtifactURI(uri)
		if err == nil {
			e.Name, e.Note = "Fetch "+link.String()+" from the gateway", uri
		}
		switch {
		case m.readOnly():
			e.Why = m.refusal()
		case a.Profile.Dialect != a2a.SAMHTTP:
			e.Why = "only a Solace Agent Mesh gateway can fetch it"
		case err != nil:
			e.Why = err.Error()
		default:
			e.Why = unready(a)
		}
		e.Do = func() tea.Cmd {
			m.opts.Engine.DownloadArtifact(a.ID, uri)
			return m.say("asking "+a.Name()+" for "+link.String(), false)
		}
		out = append(out, e)
	}
	return out
}

// artifactURIs returns the artifact:// URIs of what the agent said and made in a
// conversation, each once, in order.
func artifactURIs(conv *model.Conversation) []string {
	var out []string
	seen := map[string]bool{}
	add := func(p *a2a.Part) {
		if p.Kind == a2a.PartURL && a2a.IsArtifactURI(p.URL) && !seen[p.URL] {
			seen[p.URL] = true
			out = append(out, p.URL)
		}
	}
	for _, turn := range conv.Turns {
		for _, block := range turn.Blocks {
			for i := range block.Entries {
				e := &block.Entries[i]
				if e.Message != nil {
					for j := range e.Message.Parts {
						add(&e.Message.Parts[j])
					}
				}
				if e.Artifact != nil {
					for j := range e.Artifact.Parts {
						add(&e.Artifact.Parts[j].Part)
					}
				}
			}
		}
	}
	return out
}

// fetched shows a file in the wire pane, which is where its bytes are, when the end of
// its exchange has come: until then the pane follows what comes.
func (m *Model) fetched(it *log.Item) tea.Cmd {
	end := &it.Record
	if m.readOnly() || end.Kind != a2a.KindEnd || end.Call == nil || end.Call.Op != a2a.OpArtifact || !a2a.IsArtifactURI(end.Call.URI) {
		return nil
	}
	for _, id := range m.state.Log.Exchange(end.Exchange) {
		body := m.state.Log.At(id)
		if body == nil || body.Record.Kind != a2a.KindBody {
			continue
		}
		if events := body.Update.Events; len(events) != 1 || events[0].Kind != a2a.EventNotA2A {
			return nil // what came instead of the file
		}
		m.panes.wire.Select(id)
		return m.say(log.Describe(body)+" is in the wire pane", false)
	}
	return nil
}
