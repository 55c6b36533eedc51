package cli

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/charmbracelet/x/term"

	"parley/a2a"
	lifecycle "parley/session/task"
	"parley/themes"
	"parley/ui/inline"
	"parley/ui/media"
	"parley/ui/styles"
)

// drawn is the value of --output that draws Markdown and pictures as they come.
const drawn = "live"

// A drawing draws an answer on a terminal: Markdown as it grows, pictures, and lines for what
// else comes.
type drawing struct {
	op       *operation
	term     inline.Terminal
	area     *inline.Area
	styles   *styles.Styles
	page     page
	artifact string            // of the open text, by task and key
	grown    time.Time         // when it grew last
	sealed   bool              // it had its last chunk
	later    []laterEvent      // of artifacts that grow at the same time as the open one
	seen     map[string]bool   // artifacts and messages, by task and key
	states   map[string]string // the newest state that was drawn, by task
	ids      string            // the task whose ids were drawn
	said     lifecycle.Text
}

// draws decides whether a command draws: only on a terminal that can move its cursor. Elsewhere
// it prints text.
func (a *app) draws(f *callFlags) bool {
	return f.output == drawn && isTerminal(a.streams.Out) && a.env.get("TERM") != "dumb"
}

// newDrawing asks the terminal what it can draw if it is the command's own.
func newDrawing(op *operation) *drawing {
	a := op.app
	d := &drawing{op: op}
	if isTerminal(a.streams.In) && op.flags.ref != "-" && a.env.get("TERM") != "linux" {
		d.term = inline.Ask(op.ctx, a.streams.In, a.streams.Out, a.env)
	} else {
		d.term = inline.Guess(a.streams.Out, a.env)
	}
	var theme *themes.Theme
	name := savedTheme(a.themeFile())
	if v, ok := a.settings.Lookup("theme"); ok {
		name = v.Text
	}
	if t, _, ok := a.themeFolder().Load(name); ok {
		theme = &t
	}
	d.styles = d.term.Styles(theme)
	d.forget()
	d.area = inline.NewArea(d.styles, d.size, now)
	return d
}

// forget has everything be drawn again.
func (d *drawing) forget() { d.seen, d.states, d.ids = map[string]bool{}, map[string]string{}, "" }

// size returns the columns and rows of the terminal.
func (d *drawing) size() (w, h int) {
	w, h, err := term.GetSize(d.op.app.streams.Out.Fd())
	if err != nil || w <= 0 || h <= 0 {
		return 80, 24
	}
	return w, h
}

// spoken stands for the artifact while the text of a status message is open.
const spoken = "\x00message"

// event draws an event.
func (d *drawing) event(ev *a2a.Event, known string) {
	continues := d.said.Continues(ev) && d.artifact == spoken
	switch ev.Kind {
	case a2a.EventArtifact:
		if !d.waits(ev) {
			d.chunk(ev, known)
			return
		}
		d.later = append(d.later, laterEvent{*ev, known})
	case a2a.EventTask:
		d.release(true)
		d.task(ev.Task)
	case a2a.EventStatus:
		if ev.Status.Message != nil || ev.Status.State.Terminal() {
			d.release(true)
		}
		switch _, open := lifecycle.Spoken(ev); {
		case continues:
			d.parts(ev.Status.Message.Parts, "")
			return
		case open: // the state stands above the text, which may go on
			d.end()
			d.status(ev.TaskID, ev.ContextID, ev.Status)
			d.message(ev.Status.Message, true)
			return
		case ev.Status.Message != nil:
			d.message(ev.Status.Message, false)
		}
		d.status(ev.TaskID, ev.ContextID, ev.Status)
	case a2a.EventMessage:
		d.release(true)
		d.message(ev.Message, false)
	}
}

// A laterEvent is an event of an artifact that is drawn when the open one is complete.
type laterEvent struct {
	ev    a2a.Event
	known string
}

// pause is how long an artifact may not grow while another one waits for its end.
const pause = 2 * time.Second

// waits reports whether an event of an artifact is drawn later: two texts that grow at the same time
// would tear each other to pieces.
func (d *drawing) waits(ev *a2a.Event) bool {
	if d.artifact == "" || d.artifact == ev.TaskID+"\x00"+ev.Artifact.Key {
		return false
	}
	return len(d.later) > 0 || !d.sealed && now().Sub(d.grown) < pause
}

// release draws the artifacts that wait, one after the other, if the open one is complete or does
// not grow any more; always if the turn goes on to something else.
func (d *drawing) release(always bool) {
	if len(d.later) == 0 || !always && !d.sealed && now().Sub(d.grown) < pause {
		return
	}
	later := d.later
	d.later = nil
	for len(later) > 0 {
		first, rest := later[0].ev, later[:0:0]
		for i := range later {
			if l := &later[i]; l.ev.TaskID == first.TaskID && l.ev.Artifact.Key == first.Artifact.Key {
				d.chunk(&l.ev, l.known)
			} else {
				rest = append(rest, *l)
			}
		}
		later = rest
	}
}

