package chat

import (
	"slices"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"parley/session/filter"
	"parley/ui/action"
)

// Actions that texts name.
const (
	// CopyText copies what is under the cursor.
	CopyText action.ID = "copy-text"
	// SearchText opens the search.
	SearchText action.ID = "search-text"
	// PreviewFile shows the file under the cursor, SaveFile saves it, and SaveAndOpen opens it too.
	PreviewFile action.ID = "preview-file"
	SaveFile    action.ID = "save-file"
	SaveAndOpen action.ID = "save-and-open"
	// MergeScattered merges the scattered artifacts of the task under the cursor.
	MergeScattered action.ID = "merge-artifacts"
	// UseExample writes one of the agent's examples into the text field.
	UseExample action.ID = "use-example"

	showRecord    action.ID = "show-record"
	previousChunk action.ID = "previous-chunk"
	nextChunk     action.ID = "next-chunk"
	foldOrUnfold  action.ID = "fold-or-unfold"
	switchVersion action.ID = "switch-version-or-raw-text"
)

// actions returns the table of the pane.
func (p *Pane) actions() *action.Table[Intent] {
	typed := action.New(nil,
		action.Action[Intent]{Row: action.Row{Keys: []string{"enter"}, Does: "find text", Foot: 1, Fixed: true}, Run: p.find},
		action.Action[Intent]{Row: action.Row{Keys: []string{"esc"}, Does: "end search", Foot: 2, Fixed: true}, Run: do(p.search.close)},
	)
	return action.New(nil, slices.Concat(p.moveActions(), p.cursorActions(), p.fileActions(), p.searchActions())...).
		While(p.Typing, typed, func(msg tea.KeyPressMsg) Intent {
			p.search.input.SetWidth(p.w)
			p.search.input.Key(msg)
			return nil
		}).
		Live()
}

// do returns what runs an action without an intent.
var do = action.Do[Intent]

// moveActions returns the movements. Without rows they have no effect.
func (p *Pane) moveActions() []action.Action[Intent] {
	some := func() action.State { return action.State{Idle: len(p.out.rows) == 0} }
	chunks := func() action.State { return action.State{Idle: p.chunkedText() == nil} }
	by := func(move func(n int) Intent, n int) func() Intent { return func() Intent { return move(n) } }
	return []action.Action[Intent]{
		{Row: action.Row{Keys: []string{"k", "up"}, Does: "up", Now: some}, Run: by(p.move, -1)},
		{Row: action.Row{Keys: []string{"j", "down"}, Does: "down", Now: some}, Run: by(p.move, 1)},
		{Row: action.Row{ID: previousChunk, Keys: []string{"h", "left"}, Does: "previous chunk", Now: chunks}, Run: by(p.stepScrub, -1)},
		{Row: action.Row{ID: nextChunk, Keys: []string{"l", "right"}, Does: "next chunk", Foot: 6, Rank: 6, Short: "next chunk", Now: func() action.State {
			return action.State{Idle: p.chunkedText() == nil, Foot: p.notOnChip()}
		}}, Run: by(p.stepScrub, 1)},
		{Row: action.Row{Keys: []string{"pgup", "ctrl+b"}, Does: "page up", Now: some}, Run: func() Intent { return p.page(1 - p.h) }},
		{Row: action.Row{Keys: []string{"pgdown", "ctrl+f"}, Shown: "pgdn", Does: "page down", Now: some}, Run: func() Intent { return p.page(p.h - 1) }},
		{Row: action.Row{Keys: []string{"g", "home"}, Does: "top", Now: some}, Run: p.toTop},
		{Row: action.Row{Keys: []string{"G", "end", "f"}, Does: "follow end", Foot: 17, Rank: 11, Short: "end", Now: func() action.State {
			if p.list.Following() {
				return action.State{Idle: len(p.out.rows) == 0, Foot: -1}
			}
			return some()
		}}, Run: do(p.End)},
		{Row: action.Row{Keys: []string{"{"}, Does: "previous turn", Now: some}, Run: by(p.toTurn, -1)},
		{Row: action.Row{Keys: []string{"}"}, Does: "next turn", Now: some}, Run: by(p.toTurn, 1)},
	}
}

// notOnChip keeps an action out of the footer while the cursor is on a file: what one does with a
// file comes first then.
func (p *Pane) notOnChip() int {
	if p.onChip() {
		return -1
	}
	return 0
}

// onRow returns how an action stands that is about the row of the cursor.
func (p *Pane) onRow(may func() bool) func() action.State {
	return func() action.State {
		return action.State{Off: p.row == nil || !p.isListed(p.row) || !may()}
	}
}

