package lint

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"parley/a2a"
	"parley/a2a/jsontok"
)

// idAsStreamed is the rule that [asStreamed] checks.
const idAsStreamed = "TASK-010"

// asStreamed holds a task that was fetched against what its stream made of it. Servers
// lay out parts and repeat artifacts as they like; what counts is what a reader gets.
func asStreamed(p *pass, n jsontok.Node) {
	if !p.call.Check || p.call.Op != a2a.OpGet || p.ev.Kind != a2a.EventTask || p.known == nil {
		return
	}
	streamed := p.known.Task(p.ev.TaskID)
	if streamed == nil {
		return
	}
	f := a2a.NewFold()
	f.Apply(p.ev)
	fetched := f.Task(p.ev.TaskID)
	if s, g := streamed.Status, fetched.Status; s.Word != "" && g.Word != "" && s.State != g.State {
		p.note(get(get(n, "status"), "state"), "The task is "+g.State.String()+"; its stream ended with "+s.State.String())
	}
	held := make(map[string]*a2a.Artifact, len(fetched.Artifacts))
	for i := range fetched.Artifacts {
		held[fetched.Artifacts[i].Key] = &fetched.Artifacts[i]
	}
	list := get(n, "artifacts")
	for i := range streamed.Artifacts {
		a := &streamed.Artifacts[i]
		got := held[a.Key]
		delete(held, a.Key)
		if said := difference(a, got); said != "" {
			p.noteArtifact(list, a.ID, said)
		}
	}
	for i := range fetched.Artifacts {
		if a := &fetched.Artifacts[i]; held[a.Key] != nil && len(a.Parts) > 0 {
			p.noteArtifact(list, a.ID, "The stream did not tell of the artifact "+artifactName(a.Name, a.Key))
		}
	}
}

// noteArtifact adds a finding about the artifact with an id, about the list of them
// if it is not in there.
func (p *pass) noteArtifact(list jsontok.Node, id, message string) {
	if len(p.found) >= maxPerRecord {
		return
	}
	for e := range list.Elems() {
		if v := either(e, "artifactId", "artifact_id"); id != "" && v.Text() == id {
			p.note(e, message)
			return
		}
	}
	p.noteMore(list, message)
}

// difference says how an artifact that was fetched differs from the one that was
// streamed; empty if a reader would not see it.
func difference(streamed, got *a2a.Artifact) string {
	if len(streamed.Parts) == 0 {
		return "" // the agent took it back
	}
	name := artifactName(streamed.Name, streamed.Key)
	if got == nil {
		return "The task has no artifact " + name + ", which was streamed"
	}
	want, have := joined(streamed.Parts), joined(got.Parts)
	if strings.Contains(want+have, a2a.Mask) {
		return "" // of what was masked nobody can tell whether it is the same
	}
	if want != have {
		at := common(want, have)
		return "The text of " + name + " has " + plural(len(have), "byte") + ", " + strconv.Itoa(len(want)) +
			" were streamed; byte " + strconv.Itoa(at) + " is the first that differs" + quoted(want[at:], have[at:])
	}
	a, b := others(streamed.Parts), others(got.Parts)
	if len(a) != len(b) {
		return name + " has " + plural(len(b), "file or data part") + ", " + strconv.Itoa(len(a)) + " were streamed"
	}
	for i := range a {
		if !sameContent(a[i], b[i]) {
			return "The " + ordinal(i) + " file or data part of " + name + " is not the one that was streamed"
		}
	}
	return ""
}

// common returns how many bytes two texts begin with alike, at the start of a rune.
func common(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	for n > 0 && n < len(a) && !utf8.RuneStart(a[n]) {
		n--
	}
	return n
}

// quoted shows where two texts part.
func quoted(want, have string) string {
	cut := func(s string) string {
		const most = 16
		if s == "" {
			return "nothing"
		}
		if r := []rune(s[:min(len(s), 4*most)]); len(r) > most {
			s = string(r[:most]) + "…"
		}
		return strconv.Quote(s)
	}
	return ": " + cut(have) + " instead of " + cut(want)
}

func ordinal(i int) string {
	switch i {
	case 0:
		return "first"
	case 1:
		return "second"
	case 2:
		return "third"
	}
	return strconv.Itoa(i+1) + "th"
}

// others returns the parts that are no text.
func others(parts []a2a.Part) (out []*a2a.Part) {
	for i := range parts {
		if parts[i].Kind != a2a.PartText {
			out = append(out, &parts[i])
		}
	}
	return out
}

// sameContent reports whether two parts show the same. Data is compared by its kind
// only: servers that go through floating point write 42 as 42.0.
func sameContent(a, b *a2a.Part) bool {
	switch {
	case a.Kind != b.Kind:
		return false
	case a.Kind == a2a.PartBytes:
		return a.Size() == b.Size()
	default:
		return a.URL == b.URL
	}
}
