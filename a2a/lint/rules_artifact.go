package lint

import (
	"bytes"

	"parley/a2a"
	"parley/a2a/jsontok"
)

// artifactRules are about artifacts and the chunks that make them.
var artifactRules = [...]rule{
	{
		id: "ART-001", severity: a2a.Error, in: since02, section: "0.2 §6.7, 0.3 §6.7, 1.0 §4.1.7",
		checks: "An artifact has an artifactId that is unique in its task", fix: "Give every artifact its own id",
		at: atArtifact | atTask, run: artifactID,
	},
	{
		id: "ART-002", severity: a2a.Error, in: knownDialects &^ onSAMDoc, section: "0.1 §6.7, 0.3 §6.7, 1.0 §4.1.7",
		checks: "An artifact has at least one part", fix: "Send at least one part",
		at: atArtifact, run: hasParts,
	},
	{
		id: "ART-003", severity: a2a.Warning, in: knownDialects, section: "1.0 §4.2.2",
		checks: "A chunk with append continues an artifact that exists", fix: "Begin an artifact without append",
		at: atArtifactEvent, run: continuesSomething,
	},
	{
		id: "ART-004", severity: a2a.Warning, in: knownDialects, section: "1.0 §4.2.2",
		checks: "A chunk does not replace a streamed artifact by less", fix: "Set append in every chunk but the first",
		at: atArtifactEvent, run: shorter,
	},
	{
		id: "ART-005", severity: a2a.Warning, in: since02,
		checks: "The chunks of an artifact have one artifactId", fix: "Use the id of the first chunk in all of them",
		at: atArtifactEvent, run: oneIDPerArtifact,
	},
	{
		id: "ART-006", severity: a2a.Warning, in: knownDialects, section: "1.0 §4.2.2",
		checks: "No chunk follows the last chunk of an artifact", fix: "Set lastChunk only in the last chunk",
		at: atArtifactEvent, run: afterLast,
	},
	{
		id: "ART-007", severity: a2a.Warning, in: knownDialects, section: "0.1 §6.7, 0.3 §7.2.3, 1.0 §4.2.2",
		checks: "The last chunk of a streamed artifact is marked as the last", fix: "Set lastChunk in the last chunk",
		at: atEnd, run: lastChunkMarked,
	},
	{
		id: "ART-008", severity: a2a.Warning, in: onV01, section: "0.1 §6.7",
		checks: "index, append and lastChunk are members of the artifact", fix: "Move them into the artifact",
		at: atArtifactEvent, run: marksInArtifact,
	},
	{
		id: "ART-009", severity: a2a.Error, in: since02, section: "0.2 §7.2.3, 0.3 §7.2.3, 1.0 §4.2.2",
		checks: "append and lastChunk are members of the event, not of the artifact", fix: "Move them out of the artifact",
		at: atArtifactEvent, run: marksOnEvent,
	},
}

func artifactID(p *pass, n jsontok.Node) {
	if get(n, "status").Exists() {
		uniqueArtifacts(p, get(n, "artifacts"))
		return
	}
	id := either(n, "artifactId", "artifact_id")
	if !id.Exists() || id.Kind() == jsontok.Null || id.Kind() == jsontok.String && id.Text() == "" { // TYPE-001 has other types
		p.note(n, "The artifact has no artifactId")
	}
}

func uniqueArtifacts(p *pass, list jsontok.Node) {
	seen := map[string]bool{}
	for e := range list.Elems() {
		id := either(e, "artifactId", "artifact_id").Text()
		if id != "" && seen[id] {
			p.note(list, "Two artifacts of the task have the artifactId “"+clip(id)+"”")
			return
		}
		seen[id] = true
	}
}

func hasParts(p *pass, n jsontok.Node) {
	switch parts := get(n, "parts"); {
	case !parts.Exists():
		p.note(n, "The artifact has no parts")
	case parts.Kind() == jsontok.Array && parts.Len() == 0:
		p.note(parts, "The artifact's list of parts is empty")
	}
}

