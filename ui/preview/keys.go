package preview

import (
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"parley/ui/keys"
)

// A KeyMap binds the pane's keys.
type KeyMap struct {
	Up, Down, PageUp, PageDown, Top, End key.Binding
	Left, Right, Row                     key.Binding
	Fold, FoldAll, UnfoldAll, Inside     key.Binding
	Look, Hex, Older, Newer              key.Binding
	Copy, CopyAll, Save, Launch          key.Binding
	Search, Next, Previous               key.Binding
	Accept, Leave, Close                 key.Binding
}

// DefaultKeyMap returns the keys of the pane.
func DefaultKeyMap() KeyMap {
	return KeyMap{
		Up:        keys.Bind("k", "up", "k", "up"),
		Down:      keys.Bind("j", "down", "j", "down"),
		PageUp:    keys.Bind("pgup", "page up", "pgup", "ctrl+u", "ctrl+b"),
		PageDown:  keys.Bind("pgdn", "page down", "pgdown", "ctrl+d", "ctrl+f"),
		Top:       keys.Bind("g", "top", "g", "home"),
		End:       keys.Bind("G", "bottom", "G", "end"),
		Left:      keys.Bind("h", "previous column", "h", "left"),
		Right:     keys.Bind("l", "next column", "l", "right"),
		Row:       keys.Bind("enter", "show row"),
		Fold:      keys.Bind("space", "fold or open text", "space", "enter"),
		FoldAll:   keys.Bind("-", "fold all"),
		UnfoldAll: keys.Bind("+", "unfold all", "+", "="),
		Inside:    keys.Bind("i", "preview decoded value"),
		Look:      keys.Bind("v", "switch view"),
		Hex:       keys.Bind("x", "switch hexadecimal"),
		Older:     keys.Bind("[", "older version"),
		Newer:     keys.Bind("]", "newer version"),
		Copy:      keys.Bind("y", "copy text"),
		CopyAll:   keys.Bind("Y", "copy all"),
		Save:      keys.Bind("w", "save file"),
		Launch:    keys.Bind("o", "save and open"),
		Search:    keys.Bind("/", "search text"),
		Next:      keys.Bind("n", "next match"),
		Previous:  keys.Bind("N", "previous match"),
		Accept:    keys.Bind("enter", "find text"),
		Leave:     keys.Bind("esc", "end search"),
		Close:     keys.Bind("esc", "close", "esc", "q", "V"),
	}
}

// activeKeys returns the keys with those disabled that have no effect now.
func (p *Pane) activeKeys() KeyMap {
	k := p.keys
	look, ok := p.Look()
	k.Save.SetEnabled(ok)
	k.Launch.SetEnabled(ok)
	for _, b := range []*key.Binding{&k.Up, &k.Down, &k.PageUp, &k.PageDown, &k.Top, &k.End, &k.Search, &k.Copy, &k.CopyAll} {
		b.SetEnabled(ok && look != AsPicture) // a picture has no lines and no text
	}
	grid, tree := ok && look == AsTable, ok && look == AsTree
	wide := false
	if grid && !p.grid.one {
		l := p.read.table.Fit(p.st, p.w, p.grid.from)
		wide = l.Before()+l.After() > 0
	}
	k.Left.SetEnabled(wide)
	k.Right.SetEnabled(wide)
	k.Row.SetEnabled(grid)
	if p.grid.one {
		k.Row.SetHelp(k.Row.Help().Key, "show table")
		k.Up.SetHelp(k.Up.Help().Key, "previous row")
		k.Down.SetHelp(k.Down.Help().Key, "next row")
	}
	k.Fold.SetEnabled(tree && p.tree.CanToggle())
	k.FoldAll.SetEnabled(tree)
	k.UnfoldAll.SetEnabled(tree)
	k.Inside.SetEnabled(tree && p.tree.HasFormats())
	k.Look.SetEnabled(ok && len(p.read.looks) > 1)
	if k.Look.Enabled() {
		k.Look.SetHelp(k.Look.Help().Key, "as "+p.read.looks[(p.look+1)%len(p.read.looks)].String())
	}
	k.Hex.SetEnabled(ok && look == AsBytes)
	k.Older.SetEnabled(p.at > 0)
	k.Newer.SetEnabled(p.at+1 < len(p.files))
	k.Next.SetEnabled(p.search.query != "")
	k.Previous.SetEnabled(p.search.query != "")
	return k
}

