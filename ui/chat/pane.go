package chat

import (
	"time"

	"charm.land/bubbles/v2/key"

	"parley/a2a"
	"parley/internal/units"
	"parley/session/model"
	"parley/ui/action"
	"parley/ui/canvas"
	"parley/ui/keys"
	"parley/ui/list"
	"parley/ui/looks"
	"parley/ui/styles"
)

// A Pane shows one conversation at a time and remembers the reader's position in each. It is
// not safe for use by several goroutines.
type Pane struct {
	*view
	shared *shared

	*action.Table[Intent]
	agent   *model.Agent
	focused bool
	named   bool    // the title is the agent's name
	demo    bool    // offer the demo agents while no agent is open
	offers  []Offer // offer these too
	// recorded is offered as well.
	recorded recorded
	search   search
	replies  replies // of the question

	w, h    int
	lines   []string
	dirty   bool // lines must be drawn again
	held    bool // the agent is not used because its card has to be approved
	applied int  // of shared, when the lines were drawn
	// lit is the record of the chunk that is drawn as new, 0 for none.
	lit a2a.RecordID
	// greeting is the greeting of an empty conversation, with its inputs.
	greeting greeting
}

// shared is what panes side by side have in common. So a conversation that moves from one to the
// other keeps its rows and the reader's position.
type shared struct {
	settings settings
	views    map[*model.Conversation]*view
	paths    map[fileID]string // where files were saved
	// drawingPicture is set while a picture is drawn.
	drawingPicture bool
	applied        int // results of jobs so far
}

// A view is a conversation's rows and the reader's position in them.
type view struct {
	out      *outline
	renderer *renderer
	list     list.List
	st       *styles.Styles // that the rows were drawn with

	// The cursor: a row and a line of its body, -1 for its head.
	row   *row
	line  int
	chunk chunkPosition
	scrub *scrub // nil while no artifact is shown as it was
	// cursorShown is set while the cursor is drawn without the focus, because another pane
	// selected it.
	cursorShown bool

	files int  // downloaded files when the rows were drawn
	away  bool // the agent could not be reached when the rows were drawn

	timeline *row // the head whose details were opened last
}

// New returns an empty pane. The clock paces the rendering of text that grows.
func New(st *styles.Styles, clock func() time.Time) *Pane {
	p := newPane(&shared{
		settings: settings{st: st, now: clock(), clock: clock, session: clock}, views: map[*model.Conversation]*view{}, paths: map[fileID]string{},
	})
	p.shared.settings.keys = p.Of
	p.NameKeys(func(action.ID) key.Binding { return key.Binding{} }, key.Binding{})
	return p
}

// Beside returns an empty pane for another conversation at the side of this one. Both must not
// show the same conversation at once.
func (p *Pane) Beside() *Pane {
	beside := newPane(p.shared)
	beside.SameKeys(p.Table)
	return beside
}

func newPane(s *shared) *Pane {
	p := &Pane{shared: s, search: newSearch(s.settings.st)}
	p.Table = p.actions()
	p.view = p.open(nil)
	return p
}

// SetSession sets the clock of the session if it is another one than that of the user: that of a
// recording that is played.
func (p *Pane) SetSession(clock func() time.Time) { p.shared.settings.session = clock }

// SetTimes gives the pane the times of records, for the chunks of an artifact.
func (p *Pane) SetTimes(of func(a2a.RecordID) time.Time) { p.shared.settings.timeOf = of }

// NameKeys gives the pane the keys of others that its texts name: those of actions of the workbench,
// and the one that sends.
func (p *Pane) NameKeys(of func(action.ID) key.Binding, send key.Binding) {
	p.shared.settings.keyOf, p.shared.settings.send = of, keys.Name(send)
}

// Show shows a conversation, at its last position, otherwise at its end. conv is nil while
// agent has none, and both are nil before an agent is opened.
func (p *Pane) Show(agent *model.Agent, conv *model.Conversation) {
	if conv == p.out.conv && agent == p.agent {
		return
	}
	p.agent, p.dirty = agent, true
	p.search.close()
	p.view = p.open(conv)
	p.list.SetSize(p.w, p.h)
	p.renderer.paneHeight = p.h
	if p.st != p.renderer.st {
		p.restyle()
	}
	p.redrawRunning() // time passed since it was last shown
}

