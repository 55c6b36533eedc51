package lint

import (
	"bytes"

	"parley/a2a"
	"parley/a2a/jsontok"
)

// nameRules are about the names of members, mixtures of dialects, and a product's own names.
var nameRules = [...]rule{
	{
		id: "CASE-001", severity: a2a.Error, in: fromSpec | onSAMHTTP | onUnknown, section: "1.0 §5.5",
		checks: "Members are written in camelCase", fix: "Write members in camelCase",
		at: atCall | atMessage, run: snakeRequest,
	},
	{
		id: "CASE-002", severity: a2a.Info, in: knownDialects,
		checks: "Absent members are omitted, not null", fix: "Omit the member",
		at: atTask | atMessage | atStatus | atArtifact | atStatusEvent | atArtifactEvent, run: explicitNull,
	},
	{
		id: "MIX-001", severity: a2a.Warning, in: anywhere,
		checks: "No object mixes members of two dialects", fix: "Use the shapes of one version",
	},
	{
		id: "MIX-002", severity: a2a.Warning, in: anywhere,
		checks: "An answer is an object of some version of A2A", fix: "Answer with a task, a message or an update",
	},
	{
		id: "SAM-003", severity: a2a.Warning, in: anywhere &^ onSAMDoc,
		checks: "An artifact has parts; the documentation of Solace Agent Mesh describes its files differently", fix: "Send the file as a part",
	},
}

// snakeMembers are the snake_case names of request members in various languages.
var snakeMembers = map[string]bool{
	"message_id": true, "task_id": true, "context_id": true, "reference_task_ids": true, "history_length": true,
	"accepted_output_modes": true, "push_notification_config": true, "task_push_notification_config": true,
	"return_immediately": true, "session_id": true, "page_size": true, "page_token": true,
}

// snakeRequest checks only requests; the decoder checks answers.
func snakeRequest(p *pass, n jsontok.Node) {
	if !p.out() || !bytes.Contains(n.Raw(), []byte("_")) {
		return
	}
	for name, v := range n.Members() {
		if snakeMembers[name] {
			p.note(v, "“"+name+"” is written in snake_case")
		}
	}
}

// explicitNull reports one null in each record: who writes one null writes them all.
func explicitNull(p *pass, n jsontok.Node) {
	if p.nulls == a2a.Absent {
		p.nulls = a2a.TriOf(bytes.Contains(p.r.Payload(), []byte("null")))
	}
	if p.nulls == a2a.False {
		return
	}
	for name, v := range n.Members() {
		if v.Kind() == jsontok.Null {
			p.nulls = a2a.False
			p.note(v, "“"+clip(name)+"” is null")
			return
		}
	}
}
