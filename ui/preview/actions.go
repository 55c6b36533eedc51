package preview

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/ui/action"
	"parley/ui/keys"
)

// Actions that texts name.
const (
	foldText action.ID = "fold-or-open-text"
	saveFile action.ID = "save-file"
)

// actions returns the table of the pane.
func (p *Pane) actions() *action.Table[Intent] {
	return action.New(func(why string) Intent { return Refused{why} }, slices.Concat(p.moves(), p.looks(), p.acts())...).
		While(p.Typing, p.typed(), func(msg tea.KeyPressMsg) Intent {
			p.search.input.SetWidth(p.w)
			p.search.input.Key(msg)
			return nil
		})
}

// moves returns the actions that move.
func (p *Pane) moves() []action.Action[Intent] {
	text, wide := p.onText(""), p.isWide
	return []action.Action[Intent]{
		{Row: action.Row{Keys: []string{"k", "up"}, Does: "up", Now: p.onText("previous row")}, Run: run(func() { p.move(-1) })},
		{Row: action.Row{Keys: []string{"j", "down"}, Does: "down", Now: p.onText("next row")}, Run: run(func() { p.move(1) })},
		{Row: action.Row{Keys: []string{"pgup", "ctrl+u", "ctrl+b"}, Does: "page up", Now: text}, Run: run(func() { p.page(-1) })},
		{
			Row: action.Row{Keys: []string{"pgdown", "ctrl+d", "ctrl+f"}, Shown: "pgdn", Does: "page down", Now: text},
			Run: run(func() { p.page(1) }),
		},
		{Row: action.Row{Keys: []string{"g", "home"}, Does: "top", Now: text}, Run: run(func() { p.edge(false) })},
		{Row: action.Row{Keys: []string{"G", "end"}, Does: "bottom", Now: text}, Run: run(func() { p.edge(true) })},
		{Row: action.Row{Keys: []string{"h", "left"}, Does: "previous column", Foot: 7, Now: wide}, Run: run(func() { p.columns(-1) })},
		{Row: action.Row{Keys: []string{"l", "right"}, Does: "next column", Foot: 6, Now: wide}, Run: run(func() { p.columns(1) })},
		{Row: action.Row{Keys: []string{"enter"}, Does: "show row", Foot: 5, Now: p.onTable}, Run: run(p.toggleRow)},
	}
}

// looks returns the actions that show the file, or another version of it, in another way.
func (p *Pane) looks() []action.Action[Intent] {
	tree := p.onTree(func() bool { return true })
	return []action.Action[Intent]{
		{Row: action.Row{Keys: []string{"v"}, Does: "switch view", Foot: 4, Now: p.nextLook}, Run: run(p.switchLook)},
		{Row: action.Row{Keys: []string{"["}, Does: "older version", Foot: 2, Now: p.hasVersion(-1)}, Run: run(func() { p.turn(-1) })},
		{Row: action.Row{Keys: []string{"]"}, Does: "newer version", Foot: 3, Now: p.hasVersion(1)}, Run: run(func() { p.turn(1) })},
		{
			Row: action.Row{
				ID: foldText, Keys: []string{"space", "enter"}, Does: "fold or open text", Foot: 8,
				Now: p.onTree(func() bool { return p.tree.CanToggle() }),
			},
			Run: run(func() { p.tree.Toggle() }),
		},
		{Row: action.Row{Keys: []string{"-"}, Does: "fold all", Now: tree}, Run: run(func() { p.tree.FoldAll(true) })},
		{Row: action.Row{Keys: []string{"+", "="}, Does: "unfold all", Now: tree}, Run: run(func() { p.tree.FoldAll(false) })},
		{
			Row: action.Row{Keys: []string{"i"}, Does: "preview decoded value", Foot: 9, Now: p.onTree(func() bool { return p.tree.HasFormats() })},
			Run: run(func() { p.tree.NextFormat() }),
		},
		{
			Row: action.Row{Keys: []string{"x"}, Does: "switch hexadecimal", Foot: 10, Now: p.onBytes},
			Run: run(func() { p.bytes.SetHex(!p.bytes.Hex()) }),
		},
	}
}