// open returns the view of a conversation.
func (p *Pane) open(conv *model.Conversation) *view {
	v := p.shared.views[conv]
	if v == nil {
		k := &renderer{settings: &p.shared.settings}
		if conv != nil {
			k.download = conv.Agent.File
		}
		v = &view{st: k.st, renderer: k, out: &outline{renderer: k, conv: conv, newest: map[*model.Task]*blockRows{}}}
		if conv != nil {
			v.out.version = conv.Version - 1
		}
		v.list.SetSource(v.out)
		v.list.SetFollow(true)
		p.shared.views[conv] = v
	}
	return v
}

// Conversation returns the shown conversation, nil if there is none.
func (p *Pane) Conversation() *model.Conversation { return p.out.conv }

// SetStyles changes the styles.
func (p *Pane) SetStyles(st *styles.Styles) {
	p.renderer.st, p.greeting, p.dirty = st, greeting{}, true
	p.search.input.SetStyles(st)
	p.restyle()
}

// restyle draws the rows again in the present styles.
func (p *Pane) restyle() {
	p.st = p.renderer.st
	p.out.eachRow(func(r *row) {
		r.edge = looks.Tag(p.st, p.out.conv.Agent.ID)
		if _, ok := r.body.(*userMessage); ok {
			r.edge = p.st.User
		}
		if s, ok := r.body.(streamer); ok {
			s.restyle(p.st)
		}
		r.w = -1
		p.out.redraw(r)
	})
}

// SetSize sets the size in cells.
func (p *Pane) SetSize(w, h int) {
	if w, h = max(w, 0), max(h, 0); w == p.w && h == p.h {
		return
	}
	p.w, p.h, p.dirty, p.renderer.paneHeight = w, h, true, h
	p.list.SetSize(w, h)
}

// Tick reads the clock, which determines running durations and the zone of times, and redraws
// what has a running clock.
func (p *Pane) Tick() {
	p.renderer.now = p.renderer.session()
	p.redrawRunning()
}

// redrawRunning redraws what has a running clock.
func (p *Pane) redrawRunning() {
	for _, t := range p.out.turns {
		if !t.turn.Pending {
			continue
		}
		p.out.redraw(t.pending)
		for _, b := range t.blocks {
			if b.head.body.(*head).running() {
				p.out.redraw(b.head, b.runningStep())
			}
			p.out.redraw(b.stalledRows()...)
		}
		p.dirty = true
	}
	if p.timelineRuns() {
		p.out.redraw(p.timeline)
		p.dirty = true
	}
	if p.out.retry != nil {
		p.out.redraw(p.out.retry)
		p.dirty = true
	}
}

// SetRecording sets that the session is a recording, in which no task runs.
func (p *Pane) SetRecording(on bool) {
	p.renderer.recording, p.greeting, p.dirty = on, greeting{}, true
}

// OfferDemo offers the demo agents while no agent is open.
func (p *Pane) OfferDemo() { p.demo = true }

// Focus gives the pane the keys. The cursor stays where it was, or goes to the newest entry.
func (p *Pane) Focus() {
	p.focused, p.dirty = true, true
	p.sync()
	if p.row == nil && len(p.out.rows) > 0 {
		p.row = p.out.rows[len(p.out.rows)-1]
		p.line = p.lastLine(p.row)
	}
}

// Blur takes the keys away.
func (p *Pane) Blur() { p.focused, p.cursorShown, p.dirty = false, false, true }

// ShowCursor draws the cursor although another pane has the keys, until this one gets and loses
// them.
func (p *Pane) ShowCursor() { p.cursorShown, p.dirty = p.row != nil, true }

// Focused reports whether the pane has the keys.
func (p *Pane) Focused() bool { return p.focused }

// SetNamed sets whether the title is the agent's name, because another conversation is beside it.
func (p *Pane) SetNamed(on bool) { p.named = on }

