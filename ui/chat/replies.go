package chat

import (
	"strconv"
	"strings"

	"parley/a2a"
	"parley/internal/units"
	"parley/session/model"
	"parley/ui/canvas"
	"parley/ui/styles"
)

// replies are the replies that a message suggests, read once.
type replies struct {
	of   *a2a.Message
	list []string
}

// read returns the replies of a message that have a digit, and how many more it suggests.
func (r *replies) read(m *a2a.Message) (list []string, more int) {
	if r.of != m {
		r.of, r.list = m, model.Replies(m)
	}
	n := min(len(r.list), maxPrompts)
	return r.list[:n], len(r.list) - n
}

// A replyChip is where a reply or an example stands among lines.
type replyChip struct{ line, from, to int }

// has reports whether the chip is at a column of a line.
func (c replyChip) has(x, line int) bool { return c.line == line && x >= c.from && x < c.to }

// chipGap is the space between two chips, and chipWidth how wide that of a reply is at most.
const chipGap, chipWidth = "  ", 40

// chipLines draws replies as chips with their digits, and says where they stand.
func (k *renderer) chipLines(list []string, more, w int) (lines []string, at []replyChip) {
	chips := make([]string, 0, len(list))
	for i, reply := range list {
		chips = append(chips, k.replyChip(i+1, "", reply, min(w, chipWidth), true))
	}
	lines, at = k.flow(chips, w)
	if more > 0 {
		lines = append(lines, k.truncate(k.st.Faint.S(units.Count(more)+" more in the record"), w))
	}
	return lines, at
}

// flow puts chips side by side into lines of w cells, and says where they stand.
func (k *renderer) flow(chips []string, w int) (lines []string, at []replyChip) {
	line, width := "", 0
	for _, drawn := range chips {
		n := canvas.Width(drawn)
		if line != "" && width+len(chipGap)+n > w {
			lines, line, width = append(lines, line), "", 0
		}
		if line != "" {
			line, width = line+chipGap, width+len(chipGap)
		}
		at = append(at, replyChip{len(lines), width, width + n})
		line, width = line+drawn, width+n
	}
	if line != "" {
		lines = append(lines, line)
	}
	return lines, at
}

// replyChip draws a reply or an example, which may have a mark, in at most w cells. Without a ground of its
// own it stands in brackets. Where the chip is not whole, it has the digit alone, and the text is beside it.
func (k *renderer) replyChip(digit int, mark, text string, w int, whole bool) string {
	before, after, ground := " ", " ", k.st.Chip
	if k.st.Band.On == "" {
		before, after, ground = "[", "]", styles.Paint{}
	}
	number := ground.And(k.st.Accent.Bold()).S(before + strconv.Itoa(digit))
	if !whole {
		number, after, ground = number+ground.And(k.st.Accent.Bold()).S(after), "", styles.Paint{}
	}
	if mark != "" {
		number += ground.S(" ") + ground.And(k.st.Agent).S(mark)
	}
	text = canvas.Ellipsize(k.clean(strings.TrimSpace(text)), w-canvas.Width(number)-1-len(after), k.st.G[styles.Ellipsis])
	return number + ground.And(k.st.Text).S(" "+text+after)
}

// question returns the task of the conversation that asks and the replies that it suggests; nil if nothing can
// be answered.
func (p *Pane) question() (asks *model.Task, list []string) {
	if p.out.conv == nil || p.renderer.recording || p.agent == nil || p.agent.Tap != "" {
		return nil, nil
	}
	t := p.out.conv.Question()
	if t == nil {
		return nil, nil
	}
	list, _ = p.replies.read(t.Prompt)
	return t, list
}

// HasReplies reports whether the agent suggests replies to what it asks.
func (p *Pane) HasReplies() bool {
	_, list := p.question()
	return len(list) > 0
}

// useReply asks to use reply i of the question, counted from 0.
func (p *Pane) useReply(i int) Intent {
	t, list := p.question()
	if t == nil || i < 0 || i >= len(list) {
		return nil
	}
	return UsePrompt{a2a.Example{Text: list[i]}, t}
}

// clickReply asks to use the reply at column x of a line below the message of a row, counted from 0; nil if
// there is none.
func (p *Pane) clickReply(r *row, x, line int) Intent {
	m, ok := r.body.(*message)
	if !ok || !m.waits {
		return nil
	}
	for i, c := range m.chips {
		if c.has(x, line) {
			if t, _ := p.question(); t == m.task {
				return p.useReply(i)
			}
		}
	}
	return nil
}
