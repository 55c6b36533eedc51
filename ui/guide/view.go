package guide

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"charm.land/bubbles/v2/key"

	"parley/ui/canvas"
	"parley/ui/keys"
	"parley/ui/looks"
)

const (
	gap       = 3  // cells between columns
	keyWidth  = 40 // the most cells of a key or a command
	wordWidth = 56 // the cells of words beyond which they are wrapped rather than the columns fewer
	least     = 28 // the fewest cells of a column of a topic, where there is room
	dense     = 20 // and of one on the first page
	grid      = 4  // columns of the grid
)

// room returns how many lines fit: the search takes a row.
func (p *Pane) room() int {
	if p.typing || p.input.Value() != "" {
		return max(0, p.H-1)
	}
	return p.H
}

// Lines draws the visible lines.
func (p *Pane) Lines() []string {
	lines := p.lines()
	p.scroll(0)
	var out []string
	if p.room() < p.H {
		out = append(out, p.input.View())
	}
	return canvas.Block(append(out, lines[min(p.top, len(lines)):]...), p.W, p.H)
}

// Scrolls returns what part of the lines is in the window.
func (p *Pane) Scrolls() canvas.Scrolls {
	n, room := len(p.lines()), p.room()
	return canvas.ScrollOf(canvas.Scroll{Y: p.H - room, H: room, Top: p.top, Shown: min(n, room), All: n})
}

// lines draws all lines, or those that match the search.
func (p *Pane) lines() []string {
	at := drawnAt{w: p.W, search: strings.ToLower(strings.TrimSpace(p.input.Value())), st: p.St}
	if p.drawn != nil && p.drawnAt == at {
		return p.drawn
	}
	var out []string
	p.topics = p.topics[:0]
	if at.search == "" {
		out = p.first()
	}
	for i, t := range p.help.Topics {
		p.topics = append(p.topics, len(out))
		if at.search == "" {
			out = append(out, p.St.Accent.Bold().S(p.Cut(strconv.Itoa(i+1)+"  "+t.Name)), "")
		}
		for _, s := range t.Sections {
			if rows := p.section(s, at.search, least); len(rows) > 0 {
				out = append(append(out, p.heading(s.Name)), append(rows, "")...)
			}
		}
	}
	switch {
	case at.search == "":
		out = append(out, p.legend()...)
	case len(out) == 0:
		out = []string{p.St.Faint.S(p.Cut("nothing in the help has these words"))}
	}
	p.drawn, p.drawnAt = out, at
	return out
}

func (p *Pane) heading(words string) string { return p.St.Text.Bold().S(p.Cut(words)) }

// first draws the first page: what one begins with, what is possible now, what the signs mean, and
// where the rest is.
func (p *Pane) first() (out []string) {
	for _, s := range []Section{
		{Name: "To begin with", Keys: p.help.Begin},
		{Name: "Now, " + p.help.Place, Keys: p.help.Here},
		{Name: "Now, everywhere", Keys: p.help.Everywhere},
	} {
		if rows := p.section(s, "", dense); len(rows) > 0 {
			out = append(append(out, p.heading(s.Name)), append(rows, "")...)
		}
	}
	var signs, topics []string
	for _, s := range looks.Signs(p.St) {
		signs = append(signs, s.Paint.S(p.St.G[s.Sign])+" "+p.St.Dim.S(s.Words))
	}
	for i, t := range p.help.Topics {
		topics = append(topics, p.St.Accent.S(strconv.Itoa(i+1))+" "+p.St.Dim.S(t.Name))
	}
	out = append(out, p.flow("Signs", signs)...)
	return append(append(out, p.flow("Further", topics)...), "")
}

// flow draws a heading and words behind it, in as many lines as they need.
func (p *Pane) flow(heading string, words []string) (out []string) {
	const indent = 9 // cells
	line, w := p.St.Text.Bold().S(canvas.Fit(heading, indent)), indent
	for _, word := range words {
		n := canvas.Width(word)
		if w > indent && w+n > p.W {
			out, line, w = append(out, line), strings.Repeat(" ", indent), indent
		}
		line += word + "  "
		w += n + len("  ")
	}
	return append(out, canvas.Fit(line, p.W))
}