// maxTitle is the longest name in a title, in cells.
const maxTitle = 40

// Title returns the words for the frame's left edge.
func (p *Pane) Title() string {
	if p.named && p.agent != nil {
		return canvas.Ellipsize(canvas.SanitizeLine(p.agent.Name()), maxTitle, p.renderer.st.G[styles.Ellipsis])
	}
	return "conversation"
}

// Note returns the words for the frame's right edge: how much is new below the window, and what
// the conversation is about.
func (p *Pane) Note() string {
	if p.out.conv == nil {
		return ""
	}
	name := canvas.SanitizeLine(p.out.conv.Name())
	if n := p.Unseen(); n > 0 {
		return units.Count(n) + " new " + p.renderer.st.G[styles.Down] + "  " + name
	}
	return name
}

// sync applies the changes of the conversation and preserves the scroll position.
func (p *Pane) sync() {
	if away := p.agent.Away(); p.away != away {
		p.away = away
		p.out.invalidate()
	}
	if p.agent != nil && p.files != len(p.agent.Files) {
		p.files, p.dirty = len(p.agent.Files), true
		p.out.eachRow(func(r *row) { p.out.redraw(r) })
	}
	top, line := p.list.Anchor()
	var at *row
	if top >= 0 && top < len(p.out.rows) {
		at = p.out.rows[top]
	}
	if !p.out.sync() {
		return
	}
	p.dirty = true
	if at != nil && at.index != top && !p.list.Following() {
		p.list.ScrollTo(at.index, line)
	}
}

// Lines returns the pane as exactly its height of rows of exactly its width. The
// result is valid until the next call of any method.
func (p *Pane) Lines() []string {
	p.sync()
	if len(p.out.rows) == 0 {
		return p.greet()
	}
	lit := p.lit != 0 && !p.renderer.isNewChunk(p.lit) // no longer
	if p.dirty || lit || p.applied != p.shared.applied || len(p.lines) != p.h {
		p.draw()
		p.dirty, p.applied = false, p.shared.applied
	}
	return p.lines
}

// draw composes the window: rows, cursor, note about new content, search.
func (p *Pane) draw() {
	if p.focused && p.list.Following() {
		p.keepCursorVisible() // the text grew past it
	}
	p.lines = append(p.lines[:0], p.list.Lines()...)
	p.lines = append(p.lines, canvas.Blank(p.w, p.h-len(p.lines))...)
	p.lightNewChunk()
	if p.row != nil && (p.focused || p.cursorShown) {
		y := 0
		for item, line := range p.list.Window() {
			p.lines[y] = p.pointAt(p.lines[y], item, line)
			y++
		}
	}
	if p.h == 0 {
		return
	}
	if p.search.typing || p.search.note != "" {
		p.lines[p.h-1] = canvas.Fit(p.searchLine(), p.w)
	}
}

// pointAt draws the cursor into a line of an item if it is there: on the whole line, or on the
// text of a chunk.
func (p *Pane) pointAt(drawn string, item, line int) string {
	if item < len(p.out.rows) && p.out.rows[item] == p.row {
		if p.scrub != nil { // the change is marked
			return drawn
		}
		if line, ok := p.highlightChunk(drawn, line-p.row.bodyStart); ok {
			return line
		}
	}
	switch {
	case !p.underCursor(item, line):
		return drawn
	case p.focused:
		return canvas.Select(drawn, p.renderer.st)
	default:
		return canvas.Hold(drawn, p.renderer.st)
	}
}

// underCursor reports whether a line of an item is the cursor's.
func (p *Pane) underCursor(item, line int) bool {
	if item >= len(p.out.rows) || p.out.rows[item] != p.row || line < p.row.start {
		return false
	}
	if !p.row.byLine() {
		return true
	}
	at := max(p.line, p.row.topLine())
	if at < 0 {
		return line < p.row.bodyStart
	}
	return line == p.row.bodyStart+at
}

// Unseen returns how many entries and chunks arrived since the end was last visible.
func (p *Pane) Unseen() int { return p.list.Unseen() }
