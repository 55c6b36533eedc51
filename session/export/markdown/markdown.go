// Package markdown exports conversations, or the records of a filter, as Markdown.
//
// The document has what the screen has, in the same order: the user's messages, the states of
// each task, the agent's messages and its artifacts. Markdown artifacts are included unchanged
// between two rules; any other text is fenced, JSON indented. Files are listed with media type
// and size, without their content. Control characters and direction marks are removed.
package markdown

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"
	"unicode"

	"parley/a2a"
	"parley/internal/units"
	"parley/internal/visible"
	"parley/session/export/excerpt"
	"parley/session/log"
	"parley/session/model"
)

// maxName is how many letters of a conversation's title are used in the file name.
const maxName = 40

// Name returns a file name for a conversation that is valid on every system.
func Name(c *model.Conversation) string {
	var b strings.Builder
	n, gap := 0, false
	for _, r := range strings.ToLower(c.Title) {
		if r > unicode.MaxASCII || !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			gap = n > 0
			continue
		}
		if n == maxName {
			break
		}
		if gap {
			b.WriteByte('-')
			gap = false
		}
		b.WriteRune(r)
		n++
	}
	if n == 0 {
		return "conversation.md"
	}
	return "conversation-" + b.String() + ".md"
}

// A writer writes a document.
type writer struct{ *bufio.Writer }

// Write writes the conversations of an excerpt, one after the other; of one that a filter chose,
// the records. It calls step after each turn or record.
func Write(ctx context.Context, out io.Writer, p *excerpt.Excerpt, step func(done, total int)) error {
	w := writer{bufio.NewWriterSize(out, 64<<10)}
	if p.Filter != "" {
		return w.records(ctx, p, step)
	}
	turns, total := 0, 0
	for _, c := range p.Conversations {
		total += len(c.Turns)
	}
	for i, c := range p.Conversations {
		if i > 0 {
			w.WriteString("\n")
		}
		w.conversation(c)
		for _, t := range c.Turns {
			w.turn(t)
			turns++
			step(turns, total)
			if err := ctx.Err(); err != nil {
				return err
			}
		}
	}
	if len(p.Conversations) == 0 {
		fmt.Fprintf(w, "# %s\n\nThe session has no conversation.\n", inline(p.Name))
	}
	return w.Flush()
}