// section draws the keys of a section that are possible, or have a reason why not, and match a
// search, in columns of at least so many cells over the full width. Keys of the same words are one. All
// sections have one grid: a section has one column of it, or two or four.
func (p *Pane) section(s Section, search string, least int) []string {
	var found []key.Binding
	seen := map[key.Help]bool{}
	for _, k := range s.Keys {
		h := k.Help()
		if !k.Enabled() && s.Why[h.Desc] == "" || seen[h] || search != "" && !strings.Contains(strings.ToLower(h.Key+" "+s.words(k)+" "+s.Name), search) {
			continue
		}
		seen[h] = true
		found = append(found, k)
	}
	if len(found) == 0 {
		return nil
	}
	names, words := 0, 0
	for _, k := range found {
		names, words = max(names, canvas.Width(k.Help().Key)), max(words, canvas.Width(k.Help().Desc)) // reasons are wrapped
	}
	names, words = min(names, keyWidth, max(1, p.W*2/3)), min(words, wordWidth)
	n, pitch, half, need := 1, p.W+gap, (p.W+gap)/2, max(names+1+words, least)+gap
	for at := half; n < grid && at >= need; at /= 2 {
		n, pitch = n*2, at
	}
	high := (len(found) + n - 1) / n
	var cols [][]string
	for i := 0; i < len(found); i += high {
		switch i / high {
		case 0:
		case 2:
			cols = append(cols, canvas.Blank(gap+half-2*pitch, 1)) // the quarters are rounded down
		default:
			cols = append(cols, canvas.Blank(gap, 1))
		}
		cols = append(cols, p.column(s, found[i:min(i+high, len(found))], names, max(1, pitch-gap-names-1)))
	}
	return canvas.Columns(cols...)
}

// words says what a binding does, or why it is not possible.
func (s *Section) words(k key.Binding) string {
	h := k.Help()
	if why := s.Why[h.Desc]; why != "" && !k.Enabled() {
		why = strings.TrimSuffix(canvas.SanitizeLine(why), ".")
		first, size := utf8.DecodeRuneInString(why)
		return h.Desc + " (" + string(unicode.ToLower(first)) + why[size:] + ")"
	}
	return h.Desc
}

// wrap wraps words so that no word stands alone in the last line, where that needs no more lines.
func wrap(words string, w int) []string {
	lines := canvas.Wrap(words, w)
	for n := len(lines); n > 1 && !strings.Contains(lines[n-1], " ") && w > 1; {
		w--
		narrower := canvas.Wrap(words, w)
		if len(narrower) > n {
			break
		}
		lines = narrower
	}
	return lines
}

// column draws keys in rows of equal width, dimmed if they are not possible. Long words are
// wrapped.
func (p *Pane) column(s Section, of []key.Binding, names, words int) (rows []string) {
	for _, k := range of {
		name, key, text := keys.Name(k), p.St.Accent, p.St.Dim
		if !k.Enabled() {
			key, text = p.St.Faint, p.St.Faint
		}
		for _, line := range wrap(s.words(k), words) {
			rows = append(rows, key.S(canvas.Fit(name, names))+" "+text.S(canvas.Fit(line, words)))
			name = ""
		}
	}
	return rows
}

// legend lists the signs of task states.
func (p *Pane) legend() []string {
	const column = 18
	out := []string{p.St.Accent.Bold().S(p.Cut("signs of tasks"))}
	line, n := "", 0
	for _, s := range looks.States() {
		if n > 0 && (n+1)*column > p.W {
			out, line, n = append(out, line), "", 0
		}
		sign, paint := looks.State(p.St, s)
		line += paint.S(p.St.G[sign]) + canvas.Fit(" "+s.String(), column-1)
		n++
	}
	return append(out, line)
}
