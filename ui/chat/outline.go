package chat

import (
	"slices"

	"parley/a2a"
	"parley/session/log"
	"parley/session/model"
	"parley/ui/list"
	"parley/ui/looks"
)

// An outline has one row for each entry of a conversation, so that unchanged entries are not
// drawn again. It is the list's source.
type outline struct {
	renderer *renderer
	conv     *model.Conversation
	version  uint64 // of conv that rows show
	turns    []*turnRows
	newest   map[*model.Task]*blockRows
	rows     []*row // that are shown, in order
	revs     uint64 // the last version given to a row
	arrivals int    // entries and chunks so far
	// retry is the row of a message that a busy agent rejected, nil if something was sent
	// since.
	retry *row
}

// turnRows are the rows of one turn.
type turnRows struct {
	turn    *model.Turn
	version uint64
	message *row
	pending *row
	blocks  []*blockRows
	asides  []*row // by index in the turn's asides
	visible []*row
}

// blockRows are the rows of one block; entries has nil where an entry has none.
type blockRows struct {
	block       *model.Block
	version     uint64
	taskVersion uint64
	key         headKey
	head        *row
	entries     []*row
	question    *row
	unfolded    bool // all progress is shown
}

// headKey is the content of a block's head; the head is drawn again when it changes.
type headKey struct {
	states        int
	breaks        int
	repairs       int
	away          bool
	state         a2a.State
	forgotten     bool
	lost          bool
	worker        model.Worker
	contradiction *model.Contradiction
	newest        bool
	pending       bool
	poll          *log.Signal
	attach        *log.Signal
	stalled       *log.Signal
	scattered     int
	history       int
	extras        int
	name          string
	incomplete    int64
}

// Len implements list.Source.
func (o *outline) Len() int { return len(o.rows) }

// Newest implements list.Counter, which counts chunks too, although they add no row.
func (o *outline) Newest() int { return o.arrivals }

// After implements list.Counter.
func (o *outline) After(n int) int { return o.arrivals - n }

// Item implements list.Source.
func (o *outline) Item(i int) list.Item { return o.rows[i] }

// tick returns a new version.
func (o *outline) tick() uint64 {
	o.revs++
	return o.revs
}

// redraw makes rows draw again.
func (o *outline) redraw(rows ...*row) {
	for _, r := range rows {
		if r != nil {
			r.rev = o.tick()
		}
	}
}

// sync applies the changes of the conversation and reports whether there were any. It costs a
// comparison per turn and per entry of what changed.
func (o *outline) sync() bool {
	if o.conv == nil || o.version == o.conv.Version {
		return false
	}
	o.version = o.conv.Version
	from := -1
	for i, turn := range o.conv.Turns {
		if i == len(o.turns) {
			o.turns = append(o.turns, &turnRows{turn: turn, version: turn.Version - 1})
			o.dropRetry()
		}
		// A later turn may decide which block of a task is the newest.
		for t := o.turns[i]; len(t.blocks) < len(turn.Blocks); {
			t.blocks = append(t.blocks, o.newBlock(turn, turn.Blocks[len(t.blocks)], len(t.blocks)))
		}
	}
	for i, t := range o.turns {
		if o.syncTurn(t) && from < 0 {
			from = i
		}
	}
	if from >= 0 {
		o.rebuild(from)
	}
	return true
}

// dropRetry removes the offer to send a message again, because another one was sent.
func (o *outline) dropRetry() {
	if o.retry != nil {
		o.retry.body.(*problemBlock).retries = false
		o.redraw(o.retry)
		o.retry = nil
	}
}

// invalidate makes the next sync check everything, after a fold.
func (o *outline) invalidate() {
	o.version--
	for _, t := range o.turns {
		t.version--
		for _, b := range t.blocks {
			b.version--
		}
	}
}

