package log

import (
	"cmp"
	"strconv"
	"strings"

	"parley/a2a"
	"parley/a2a/jsontok"
	"parley/internal/units"
	"parley/session/problem"
)

// Words is [Describe] in two pieces. If there is little room, what is shortened first: tail
// distinguishes rows that begin alike, as " +64 B" does.
func Words(it *Item) (what, tail string) {
	if ExtendsArtifact(it) {
		return describeArtifact(soleArtifact(it), it)
	}
	if it.Record.Kind == a2a.KindDelivery {
		return describeDelivery(it)
	}
	return describe(it), ""
}

// ExtendsArtifact reports whether a record's whole content is an update of an artifact, which
// [Words] describes as "artifact NAME" and what it adds.
func ExtendsArtifact(it *Item) bool {
	return (it.Record.Kind == a2a.KindEvent || it.Record.Kind == a2a.KindBody) && it.Update.Err == nil && soleArtifact(it) != nil
}

// soleArtifact returns the artifact update that is the whole content of a record, otherwise
// nil.
func soleArtifact(it *Item) *a2a.Event {
	if len(it.Update.Events) != 1 {
		return nil
	}
	if ev := &it.Update.Events[0]; ev.Kind == a2a.EventArtifact && ev.Artifact != nil {
		return ev
	}
	return nil
}

// describeArtifact describes what an event of an item adds to an artifact.
func describeArtifact(ev *a2a.Event, it *Item) (what, tail string) {
	a := ev.Artifact
	name := artifactName(a, it)
	if it.text > 0 {
		tail = describeText(int64(it.text))
	} else {
		tail = describeParts(a.Parts)
	}
	return "artifact " + problem.Clip(name), strings.TrimSuffix(tail, " "+name)
}

// artifactName returns the name of an artifact of an item, or its id if it was never named.
func artifactName(a *a2a.Artifact, it *Item) string { return cmp.Or(a.Name, it.Artifact, a.Key) }

func describeText(n int64) string { return " +" + units.Bytes(n) }

// describeParts describes the payload of parts if there is text among them, and the kind of
// others.
func describeParts(parts []a2a.Part) string {
	var payload int64
	text, other := false, -1 // the last part that is not text: there may be a million
	for i := range parts {
		payload += parts[i].PayloadSize()
		if parts[i].Kind != a2a.PartText {
			other = i
		} else if parts[i].Text != "" {
			text = true
		}
	}
	words := ""
	if text {
		words = describeText(payload)
	}
	if other >= 0 {
		words += " " + describePart(&parts[other])
	}
	return words
}

// describePart describes a part that is not text.
func describePart(p *a2a.Part) string {
	switch p.Kind {
	case a2a.PartData:
		return dataShape(p.Data)
	case a2a.PartBytes, a2a.PartURL:
		return problem.Clip(cmp.Or(p.Filename, cmp.Or(p.MediaType, "file")))
	default:
		return "unknown part"
	}
}

// dataShape describes the size of a JSON value: "{3}" for three members, "[7]".
func dataShape(data []byte) string {
	var doc jsontok.Doc
	if doc.Parse(data) != nil {
		return "data"
	}
	switch root := doc.Root(); root.Kind() {
	case jsontok.Object:
		return "{" + strconv.Itoa(root.Len()) + "}"
	case jsontok.Array:
		return "[" + strconv.Itoa(root.Len()) + "]"
	default:
		return problem.Clip(string(root.Raw()))
	}
}