// ShortHelp returns the keys for the footer.
func (p *Pane) ShortHelp() []key.Binding {
	if p.search.typing {
		return []key.Binding{p.keys.Accept, p.keys.Leave}
	}
	k := p.activeKeys()
	return []key.Binding{k.Close, k.Older, k.Newer, k.Look, k.Row, k.Right, k.Left, k.Fold, k.Inside, k.Hex, k.Search, k.Next, k.Copy, k.CopyAll, k.Save, k.Launch}
}

// KeyMap returns the keys, for the user's settings to change.
func (p *Pane) KeyMap() any { return &p.keys }

// FullHelp returns all keys in columns.
func (p *Pane) FullHelp() [][]key.Binding {
	k := p.keys
	return [][]key.Binding{
		{k.Up, k.Down, k.PageUp, k.PageDown, k.Top, k.End, k.Left, k.Right, k.Row},
		{k.Look, k.Older, k.Newer, k.Fold, k.FoldAll, k.UnfoldAll, k.Inside, k.Hex},
		{k.Search, k.Next, k.Previous, k.Copy, k.CopyAll, k.Save, k.Launch, k.Close},
	}
}

// Key handles a key press.
func (p *Pane) Key(msg tea.KeyPressMsg) Intent {
	if p.search.typing {
		p.write(msg)
		return nil
	}
	p.search.note = ""
	k := p.activeKeys()
	switch {
	case key.Matches(msg, k.Close):
		if p.grid.one && msg.String() == "esc" {
			p.grid.one = false
			return nil
		}
		return Close{}
	case key.Matches(msg, k.Up):
		p.move(-1)
	case key.Matches(msg, k.Down):
		p.move(1)
	case key.Matches(msg, k.PageUp):
		p.page(-1)
	case key.Matches(msg, k.PageDown):
		p.page(1)
	case key.Matches(msg, k.Top):
		p.edge(false)
	case key.Matches(msg, k.End):
		p.edge(true)
	case key.Matches(msg, k.Search):
		p.search.typing = true
		p.search.input.Reset()
		p.search.input.Focus()
	case key.Matches(msg, k.Next):
		p.seek(1, false)
	case key.Matches(msg, k.Previous):
		p.seek(-1, false)
	default:
		return p.act(msg, k)
	}
	return nil
}

// act handles the keys that change the view or act on the file.
func (p *Pane) act(msg tea.KeyPressMsg, k KeyMap) Intent {
	switch {
	case key.Matches(msg, k.Left):
		p.columns(-1)
	case key.Matches(msg, k.Right):
		p.columns(1)
	case key.Matches(msg, k.Row):
		p.grid.one, p.grid.first = !p.grid.one, 0
	case key.Matches(msg, k.Fold):
		p.tree.Toggle()
	case key.Matches(msg, k.FoldAll):
		p.tree.FoldAll(true)
	case key.Matches(msg, k.UnfoldAll):
		p.tree.FoldAll(false)
	case key.Matches(msg, k.Inside):
		p.tree.NextFormat()
	case key.Matches(msg, k.Look):
		p.look = (p.look + 1) % len(p.read.looks)
		p.sheet = sheet{hit: -1}
	case key.Matches(msg, k.Hex):
		p.bytes.SetHex(!p.bytes.Hex())
	case key.Matches(msg, k.Older):
		p.at--
		p.begin()
	case key.Matches(msg, k.Newer):
		p.at++
		p.begin()
	case key.Matches(msg, k.Copy):
		return p.copyIntent()
	case key.Matches(msg, k.CopyAll):
		return p.copyAllIntent()
	case key.Matches(msg, k.Save):
		return Save{File: p.files[p.at]}
	case key.Matches(msg, k.Launch):
		return Save{File: p.files[p.at], Open: true}
	}
	return nil
}

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
		return Refused{"Only text can be copied, and this is not text: " + keys.Name(p.keys.Save) + " saves it."}
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