// syncTurn reports whether the set of shown rows changed.
func (o *outline) syncTurn(t *turnRows) bool {
	same := t.version == t.turn.Version
	for _, b := range t.blocks {
		same = same && (b.block.Task == nil || b.taskVersion == b.block.Task.Version)
	}
	if same {
		return false
	}
	t.version = t.turn.Version
	if t.message == nil {
		t.message = o.row(&userMessage{turn: t.turn}, t.turn, -1, -1)
		t.message.edge = o.renderer.st.User
		o.arrivals++
	} else if t.message.stamp != userStamp(t.turn) {
		o.redraw(t.message)
	}
	t.message.stamp = userStamp(t.turn)
	shown := []*row{t.message}
	if len(t.turn.Blocks) == 0 && (len(t.turn.Asides) == 0 || t.turn.Pending) {
		if t.pending == nil {
			t.pending = o.row(&pendingAnswer{turn: t.turn}, t.turn, -1, -1)
		}
		o.redraw(t.pending)
		t.pending.gap = apart
		shown = append(shown, t.pending)
	}
	for _, b := range t.blocks {
		shown = o.syncBlock(t.turn, b, shown)
	}
	shown = append(shown, o.syncAsides(t)...)
	changed := !slices.Equal(shown, t.visible)
	t.visible = shown
	return changed
}

// syncAsides takes the asides of a turn.
func (o *outline) syncAsides(t *turnRows) []*row {
	t.asides = t.asides[:min(len(t.asides), len(t.turn.Asides))]
	for i, a := range t.turn.Asides {
		if i == len(t.asides) {
			t.asides = append(t.asides, o.row(&aside{about: a, conv: o.conv}, t.turn, -1, -1))
		}
		r := t.asides[i]
		if b := r.body.(*aside); b.about != a || r.stamp != uint64(a.Events) {
			b.about, r.stamp = a, uint64(a.Events)
			o.redraw(r)
		}
		o.setGap(r, inside)
	}
	return t.asides
}

// userStamp is the content of the row of the user's message besides the message: whether there
// is one, and which answer named which extensions.
func userStamp(t *model.Turn) uint64 {
	stamp := 2 * uint64(t.Extensions.Record)
	if t.Message != nil {
		stamp++
	}
	return stamp
}

// rebuild lists the rows again from a turn on.
func (o *outline) rebuild(from int) {
	at := len(o.rows)
	if first := o.turns[from].message; first.index < len(o.rows) && o.rows[first.index] == first {
		at = first.index
	}
	o.rows = o.rows[:at]
	for i, t := range o.turns[from:] {
		for _, r := range t.visible {
			r.index = len(o.rows)
			o.rows = append(o.rows, r)
		}
		if from+i > 0 {
			o.setGap(t.message, apart)
		}
	}
}

func (o *outline) setGap(r *row, g gap) {
	if r.gap != g {
		r.gap = g
		o.redraw(r)
	}
}

func (o *outline) row(b body, turn *model.Turn, block, entry int) *row {
	return &row{body: b, turn: turn, block: block, entry: entry, renderer: o.renderer, edge: looks.Tag(o.renderer.st, o.conv.Agent.ID), rev: o.tick(), w: -1}
}

func (o *outline) newBlock(turn *model.Turn, block *model.Block, i int) *blockRows {
	b := &blockRows{block: block, version: block.Version - 1}
	b.head = o.row(&head{agent: o.conv.Agent, turn: turn, block: block, newest: true}, turn, i, -1)
	if block.Task != nil {
		if before := o.newest[block.Task]; before != nil {
			before.head.body.(*head).newest = false
			o.redraw(before.head)
		}
		o.newest[block.Task] = b
		b.question = o.row(&missingQuestion{task: block.Task}, turn, i, -1)
	}
	return b
}

// find returns the row of an anchor, nil if there is none.
func (o *outline) find(a model.Anchor) *row {
	for _, t := range o.turns {
		if t.turn.ID != a.Turn {
			continue
		}
		if a.Block < 0 || a.Block >= len(t.blocks) {
			return t.message
		}
		b := t.blocks[a.Block]
		if a.Entry >= 0 && a.Entry < len(b.entries) {
			if r := b.entries[a.Entry]; r != nil && slices.Contains(t.visible, r) {
				return r
			}
		}
		return b.head
	}
	return nil
}

// eachRow calls yield with every row, visible or not.
func (o *outline) eachRow(yield func(*row)) {
	for _, t := range o.turns {
		rows := append([]*row{t.message, t.pending}, t.asides...)
		for _, b := range t.blocks {
			rows = append(append(rows, b.head, b.question), b.entries...)
		}
		for _, r := range rows {
			if r != nil {
				yield(r)
			}
		}
	}
}
