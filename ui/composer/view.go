package composer

import (
	"slices"
	"strings"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"parley/internal/units"
	"parley/ui/canvas"
	"parley/ui/keys"
	"parley/ui/list"
	"parley/ui/styles"
)

const (
	maxRows  = 8 // rows of text in the window
	maxFolds = 3 // folded pastes that are described; further ones are counted
)

// Height returns the preferred height in rows: the rule, the queue, the target, the text, and a
// row for each folded paste and each part.
func (c *Composer) Height() int {
	return 2 + len(c.queueRows()) + min(c.area.Height(), maxRows) + len(c.below())
}

// rows divides h among the parts of the composer. The text comes first, then the target, the
// rule with the queue, and the rows below the text.
func (c *Composer) rows() (head, target, text, below int) {
	left := c.h
	take := func(want int) int {
		got := max(0, min(want, left))
		left -= got
		return got
	}
	text = take(1)
	target = take(1)
	queued := len(c.queueRows())
	head = take(1)
	head += take(min(queued, 1))
	text += take(min(c.area.Height(), maxRows) - 1)
	head += take(queued - 1)
	below = take(len(c.below()))
	text += left
	return head, target, text, below
}

// Lines renders the composer as exactly as many rows as its height, each exactly as wide as the
// composer. The result is valid until the next call of any method.
func (c *Composer) Lines() []string {
	if c.dirty || len(c.rendering.lines) != c.h {
		c.rendering.lines, c.dirty = c.draw(), false
		c.rendering.cursor = c.area.Cursor()
	}
	return c.rendering.lines
}

func (c *Composer) draw() []string {
	head, target, text, below := c.rows()
	return slices.Concat(
		canvas.Block(append([]string{canvas.Rule(c.st, c.w)}, c.queueRows()...), c.w, head),
		canvas.Block([]string{c.targetLine()}, c.w, target), c.textRows(text), canvas.Block(c.below(), c.w, below))
}

// at returns the position of the cursor relative to the first row of the text.
func (c *Composer) at() tea.Position { return c.area.Cursor().Position }

// Cursor returns the terminal's cursor relative to the composer, so that input methods compose
// at the right place; nil if the composer does not have the focus.
func (c *Composer) Cursor() *tea.Cursor {
	head, target, text, _ := c.rows()
	if !c.focused || text == 0 || c.w == 0 {
		return nil
	}
	c.Lines() // moves the window to the cursor
	cur := *c.rendering.cursor
	if c.search.on && target > 0 {
		cur.X, cur.Y = min(c.searchColumn(), c.w-1), head
		return &cur
	}
	cur.X = min(cur.X, c.w-1)
	cur.Y += head + target - c.top
	return &cur
}

// textRows renders n rows of the text around the cursor.
func (c *Composer) textRows(n int) []string {
	at, total := c.at(), c.area.Height()
	window := list.Cursor{At: at.Y, Top: c.top}
	window.Reveal(total, n)
	c.top = window.Top
	all, rest := strings.Split(c.area.View(), "\n"), c.ghostRest()
	var out []string
	for y := c.top; y < min(c.top+n, total, len(all)); y++ {
		prompt, text := "  ", strings.TrimPrefix(all[y], "  ")
		if y == 0 {
			prompt = c.st.Accent.S(c.st.G[styles.Prompt]) + " "
		}
		hidden := c.draft.Secret && !c.isCommand() && !c.blank()
		switch {
		case hidden && y == at.Y:
			text = c.maskRow(text, at.X-promptWidth)
		case hidden:
			text = c.maskRow(text, -1)
		case y == at.Y && rest != "":
			text = c.paint(canvas.Fit(text, at.X-promptWidth)) + c.st.Faint.S(firstLine(rest))
		default:
			text = c.paint(text)
		}
		if c.search.on {
			text = canvas.HighlightHits(text, c.hit, c.st.Mark)
		}
		out = append(out, prompt+text)
	}
	return canvas.Block(out, c.w, n)
}

// paint colours a row of the text area and renders the runes that stand for something else.
func (c *Composer) paint(row string) string {
	standsIn := func(r rune) bool { return r >= shownBase }
	var b strings.Builder
	for {
		i := strings.IndexFunc(row, standsIn)
		if i < 0 {
			b.WriteString(c.st.Text.S(row))
			return b.String()
		}
		b.WriteString(c.st.Text.S(row[:i]))
		r, size := utf8.DecodeRuneInString(row[i:])
		switch _, folded := c.folds[r]; {
		case folded:
			b.WriteString(c.st.Chip.S(c.st.G[styles.File]))
		case r == shownBase+'\t':
			b.WriteString(c.st.Faint.S(c.st.G[styles.Send]))
		default:
			b.WriteString(c.st.Faint.S(c.st.G[styles.Unknown]))
		}
		row = row[i+size:]
	}
}

// refused says why enter does nothing, and whether the line above the text shows all of that.
func (c *Composer) refused(why string) Refused {
	return Refused{Why: why, Shown: strings.Contains(canvas.Plain(c.targetLine()), canvas.SanitizeLine(why))}
}