// cursorActions returns the actions on what is under the cursor.
func (p *Pane) cursorActions() []action.Action[Intent] {
	always := func() bool { return true }
	return []action.Action[Intent]{
		{Row: action.Row{ID: showRecord, Keys: []string{"enter"}, Does: "show record", Foot: 2, Rank: 1, Short: "record", Now: p.onRow(always)}, Run: p.reveal},
		{Row: action.Row{ID: foldOrUnfold, Keys: []string{"space"}, Does: "fold or unfold", Foot: 7, Rank: 5, Short: "fold", Now: p.canFold}, Run: do(p.fold)},
		{Row: action.Row{Keys: []string{"d"}, Does: "show details", Foot: 8, Rank: 8, Short: "details", Now: p.onRow(always)}, Run: do(func() { p.toggleDetails(p.row) })},
		{
			Row: action.Row{Keys: []string{"t"}, Does: "show timeline", Foot: 13, Rank: 10, Short: "timeline", Now: p.onRow(func() bool { return p.headRow() != nil })},
			Run: do(func() { p.toggleDetails(p.headRow()) }),
		},
		{
			Row: action.Row{ID: switchVersion, Keys: []string{"v"}, Does: "switch version or raw text", Foot: 9, Rank: 7, Short: "raw text", Now: p.onRow(func() bool { return p.versions() != nil })},
			Run: do(func() {
				v := p.versions()
				*v = !*v
				p.refold()
			}),
		},
		{Row: action.Row{Keys: []string{"H"}, Does: "show history", Foot: 10, Rank: 9, Short: "history", Now: p.onRow(func() bool { return p.history() != nil })}, Run: do(p.toggleHistory)},
		{
			Row: action.Row{ID: MergeScattered, Keys: []string{"m"}, Does: "merge artifacts", Foot: 11, Rank: 4, Short: "merge", Now: p.onRow(func() bool { return p.scatteredTask() != nil })},
			Run: func() Intent {
				t := p.scatteredTask()
				return MergeArtifacts{Agent: t.Conversation.Agent.ID, Task: t.ID}
			},
		},
		{Row: action.Row{Keys: []string{"p"}, Does: "check task", Foot: 12, Rank: 4, Short: "check", Now: p.canPoll}, Run: p.poll},
		{Row: action.Row{ID: CopyText, Keys: []string{"y"}, Does: "copy text", Foot: 14, Rank: 2, Short: "copy", Now: p.onRow(always)}, Run: p.copied},
	}
}

// reveal asks to show the record under the cursor.
func (p *Pane) reveal() Intent {
	if id := p.Selected(); id != 0 {
		return RevealRecord{Record: id, Open: true}
	}
	return nil
}

// copied asks to copy what is under the cursor.
func (p *Pane) copied() Intent {
	if text := p.copyText(); text != "" {
		return Copy{Text: text}
	}
	return nil
}

// canFold returns how the action stands that folds what is under the cursor.
func (p *Pane) canFold() action.State {
	if p.row == nil || !p.isListed(p.row) {
		return action.State{Off: true}
	}
	set, _ := p.insetAtCursor()
	open := p.row.body.fold()
	switch {
	case set.inset == nil && open == nil:
		return action.State{Off: true}
	case set.inset == nil && p.onChip() && !*open:
		return action.State{Does: "show content"}
	}
	return action.State{}
}

// fold folds or unfolds what is under the cursor.
func (p *Pane) fold() {
	if open := p.row.body.fold(); !p.toggleInset() && open != nil {
		*open = !*open
		p.refold()
	}
}

// toggleHistory shows or hides the history of the task under the cursor.
func (p *Pane) toggleHistory() {
	h := p.history()
	h.body.(*head).history = !h.body.(*head).history
	p.row, p.line = h, -1 // it may be far above
	p.refold()
}

// canPoll returns how the action stands that asks for the state of a task, or stops asking.
func (p *Pane) canPoll() action.State {
	switch wants := p.authTask(); {
	case p.pollSignal() != nil:
		return action.State{Does: "stop polling"}
	case wants == nil:
		return action.State{Off: true}
	case wants.AuthPoll != nil:
		return action.State{Does: "stop auth poll"}
	}
	return action.State{}
}

// poll asks to look after the task under the cursor, or to stop that.
func (p *Pane) poll() Intent {
	if s := p.pollSignal(); s != nil {
		return StopPolling{s.Turn}
	}
	t := p.authTask()
	return SetAuthPoll{Agent: t.Conversation.Agent.ID, Task: t.ID, On: t.AuthPoll == nil}
}

