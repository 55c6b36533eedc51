package lint

import (
	"parley/a2a"
	"parley/a2a/jsontok"
)

// contextRules are about the ids of conversations.
var contextRules = [...]rule{
	{
		id: "CTX-001", severity: a2a.Warning, in: since02, section: "0.2 §6.4, 1.0 §3.4.1",
		checks: "A client sends only contextIds that came from the agent", fix: "Omit contextId to begin a conversation",
		at: atMessage, run: ownContext,
	},
	{
		id: "CTX-002", severity: a2a.Error, in: v10, section: "1.0 §3.4.1",
		checks: "The agent answers in the context of the request, or refuses it", fix: "Keep the client's contextId, or answer with an error",
		at: atEvent, run: sameContext,
	},
}

// ownContext judges only a context that is named with a task that began in this session, and for
// which the agent named none: any other one may have come from the agent before. MSG-007 compares
// it with the context of the task, if that has one.
func ownContext(p *pass, n jsontok.Node) {
	id := either(n, "contextId", "context_id")
	if !p.out() || p.fold == nil || !id.IsText() || len(id.Raw()) == len(`""`) {
		return
	}
	t, known := p.agent.tasks.get(p.x.asks.taskID)
	if _, seen := p.agent.contexts.get(id.Text()); seen || !known || !t.begun || t.contextID != "" {
		return
	}
	s := a2a.Warning
	if p.in&v10 != 0 {
		s = a2a.Info // an agent may accept it
	}
	p.noteAs(s, id, "The context "+clip(id.Text())+" did not come from this agent")
}

func sameContext(p *pass, n jsontok.Node) {
	sent := p.x.asks.contextID
	if sent == "" || p.ev.ContextID == "" || p.ev.ContextID == sent || !p.messages() {
		return
	}
	if p.x.first(onceContext) {
		p.note(get(n, "contextId"), "The agent answers in context "+clip(p.ev.ContextID)+"; the message was sent in "+clip(sent))
	}
}