// acts returns the actions that search, or do something with the file.
func (p *Pane) acts() []action.Action[Intent] {
	text, sought := p.onText(""), func() action.State { return action.State{Off: p.search.query == ""} }
	save := func(open bool) func() Intent { return func() Intent { return Save{File: p.files[p.at], Open: open} } }
	return []action.Action[Intent]{
		{Row: action.Row{Keys: []string{"/"}, Does: "search text", Foot: 11, Now: text}, Run: run(p.search.open)},
		{Row: action.Row{Keys: []string{"n"}, Does: "next match", Foot: 12, Now: sought}, Run: run(func() { p.seek(1, false) })},
		{Row: action.Row{Keys: []string{"N"}, Does: "previous match", Now: sought}, Run: run(func() { p.seek(-1, false) })},
		{Row: action.Row{Keys: []string{"y"}, Does: "copy text", Foot: 13, Now: text}, Run: p.copyIntent},
		{Row: action.Row{Keys: []string{"Y"}, Does: "copy all", Foot: 14, Now: text}, Run: p.copyAllIntent},
		{Row: action.Row{ID: saveFile, Keys: []string{"w"}, Does: "save file", Foot: 15, Now: p.isRead}, Run: save(false)},
		{Row: action.Row{Keys: []string{"o"}, Does: "save and open", Foot: 16, Now: p.isRead}, Run: save(true)},
		{
			Row: action.Row{
				Keys: []string{"esc"}, Does: "show table", Fixed: true, Passing: true,
				Now: func() action.State { return action.State{Off: !p.grid.one} },
			},
			Run: run(func() { p.grid.one = false }),
		},
		{Row: action.Row{Keys: []string{"esc", "q", "V"}, Does: "close", Foot: 1}, Run: func() Intent { return Close{} }},
	}
}

// typed returns the table while the search is open.
func (p *Pane) typed() *action.Table[Intent] {
	return action.New[Intent](nil,
		action.Action[Intent]{Row: action.Row{Keys: []string{"enter"}, Does: "find text", Foot: 1}, Run: run(p.find)},
		action.Action[Intent]{Row: action.Row{Keys: []string{"esc"}, Does: "end search", Foot: 2}, Run: run(p.search.close)},
	)
}

// run returns what an action does that needs nothing of the root model.
func run(do func()) func() Intent { return func() Intent { do(); return nil } }

// Key handles a key press.
func (p *Pane) Key(msg tea.KeyPressMsg) Intent {
	if !p.search.typing {
		p.search.note = ""
	}
	return p.Table.Key(msg)
}

// onText returns how an action on lines stands, and its words while one row of a table is shown:
// a picture has no lines and no text.
func (p *Pane) onText(row string) func() action.State {
	return func() action.State {
		s := action.State{}
		look, ok := p.Look()
		if s.Off = !ok || look == AsPicture; p.grid.one {
			s.Does = row
		}
		return s
	}
}

// onTree returns how an action on a tree stands: may reports whether it is possible.
func (p *Pane) onTree(may func() bool) func() action.State {
	return func() action.State {
		look, ok := p.Look()
		return action.State{Off: !ok || look != AsTree || !may()}
	}
}

func (p *Pane) onTable() action.State {
	s := action.State{}
	look, ok := p.Look()
	if s.Off = !ok || look != AsTable; p.grid.one {
		s.Does = "show table"
	}
	return s
}

func (p *Pane) onBytes() action.State {
	look, ok := p.Look()
	return action.State{Off: !ok || look != AsBytes}
}

func (p *Pane) isRead() action.State {
	_, ok := p.Look()
	return action.State{Off: !ok}
}

// isWide says whether the table has columns outside the window.
func (p *Pane) isWide() action.State {
	if look, ok := p.Look(); !ok || look != AsTable || p.grid.one {
		return action.State{Off: true}
	}
	f := fitted{done: true, w: p.w, from: p.grid.from}
	if p.grid.fitted != f { // asked for each frame
		l := p.read.table.Fit(p.st, f.w, f.from)
		p.grid.fitted, p.grid.hidden = f, l.Before()+l.After()
	}
	return action.State{Off: p.grid.hidden == 0}
}

// nextLook names the next way to show the file, if there is another.
func (p *Pane) nextLook() action.State {
	if _, ok := p.Look(); !ok || len(p.read.looks) < 2 {
		return action.State{Off: true}
	}
	return action.State{Does: [...]string{
		AsTable: "as table", AsTree: "as tree", AsPicture: "as picture", AsMarkdown: "as Markdown", AsText: "as text", AsBytes: "as bytes",
	}[p.read.looks[p.otherLook()]]}
}

