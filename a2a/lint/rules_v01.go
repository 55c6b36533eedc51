package lint

import (
	"parley/a2a"
	"parley/a2a/jsontok"
)

// v01Rules are about what only 0.1 has: ids of tasks that the client makes.
var v01Rules = [...]rule{
	{
		id: "V01-001", severity: a2a.Info, in: onV01, section: "0.1 §7.1.1",
		checks: "A task's id is sent again only to answer the task's question", fix: "Create a new id for a new task",
		at: atCall, run: idAgain,
	},
	{
		id: "V01-002", severity: a2a.Error, in: onV01, section: "0.1 §7.1.1",
		checks: "A send names the id of its task", fix: "Set “params.id” to a new id",
		at: atCall, run: idMissing,
	},
}

func idAgain(p *pass, n jsontok.Node) {
	id := get(n, "id")
	if !p.sends() || p.fold == nil || !id.IsText() {
		return
	}
	t := p.fold.Task(id.Text())
	if t != nil && t.Status.State != a2a.StateInputRequired {
		p.note(id, "The task "+clip(t.ID)+" is "+t.Status.State.String()+" and has not asked anything")
	}
}

func idMissing(p *pass, n jsontok.Node) {
	if id := get(n, "id"); p.sends() && id.Text() == "" {
		p.note(orElse(id, n), "The request does not name its task")
	}
}