// chunk draws an event of an artifact.
func (d *drawing) chunk(ev *a2a.Event, known string) {
	key := ev.TaskID + "\x00" + ev.Artifact.Key
	if d.artifact != key || !ev.Append {
		d.end()
		d.page.change(ev, known)
		d.above()
		d.artifact, d.seen[key] = key, true
	}
	d.grown, d.sealed = now(), ev.LastChunk
	d.parts(ev.Artifact.Parts, cmp.Or(ev.Artifact.Name, known))
}

// task draws what of a task was not drawn.
func (d *drawing) task(t *a2a.Task) {
	for i := range t.Artifacts {
		art := &t.Artifacts[i]
		if key := t.ID + "\x00" + art.Key; !d.seen[key] {
			d.seen[key] = true
			d.end()
			d.page.artifactHead(art, art.Key)
			d.above()
			d.parts(art.Parts, art.Name)
			d.end()
		}
	}
	if t.Status.Message != nil {
		d.message(t.Status.Message, false)
	}
	d.status(t.ID, t.ContextID, &t.Status)
}

// status draws a state that is new.
func (d *drawing) status(taskID, contextID string, s *a2a.Status) {
	if d.ids != taskID {
		d.ids = taskID
		d.page.field("Task", orNone(taskID))
		d.page.field("Context", orNone(contextID))
	}
	if s.State.Terminal() || s.State.Interrupted() {
		d.end()
	}
	if word := stateWord(s); d.states[taskID] != word {
		d.states[taskID] = word
		d.page.field("State", word)
	}
	d.above()
}

// message draws a message of the agent that was not drawn. The text of an open one may go on.
func (d *drawing) message(m *a2a.Message, open bool) {
	key := "message " + m.ID
	if d.seen[key] || m.Role == a2a.RoleUser {
		return
	}
	d.seen[key] = m.ID != ""
	d.end()
	d.page.field("Message", "agent")
	d.above()
	d.parts(m.Parts, "")
	if !open {
		d.end()
		return
	}
	d.artifact, d.sealed = spoken, true
}

// parts draws the parts of an artifact of that name, or of a message: texts grow in the open area.
func (d *drawing) parts(parts []a2a.Part, name string) {
	for i := range parts {
		part := &parts[i]
		if part.Kind == a2a.PartText {
			d.area.Append(part.Text, part.MediaType, cmp.Or(part.Filename, name))
			continue
		}
		open := d.artifact
		d.end()
		d.artifact = open
		d.page.content(part)
		d.above()
		d.picture(part)
	}
}

// picture draws a part that is an image.
func (d *drawing) picture(part *a2a.Part) {
	if part.Kind != a2a.PartBytes || !media.Image(part.MediaType) {
		return
	}
	data, err := part.Bytes()
	if err != nil {
		return
	}
	w, h := d.size()
	lines, err := d.term.Picture(data, w, h)
	if err != nil {
		d.page.field("Note", fmt.Sprintf("The picture is not drawn: %s.", err))
		d.above()
		return
	}
	d.op.write([]byte(lines))
}

// above prints the page above the rows that still change, its labels fainter than its values.
func (d *drawing) above() {
	if d.page.b.Len() == 0 {
		return
	}
	d.lift()
	for l := range strings.Lines(d.page.b.String()) {
		if at := strings.Index(l, ":"); at > 0 && l[0] != ' ' {
			l = d.styles.Dim.S(l[:at+1]) + l[at+1:]
		}
		d.op.write([]byte(l))
	}
	d.page.b.Reset()
}

// lift erases the rows that still change, so that something else can be printed.
func (d *drawing) lift() { d.op.write([]byte(d.area.Lift())) }

// draw brings the screen up to date.
func (d *drawing) draw() {
	d.release(false)
	d.op.write([]byte(d.area.Draw()))
}

// due reports whether a delayed drawing is due.
func (d *drawing) due() bool {
	at, ok := d.area.Due()
	return ok && !now().Before(at) || len(d.later) > 0
}

// end completes the open text.
func (d *drawing) end() {
	d.op.write([]byte(d.area.End()))
	d.artifact = ""
}

// finish draws what is missing of the answer.
func (d *drawing) finish(t *a2a.Task) {
	d.release(true)
	d.end()
	if t != nil {
		d.task(t)
	}
}

// tickOf returns how long to wait for items before the screen is looked after.
func (op *operation) tickOf() time.Duration {
	if op.counter.w == nil && op.drawing == nil {
		return 0
	}
	return tick
}