// targetLine renders what enter does: first the target, then the text that is sent if it is not
// the visible one, then the other targets. What does not fit is shortened between words or,
// from the end on, omitted.
func (c *Composer) targetLine() string {
	switch {
	case c.search.on:
		return c.searchLine()
	case c.isCommand():
		return c.commandLine()
	case c.resumes():
		return c.heldLine()
	}
	mark, sep := c.st.G[styles.Ellipsis], " "+c.st.G[styles.Separator]+" "
	if len(c.targets) == 0 || c.targets[c.selected].Calm && c.Empty() {
		return c.st.Faint.S(canvas.EllipsizeWords(c.why(), c.w, mark))
	}
	if why := c.why(); why != "" {
		words := c.st.G[styles.Failed] + " cannot send: " + canvas.SanitizeLine(why)
		return c.withOthers(c.st.Failed.S(canvas.EllipsizeWords(words, c.w, mark)), sep)
	}
	target := c.targets[c.selected]
	glyph, paint := c.mark(target.Kind)
	words := canvas.SanitizeLine(target.Label)
	if c.calm {
		words = calmWords(target.Kind)
	}
	label := canvas.EllipsizeWords(glyph+" "+words, c.w, mark)
	line, room := paint.S(label), c.w-canvas.Width(label)-2
	note := canvas.SanitizeLine(target.Note)
	if c.calm {
		note = ""
	}
	if c.ghost != "" && c.Empty() && len(c.queue.Waiting) == 0 {
		note = c.sends(c.ghost, room)
	} else if held := c.area.Value(); strings.HasPrefix(held, literal) && !c.draft.Secret {
		note = c.sends(c.Value()[1:], room)
	}
	if c.draft.Secret {
		hint := canvas.EllipsizeWords(c.hint(), max(room, 0), mark)
		line, room = line+"  "+c.st.Waiting.S(hint), room-canvas.Width(hint)-2
	}
	if note == "" {
		return c.withOthers(line, "  ")
	}
	if canvas.Width(note) > room {
		note, _, _ = strings.Cut(note, "; ") // only an explanation follows
	}
	if canvas.Width(note) > room {
		return line
	}
	return c.withOthers(line+"  "+c.st.Faint.S(note), sep)
}

// sends returns a text of at most w cells that says that enter sends text, with as much of text
// as there is room for; "" if there is no room.
func (c *Composer) sends(text string, w int) string {
	const least = 8
	words := keys.Name(c.Of(SendMessage)) + " sends "
	switch room := w - len(words) - 2; {
	case room >= least || room >= canvas.Width(firstLine(text)):
		return words + `"` + canvas.EllipsizeWords(firstLine(text), room, c.st.G[styles.Ellipsis]) + `"`
	case w >= len(words)+len("it"):
		return words + "it"
	default:
		return ""
	}
}

// with returns line followed by more if both fit.
func (c *Composer) with(line, sep, more string) string {
	if more != "" && canvas.Width(line)+canvas.Width(sep+more) <= c.w {
		return line + c.st.Faint.S(sep+more)
	}
	return line
}

// withOthers returns line followed by the names of as many other targets as fit, the next one
// first.
func (c *Composer) withOthers(line, sep string) string {
	if c.calm {
		return line
	}
	room := c.w - canvas.Width(line) - canvas.Width(sep)
	names := ""
	for n := 1; n < len(c.targets); n++ {
		t := c.targets[(c.selected+n)%len(c.targets)]
		if t.Why != "" {
			continue
		}
		more := names + ", " + canvas.SanitizeLine(t.Short)
		if names == "" {
			more = keys.Name(c.Of(ChangeTarget)) + " " + canvas.SanitizeLine(t.Short)
		}
		if canvas.Width(more) > room {
			break
		}
		names = more
	}
	if names == "" {
		return line
	}
	return line + c.st.Faint.S(sep+names)
}

func (c *Composer) mark(k TargetKind) (string, styles.Paint) {
	switch k {
	case TargetReply:
		return c.st.G[styles.Reply], c.st.User
	case TargetAnswer:
		return c.st.G[styles.Reply], c.st.Waiting
	case TargetQueue:
		return c.st.G[styles.Idle], c.st.User
	case TargetFork:
		return c.st.G[styles.Fork], c.st.Accent
	default:
		return c.st.G[styles.Send], c.st.User
	}
}

// below renders the rows below the text.
func (c *Composer) below() []string {
	return slices.Concat(c.foldRows(), c.chipRows(), c.dropRow(), c.waysRow(), c.extensionRows(), c.warnRows())
}

// warnRows renders the warning of the selected target.
func (c *Composer) warnRows() []string {
	if c.search.on || c.isCommand() || len(c.targets) == 0 || c.why() != "" || c.targets[c.selected].Warn == "" {
		return nil
	}
	const most = 2
	rows := canvas.Wrap(canvas.SanitizeLine(c.targets[c.selected].Warn), max(1, c.w-4))
	rows = rows[:min(len(rows), most)]
	mark := c.st.G[styles.Waiting] + " "
	for i := range rows {
		rows[i] = "  " + c.st.Waiting.S(mark+rows[i])
		mark = "  "
	}
	return rows
}

// foldRows renders a row for each folded paste, in the order of the text.
func (c *Composer) foldRows() []string {
	if len(c.folds) == 0 {
		return nil
	}
	var rows []string
	folded := 0
	for _, r := range c.area.Value() {
		text, ok := c.folds[r]
		if !ok {
			continue
		}
		if folded++; folded > maxFolds {
			continue
		}
		words := " pasted, hidden"
		if !c.draft.Secret {
			words = " pasted " + strings.Join([]string{
				units.Plural(strings.Count(text, "\n")+1, "line"), units.Bytes(int64(len(text))), keys.Name(c.Of(OpenEditor)) + " shows all of it",
			}, " "+c.st.G[styles.Separator]+" ")
		}
		rows = append(rows, "  "+c.st.Chip.S(c.st.G[styles.File])+c.st.Faint.S(words))
	}
	if more := folded - maxFolds; more > 0 {
		rows[maxFolds-1] = c.st.Faint.S("  and " + units.Plural(more+1, "more paste"))
	}
	return rows
}

// firstLine returns the first line of s, sanitized.
func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return canvas.SanitizeLine(line)
}
