package lint

import (
	"parley/a2a"
	"parley/a2a/jsontok"
)

// typeRules are about the types of members, which the decoder reads leniently.
var typeRules = [...]rule{
	{
		id: "TYPE-001", severity: a2a.Error, in: knownDialects &^ onSAMDoc, section: "0.1 §6, 0.2 §6, 0.3 §6, 1.0 §4.1, §4.2",
		checks: "Ids and names are strings, flags are booleans", fix: "Send the type of the definition: strict clients refuse the object",
		at: atTask | atMessage | atStatusEvent | atArtifactEvent | atArtifact | atPart, run: memberTypes,
	},
}

// Members that the decoder also reads from another type, by place.
var (
	taskTexts     = [...]string{"id", "contextId", "sessionId"}
	messageTexts  = [...]string{"messageId", "taskId", "contextId"}
	eventTexts    = [...]string{"taskId", "contextId", "id"}
	artifactTexts = [...]string{"artifactId", "name", "description"}
	partTexts     = [...]string{"text", "filename", "mediaType"}
)

func memberTypes(p *pass, n jsontok.Node) {
	switch p.place {
	case atTask:
		p.texts(n, taskTexts[:])
	case atMessage:
		p.texts(n, messageTexts[:])
	case atArtifact:
		p.texts(n, artifactTexts[:])
	case atPart:
		p.texts(n, partTexts[:])
	default:
		p.texts(n, eventTexts[:])
		p.booleans(n, "final", "append", "lastChunk")
	}
}

// booleans reports members that are present but not booleans.
func (p *pass) booleans(n jsontok.Node, names ...string) {
	for _, name := range names {
		v := get(n, name)
		if _, ok := v.Bool(); v.Exists() && !ok {
			p.note(v, "“"+name+"” is "+kindName(v.Kind())+", not a boolean")
		}
	}
}

// texts reports members that are present but not strings.
func (p *pass) texts(n jsontok.Node, names []string) {
	for _, name := range names {
		if v := get(n, name); v.Exists() && !v.IsText() {
			p.note(v, "“"+name+"” is "+kindName(v.Kind())+", not a string")
		}
	}
}