// hasVersion returns whether the file has an older or a newer version.
func (p *Pane) hasVersion(by int) func() action.State {
	return func() action.State { return action.State{Off: p.at+by < 0 || p.at+by >= len(p.files)} }
}

// otherLook returns the index of the next way to show the file.
func (p *Pane) otherLook() int { return (p.look + 1) % len(p.read.looks) }

func (p *Pane) switchLook() {
	p.look = p.otherLook()
	p.sheet = sheet{hit: -1}
}

// turn shows another version of the file.
func (p *Pane) turn(by int) {
	p.at += by
	p.begin()
}

// toggleRow shows one row of the table, or the table again.
func (p *Pane) toggleRow() { p.grid.one, p.grid.first = !p.grid.one, 0 }

// copyIntent returns the row or value under the cursor, or the whole file.
func (p *Pane) copyIntent() Intent {
	switch look, _ := p.Look(); look {
	case AsTable:
		from, to := p.read.table.Span(p.grid.At)
		return Copy{string(p.read.data[from:to]), p.files[p.at].Name}
	case AsTree:
		text, _ := p.tree.Selection()
		return Copy{text, p.files[p.at].Name}
	default:
		return p.copyAllIntent()
	}
}

// copyAllIntent returns the whole file, if it is text.
func (p *Pane) copyAllIntent() Intent {
	if strings.ContainsRune(string(p.read.data[:min(len(p.read.data), 512)]), 0) {
		return Refused{"Only text can be copied, and this is not text: " + keys.Name(p.Of(saveFile)) + " saves it."}
	}
	return Copy{string(p.read.data), p.files[p.at].Name}
}

// move moves the cursor, or the window if there is no cursor.
func (p *Pane) move(n int) {
	switch look, _ := p.Look(); {
	case look == AsTable:
		p.grid.Move(n, p.read.table.Len())
		p.grid.first = 0
	case look == AsTree:
		p.tree.Move(n)
	case look == AsBytes:
		p.bytes.Scroll(n)
	default:
		p.sheet.top += n
	}
}

// page moves by a page.
func (p *Pane) page(dir int) {
	n := dir * max(p.rows()-1, 1)
	switch look, _ := p.Look(); {
	case look == AsTable && p.grid.one:
		p.grid.first += n
	case look == AsTable:
		n = dir * max(p.gridRows()-1, 1)
		p.grid.Top = max(p.grid.Top+n, 0)
		p.move(n)
	case look == AsTree:
		p.tree.Scroll(n)
		p.tree.Move(n)
	default:
		p.move(n)
	}
}

// edge goes to the first or the last line.
func (p *Pane) edge(end bool) {
	switch look, _ := p.Look(); {
	case look == AsTable:
		p.grid.At, p.grid.first = 0, 0
		if end {
			p.grid.At = p.read.table.Len() - 1
		}
	case look == AsTree && end:
		p.tree.Bottom()
	case look == AsTree:
		p.tree.Top()
	case look == AsBytes && end:
		p.bytes.Bottom()
	case look == AsBytes:
		p.bytes.Top()
	case end:
		p.sheet.top = len(p.sheet.lines)
	default:
		p.sheet.top = 0
	}
}

// Mouse handles a mouse event in row y of the pane.
func (p *Pane) Mouse(msg tea.MouseMsg, _, y int) Intent {
	switch msg := msg.(type) {
	case tea.MouseWheelMsg:
		if _, ok := p.Look(); ok {
			p.scroll(3 * keys.Wheel(msg))
		}
	case tea.MouseClickMsg:
		switch look, ok := p.Look(); {
		case !ok || msg.Button != tea.MouseLeft:
		case look == AsTree:
			p.tree.Click(y)
		case look == AsTable && !p.grid.one && y >= gridHead:
			p.grid.Go(p.grid.Top+y-gridHead, p.read.table.Len())
		}
	}
	return nil
}

// scroll moves the window.
func (p *Pane) scroll(n int) {
	switch look, _ := p.Look(); {
	case look == AsTree:
		p.tree.Scroll(n)
	case look == AsTable && p.grid.one:
		p.grid.first += n
	default:
		p.move(n)
	}
}