// sentArtifact returns what the stream sent of the event's artifact, nil if nothing.
func (p *pass) sentArtifact() *artifactState {
	a := p.x.stream.artifacts[p.ev.Artifact.Key]
	if name := p.ev.Artifact.Name; a != nil && p.ev.Artifact.ID == "" && name != "" && a.name != "" && a.name != name {
		return nil // before 0.2 many agents give all artifacts one index
	}
	return a
}

// joins reports whether the stream may continue what another one began, so that nothing is
// certain.
func (p *pass) joins() bool {
	return p.call.Op != a2a.OpStream || !p.x.whole() || !p.begun(p.ev.TaskID) || len(p.x.stream.artifacts) >= maxArtifacts
}

func continuesSomething(p *pass, n jsontok.Node) {
	if !p.ev.Append || p.joins() || p.sentArtifact() != nil || p.holds(p.ev) || p.x.stream.strays >= a2a.MinStrays-1 {
		return
	}
	p.note(n, "The chunk is to be appended to the artifact "+artifactName(p.ev.Artifact.Name, p.ev.Artifact.Key)+", which does not exist")
}

func shorter(p *pass, n jsontok.Node) {
	if p.ev.Append {
		return
	}
	a := p.sentArtifact()
	if a == nil || preview(p.ev) {
		return
	}
	if now := textOf(p.ev.Artifact.Parts); now < a.text {
		p.note(n, "The artifact "+artifactName(a.name, p.ev.Artifact.Key)+" had "+plural(a.text, "byte")+" of text and has "+
			plural(now, "byte")+" now: the chunk replaces what was streamed")
	}
}

func oneIDPerArtifact(p *pass, n jsontok.Node) {
	if !p.ev.Append || p.x.stream.strays != a2a.MinStrays-1 || p.joins() || p.sentArtifact() != nil || p.holds(p.ev) {
		return
	}
	if p.x.first(onceStrays) {
		p.note(either(get(n, "artifact"), "artifactId", "artifact_id"), "Every chunk has its own artifactId")
	}
}

func afterLast(p *pass, n jsontok.Node) {
	if !p.x.stream.sealed {
		return
	}
	if a := p.sentArtifact(); a != nil && a.sealed {
		p.note(n, "The artifact "+artifactName(a.name, p.ev.Artifact.Key)+" continues after its last chunk")
	}
}

// lastChunkMarked checks a stream that contained its task's end. An agent that marks some last
// chunks must mark all; one that marks none may not know the mark.
func lastChunkMarked(p *pass, _ jsontok.Node) {
	h := &p.x.stream
	if p.r.End == nil || p.r.End.Reason != a2a.Ended || !h.state.Terminal() {
		return
	}
	first := ""
	for key, a := range h.artifacts {
		if a.chunks > 1 && !a.sealed && !a.preview {
			if name := artifactName(a.name, key); first == "" || name < first {
				first = name
			}
		}
	}
	switch {
	case first == "":
	case h.sealed:
		p.note(jsontok.Node{}, "No chunk of "+first+" is marked as the last")
	default:
		p.noteAs(a2a.Info, jsontok.Node{}, "No chunk of "+first+" is marked as the last")
	}
}

func marksInArtifact(p *pass, n jsontok.Node) {
	p.noteEach(n, "%s is a member of the event; in 0.1 it belongs to the artifact", "index", "append", "lastChunk")
}

func marksOnEvent(p *pass, n jsontok.Node) {
	p.noteEach(get(n, "artifact"), "%s is a member of the artifact; it belongs to the event", "append", "lastChunk")
}

// partial marks the growing form of text that comes again as a whole, which an agent
// framework replaces word by word.
var partial = []byte(`"adk_partial"`)

func preview(ev *a2a.Event) bool {
	return len(ev.Metadata) > 0 && bytes.Contains(ev.Metadata, partial) ||
		len(ev.Artifact.Metadata) > 0 && bytes.Contains(ev.Artifact.Metadata, partial)
}
