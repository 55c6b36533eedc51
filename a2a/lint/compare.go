package lint

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"parley/a2a"
	"parley/a2a/jsontok"
)

// compareWithStream compares a requested task with its stream, for [a2a.ComparisonRule]. Servers divide parts and repeat
// artifacts as they like; only the content that a reader gets counts.
func compareWithStream(p *pass, n jsontok.Node) {
	if !p.call.Check || p.call.Op != a2a.OpGet || p.ev.Kind != a2a.EventTask || p.fold == nil {
		return
	}
	streamed := p.fold.Task(p.ev.TaskID)
	switch {
	case streamed == nil:
		p.noteUnchecked(n, "the streamed content is no longer known")
		return
	case !p.begun(p.ev.TaskID):
		p.noteUnchecked(n, "this session does not have the task from its beginning")
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
		if got != nil && masks(a.Parts, got.Parts) {
			p.noteUnchecked(list, "the text of "+artifactName(a.Name, a.Key)+" contains "+a2a.Mask+" in place of a masked secret")
			continue
		}
		if said := difference(a, got); said != "" {
			p.noteArtifact(list, a.ID, said)
		}
	}
	for i := range fetched.Artifacts {
		if a := &fetched.Artifacts[i]; held[a.Key] != nil && len(a.Parts) > 0 {
			p.noteArtifact(list, a.ID, "The stream did not contain the artifact "+artifactName(a.Name, a.Key))
		}
	}
}

// noteUnchecked reports that something was not compared, and why.
func (p *pass) noteUnchecked(n jsontok.Node, why string) {
	found := len(p.findings)
	p.noteAs(a2a.Info, n, a2a.NotCheckedPrefix+why)
	if len(p.findings) > found {
		f := &p.findings[found]
		f.Unchecked, f.Fix = true, ""
	}
}

// masks reports whether a secret is masked in the text of parts, which makes a comparison
// impossible.
func masks(lists ...[]a2a.Part) bool {
	for _, parts := range lists {
		for i := range parts {
			if strings.Contains(parts[i].Text, a2a.Mask) {
				return true
			}
		}
	}
	return false
}

// noteArtifact adds a finding about the artifact with an id, or about the list of artifacts if
// it is missing there.
func (p *pass) noteArtifact(list jsontok.Node, id, message string) {
	if len(p.findings) >= maxPerRecord {
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

// difference describes how a requested artifact differs from the streamed one; empty if a
// reader would not see it.
func difference(streamed, got *a2a.Artifact) string {
	if len(streamed.Parts) == 0 {
		return "" // the agent withdrew it
	}
	name := artifactName(streamed.Name, streamed.Key)
	if got == nil {
		return "The task has no artifact " + name + ", which was streamed"
	}
	if at, want, have, same := firstDifference(streamed.Parts, got.Parts); !same {
		return "The text of " + name + " has " + plural(textOf(got.Parts), "byte") + ", " + strconv.Itoa(textOf(streamed.Parts)) +
			" were streamed; byte " + strconv.Itoa(at) + " is the first that differs" + quoted(want, have)
	}
	a, b := others(streamed.Parts), others(got.Parts)
	if len(a) != len(b) {
		return name + " has " + plural(len(b), "file or data part") + ", " + strconv.Itoa(len(a)) + " were streamed"
	}
	for i := range a {
		if !sameContent(a[i], b[i]) {
			return "The " + ordinal(i) + " file or data part of " + name + " differs from the streamed one"
		}
	}
	return ""
}

// A textReader returns the text of parts piece by piece: a long answer is not joined, and its
// bytes are read once.
type textReader struct {
	piece string
	parts []a2a.Part
}

// next returns the remaining text up to the end of a part, empty at its end.
func (r *textReader) next() string {
	for r.piece == "" && len(r.parts) > 0 {
		if r.parts[0].Kind == a2a.PartText {
			r.piece = r.parts[0].Text
		}
		r.parts = r.parts[1:]
	}
	return r.piece
}

// skip skips n bytes of what next returned.
func (r *textReader) skip(n int) { r.piece = r.piece[n:] }

// firstDifference compares the text of parts however it is divided. It returns the length of
// the common prefix, up to the start of a rune, and some of what follows in each.
func firstDifference(streamed, got []a2a.Part) (at int, want, have string, same bool) {
	a, b := textReader{parts: streamed}, textReader{parts: got}
	for {
		want, have = a.next(), b.next()
		n := min(len(want), len(have))
		if n == 0 {
			return at, want, have, want == have
		}
		if want[:n] != have[:n] {
			n = common(want, have)
			return at + n, want[n:], have[n:], false
		}
		at += n
		a.skip(n)
		b.skip(n)
	}
}

// common returns the length of the common prefix of two texts, at the start of a rune.
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

// quoted shows where two texts begin to differ.
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

// others returns the parts that are not text.
func others(parts []a2a.Part) (out []*a2a.Part) {
	for i := range parts {
		if parts[i].Kind != a2a.PartText {
			out = append(out, &parts[i])
		}
	}
	return out
}

// sameContent reports whether two parts show the same. Data is compared by its kind only:
// servers that use floating point write 42 as 42.0.
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