// fileActions returns the actions on the files under the cursor. They come first in the footer
// while the cursor is on a file.
func (p *Pane) fileActions() []action.Action[Intent] {
	now := func(onChip int) func() action.State {
		return func() action.State {
			s := action.State{Off: !p.Savable()}
			if p.onChip() {
				s.Foot, s.Rank = onChip, onChip-1
			}
			return s
		}
	}
	files := func(of Files) func() Intent {
		return func() Intent {
			if of.List = p.FilesAtCursor(); len(of.List) == 0 {
				return nil
			}
			return of
		}
	}
	save, open := now(3), now(5)
	return []action.Action[Intent]{
		{Row: action.Row{ID: PreviewFile, Keys: []string{"V"}, Does: "preview file", Foot: 18, Rank: 6, Short: "preview", Now: now(4)}, Run: files(Files{Look: true})},
		{Row: action.Row{ID: SaveFile, Keys: []string{"w"}, Does: "save file", Foot: 19, Rank: 7, Short: "save", Now: save}, Run: files(Files{})},
		{
			Row: action.Row{ID: SaveAndOpen, Keys: []string{"o"}, Does: "save and open", Foot: 20, Rank: 8, Short: "open", Now: func() action.State {
				s := open()
				if len(p.linksAtCursor()) > 0 {
					s.Off, s.Does = false, "open link"
				}
				return s
			}},
			Run: func() Intent {
				if links := p.linksAtCursor(); len(links) > 0 {
					return OpenLinks{links}
				}
				return files(Files{Open: true})()
			},
		},
	}
}

// searchActions returns the actions of the search, and the numbers of what the greeting offers.
func (p *Pane) searchActions() []action.Action[Intent] {
	again := func() action.State { return action.State{Idle: p.search.query == ""} }
	return []action.Action[Intent]{
		{
			Row: action.Row{ID: SearchText, Keys: []string{"/"}, Does: "search text", Foot: 15, Rank: 3, Short: "search", Now: func() action.State { return action.State{Idle: len(p.out.rows) == 0} }},
			Run: do(p.search.start),
		},
		{Row: action.Row{Keys: []string{"n"}, Does: "next match", Foot: 16, Rank: 2, Now: again}, Run: func() Intent { return p.seek(1) }},
		{Row: action.Row{Keys: []string{"N"}, Does: "previous match", Now: again}, Run: func() Intent { return p.seek(-1) }},
		{
			Row:   action.Row{ID: UseExample, Keys: digitKeys(), Shown: "1-9", Does: "use example", Foot: 1, Rank: 1, Short: "examples", Now: p.canChoose},
			Press: action.Digit(func(n int) Intent { return p.chooseOffer(n - 1) }),
		},
	}
}

// Key handles a key press.
func (p *Pane) Key(msg tea.KeyPressMsg) Intent {
	p.sync()
	p.dirty = true
	if !p.search.typing && !key.Matches(msg, p.Of(previousChunk), p.Of(nextChunk), p.Of(showRecord)) {
		p.endScrub(p.w)
	}
	return p.Table.Key(msg)
}

// find searches for what was typed, or asks for the record of a number.
func (p *Pane) find() Intent {
	p.search.query = p.search.input.Value()
	p.search.close()
	if id, ok := filter.RecordNumber(p.search.query); ok {
		return RevealRecord{Record: id, Open: true, Named: true}
	}
	return p.seek(1)
}

// refold draws the cursor's row again after something in it was folded.
func (p *Pane) refold() {
	p.out.redraw(p.row)
	p.out.invalidate()
	p.sync()
	if p.isListed(p.row) {
		p.row.Lines(p.w)
		p.line = min(p.line, p.lastLine(p.row))
		p.scrollToCursor()
	}
}

// history returns the head of the cursor's block if its task has a history.
func (p *Pane) history() *row {
	if t := p.task(); t == nil || len(t.History) == 0 {
		return nil
	}
	return p.headRow()
}

// versions returns the switch for the earlier versions of what is under the cursor, nil if
// there are none.
func (p *Pane) versions() *bool {
	switch b := p.body().(type) {
	case *artifact:
		if len(b.art.Revisions) > 0 || b.content.undeclaredJSON() {
			return &b.revisions
		}
	case *message:
		if len(b.replacedMessages()) > 0 || !b.declared() {
			return &b.earlier
		}
	}
	return nil
}