// records writes the records of an excerpt.
func (w *writer) records(ctx context.Context, p *excerpt.Excerpt, step func(done, total int)) error {
	fmt.Fprintf(w, "# %s\n\n%s of the filter `%s`\n", inline(p.Name), units.Plural(p.Len(), "record"), code(p.Filter))
	done := 0
	for it := range p.Items() {
		w.record(it)
		if _, comment := p.Remark(it.Record.ID); comment != "" {
			w.WriteString("> " + inline(comment) + "\n")
		}
		done++
		step(done, p.Len())
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	return w.Flush()
}

// record writes one record: its row of the wire and its body.
func (w *writer) record(it *log.Item) {
	r := &it.Record
	fmt.Fprintf(w, "\n## %d %s\n\n%s", r.ID, inline(log.Describe(it)), r.Time.UTC().Format("15:04:05.000"))
	if r.Dir != a2a.Local {
		w.WriteString(", " + string(r.Dir))
	}
	if r.Exchange != 0 && r.Exchange != r.ID {
		fmt.Fprintf(w, ", of %d", r.Exchange)
	}
	w.WriteString("\n\n")
	if len(r.Raw) > 0 {
		w.json(r.Raw)
	}
}

// conversation writes the heading of a conversation.
func (w *writer) conversation(c *model.Conversation) {
	title := visible.Line(c.Name())
	if title == "" {
		title = "Conversation"
	}
	fmt.Fprintf(w, "# %s\n\n%s, %s", heading(title), inline(c.Agent.Name()), inline(a2a.MaskReference(c.Agent.Ref)))
	if c.ContextID != "" {
		fmt.Fprintf(w, ", context `%s`", code(c.ContextID))
	}
	w.WriteString("\n")
}

func (w *writer) turn(t *model.Turn) {
	if t.Message != nil {
		fmt.Fprintf(w, "\n## You, %s\n\n", t.Time.UTC().Format(time.RFC3339))
		w.message(t.Message)
	} else if t.Written != "" {
		fmt.Fprintf(w, "\n## You, %s\n\nA request written by hand: `%s`\n", t.Time.UTC().Format(time.RFC3339), code(t.Written))
	}
	for _, b := range t.Blocks {
		w.block(t, b)
	}
	for _, a := range t.Asides {
		w.aside(a)
	}
	if t.Pending {
		w.WriteString("\n*The agent is still working.*\n")
	}
}

// aside writes what a turn brought about another task or context.
func (w *writer) aside(a *model.Aside) {
	of := "more tasks"
	switch {
	case a.TaskID != "":
		of = "another task, `" + code(a.TaskID) + "`"
	case a.ContextID != "":
		of = "another context, `" + code(a.ContextID) + "`"
	}
	fmt.Fprintf(w, "\n*Not part of this answer: %s of* %s", units.Plural(a.Events, "event"), of)
	if a.Text != "" {
		w.WriteString(": " + inline(a.Text))
	}
	w.WriteString("\n")
}

func (w *writer) block(t *model.Turn, b *model.Block) {
	fmt.Fprintf(w, "\n## %s", heading(visible.Line(t.AgentName())))
	if b.Task != nil {
		fmt.Fprintf(w, ", task `%s`", code(b.Task.ID))
	}
	w.WriteString("\n\n")
	var states []string
	for i := range b.Entries {
		if e := &b.Entries[i]; e.Kind == model.EntryState {
			states = append(states, stateWord(&e.State))
		}
	}
	if len(states) > 0 {
		w.WriteString("*" + strings.Join(states, " → ") + "*\n\n")
	}
	for i := range b.Entries {
		w.entry(&b.Entries[i])
	}
}

func stateWord(t *model.Transition) string {
	if word := t.State.String(); word != "" {
		return inline(word)
	}
	return inline(t.Word)
}

func (w *writer) entry(e *model.Entry) {
	switch {
	case e.Replaced || e.Kind == model.EntryState:
	case e.Message != nil:
		w.message(e.Message)
	case e.Artifact != nil:
		w.artifact(e.Artifact)
	case e.Problem != nil:
		fmt.Fprintf(w, "> **%s**\n\n", inline(e.Problem.Sentence))
	case e.Gap != nil:
		w.WriteString("> **Events may be missing here.**\n\n")
	case len(e.Raw) > 0:
		w.json(e.Raw)
	}
}

func (w *writer) message(m *a2a.Message) {
	for i := range m.Parts {
		w.part(&m.Parts[i])
	}
}

// part writes one part of a message.
func (w *writer) part(p *a2a.Part) {
	switch p.Kind {
	case a2a.PartText:
		w.WriteString(strings.TrimRight(clean(p.Text), "\n") + "\n\n")
	case a2a.PartData:
		w.json(p.Data)
	default:
		w.file(p)
	}
}

func (w *writer) file(p *a2a.Part) {
	name := p.Filename
	if name == "" && p.URL == "" {
		name = "a file"
	}
	var about []string
	for _, s := range []string{name, p.MediaType, a2a.MaskURL(p.URL)} {
		if s != "" {
			about = append(about, inline(s))
		}
	}
	if n := p.Size(); n > 0 {
		about = append(about, units.Bytes(n))
	}
	w.WriteString("* " + strings.Join(about, ", ") + "\n\n")
}

func (w *writer) artifact(a *model.Artifact) {
	name := a.Name
	if name == "" {
		name = a.Key
	}
	fmt.Fprintf(w, "### %s\n\n", heading(visible.Line(name)))
	if a.Loss() != "" {
		w.WriteString("*" + strings.Join(a.Facts(), " · ") + "*\n\n")
	}
	text := clean(string(a.Text))
	switch {
	case strings.TrimSpace(text) == "":
	case a.MediaType == "" || a.MediaType == "text/plain" || strings.HasPrefix(a.MediaType, "text/markdown"):
		w.WriteString("---\n\n" + strings.TrimRight(text, "\n") + "\n\n---\n\n")
	default:
		w.fence(text)
	}
	for i := range a.Parts {
		w.part(&a.Parts[i].Part)
	}
}

// json writes a JSON value, indented if it is valid.
func (w *writer) json(raw []byte) {
	var b bytes.Buffer
	if json.Indent(&b, raw, "", "  ") != nil {
		b.Reset()
		b.Write(raw)
	}
	w.fence(clean(b.String()))
}

// fence writes text between fences that are longer than any in it.
func (w *writer) fence(text string) {
	fence := "```"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	w.WriteString(fence + "\n" + strings.TrimRight(text, "\n") + "\n" + fence + "\n\n")
}

// markup escapes the characters that have a meaning in a line of Markdown.
var markup = strings.NewReplacer(`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`, "<", `\<`, "#", `\#`)

// clean makes a text visible, with spaces for tabs, which readers of Markdown take for code.
func clean(s string) string { return strings.ReplaceAll(visible.Text(s), "\t", "    ") }

// heading escapes a text for Markdown, and inline also sanitises one from a network.
func heading(s string) string { return markup.Replace(s) }

func inline(s string) string { return markup.Replace(visible.Line(s)) }

// code returns a text that can stand between backquotes.
func code(s string) string { return strings.ReplaceAll(visible.Line(s), "`", "'") }
