package mesh

import (
	"cmp"
	"context"

	"parley/a2a"
)

// A line leads to the agents of all meshes with the same settings.
type line struct {
	hub      *Hub
	settings Settings
	options  a2a.LineOptions
}

// Gateway returns the id of this gateway in topics, and the user of the mesh.
func (l *line) Gateway() (id, user string) {
	return gatewayID(l.hub, &l.settings), cmp.Or(l.settings.MeshUser, l.settings.User, "parley")
}

func gatewayID(h *Hub, s *Settings) string { return cmp.Or(s.ClientID, h.id) }

// gateway returns the gateway for an address.
func (l *line) gateway(address string) (*gateway, error) {
	mesh, problem := a2a.ParseMesh(address)
	if problem != "" {
		return nil, &a2a.FlowError{Class: a2a.ClassUnsupported, Sentence: problem}
	}
	mesh.Agent = ""
	return l.hub.gateway(mesh, l.settings, &l.options)
}

// Open publishes a request and returns the flow of what answers it. Without bytes nothing is
// published: the flow has the rest of a task.
func (l *line) Open(ctx context.Context, c a2a.Carriage) (a2a.Flow, error) {
	g, err := l.gateway(c.URL)
	if err != nil {
		return nil, err
	}
	if len(c.Bytes) == 0 {
		return g.attach(ctx, c.Path)
	}
	return g.request(ctx, &c)
}

// Watch reports what happens on a mesh, as [a2a.Directory] has it.
func (l *line) Watch(ctx context.Context, mesh a2a.MeshAddress, report func(a2a.Sighting)) error {
	g, err := l.gateway(mesh.String())
	if err != nil {
		return err
	}
	return g.watch(ctx, report)
}

// Close does nothing: the gateway serves other agents, too, and ends with its hub.
func (l *line) Close() {}
