package files

import (
	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/session/log"
	"parley/session/model"
	"parley/ui/control"
)

// artifactCommands returns a command for each artifact:// URI in the conversation on the
// screen. It downloads the artifact.
func (c *Controller) artifactCommands() []control.Command {
	a, conv := c.host.Agent(), c.host.Conversation()
	if a == nil || conv == nil {
		return nil
	}
	var out []control.Command
	for _, uri := range artifactURIs(conv) {
		e := control.Command{Name: "Download " + uri, Note: "from the gateway"}
		link, err := a2a.ParseArtifactURI(uri)
		if err == nil {
			e.Name, e.Note = "Download "+link.String()+" from the gateway", uri
		}
		switch {
		case control.Refusal(c.host) != "":
			e.Why = control.Refusal(c.host)
		case a.Profile.Binding == a2a.BindingMQTT && !a.Profile.ArtifactGateway:
			e.Why = "a broker does not give files: name an HTTP gateway of the mesh with artifact-gateway in config.toml, or --artifact-gateway"
		case a.Profile.Dialect != a2a.SAMHTTP && a.Profile.Binding != a2a.BindingMQTT:
			e.Why = "only a Solace Agent Mesh gateway can download it"
		case err != nil:
			e.Why = err.Error()
		default:
			e.Why = control.Unready(a)
		}
		e.Run = func() tea.Cmd {
			turn := c.host.Engine().DownloadArtifact(a.ID, uri)
			return c.host.SayUntil("asking "+a.Name()+" for "+link.String(), false, control.TurnOver(c.host.State(), turn))
		}
		out = append(out, e)
	}
	return out
}

// artifactURIs returns the artifact:// URIs in the answers of a conversation, each once, in
// order.
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

// showArtifact selects the body of a downloaded artifact in the wire pane when its exchange has
// ended: until then the pane follows new records.
func (c *Controller) showArtifact(it *log.Item) tea.Cmd {
	end := &it.Record
	if end.Kind != a2a.KindEnd || end.Call == nil || end.Call.Op != a2a.OpArtifact || !a2a.IsArtifactURI(end.Call.URI) || control.Refusal(c.host) != "" {
		return nil
	}
	records := c.host.State().Log
	for _, id := range records.Exchange(end.Exchange) {
		body := records.At(id)
		if body == nil || body.Record.Kind != a2a.KindBody {
			continue
		}
		if events := body.Update.Events; len(events) != 1 || events[0].Kind != a2a.EventNotA2A {
			return nil // another answer than the file
		}
		c.panes.Wire.Select(id)
		return c.host.Say(log.Describe(body)+" is in the wire pane", false)
	}
	return nil
}
