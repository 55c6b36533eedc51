package agents

import (
	"strconv"
	"strings"

	"parley/a2a"
	"parley/session/model"
	"parley/ui/canvas"
	"parley/ui/styles"
)

// A name tells a conversation from the others of its agent.
type name struct {
	words string // as the conversation has it
	nth   int    // among those with the same words, from 1
	twin  int    // how many cells the words have in common with others that begin alike, 0 for none
}

// nameOf returns the name of a row's conversation in at most w cells. Of names that would be cut
// off where they are still equal, the end is shown too; equal ones are numbered.
func (p *Pane) nameOf(r row, w int) string {
	n, ok := p.names[r.conv.ID]
	if !ok || n.words != words(r.conv) {
		p.nameAll(r.agent)
		n = p.names[r.conv.ID]
	}
	tail := ""
	if n.nth > 1 {
		tail = " " + strconv.Itoa(n.nth)
	}
	mark, room := p.st.G[styles.Ellipsis], max(0, w-len(tail))
	if cut := canvas.EllipsizeWords(n.words, room, mark); n.twin < canvas.Width(cut)-1 || n.twin == 0 || cut == n.words {
		return cut + tail
	}
	if n.twin < room-1 {
		return canvas.Ellipsize(n.words, room, mark) + tail
	}
	head := room / 3
	end := max(0, room-head-1)
	from := min(max(n.twin-end/3, 0), max(0, canvas.Width(n.words)-end)) // a little of what is equal leads to the difference
	return canvas.Fit(n.words, head) + mark + canvas.Ellipsize(canvas.Skip(n.words, from), end, mark) + tail
}

// words returns the name of a conversation in one line.
func words(c *model.Conversation) string {
	if name := canvas.SanitizeLine(c.Name()); name != "" {
		return name
	}
	return "new conversation"
}

// nameAll names the conversations of an agent.
func (p *Pane) nameAll(a *model.Agent) {
	if p.names == nil {
		p.names = map[a2a.ConversationID]name{}
	}
	same := map[string]int{}
	for i, c := range a.Conversations {
		n := name{words: words(c)}
		same[n.words]++
		n.nth = same[n.words]
		for _, other := range a.Conversations[max(0, i-maxTwins):min(len(a.Conversations), i+maxTwins)] {
			if o := words(other); o != n.words {
				n.twin = max(n.twin, common(n.words, o))
			}
		}
		p.names[c.ID] = n
	}
}

// maxTwins is how many conversations before and after one its name is compared with.
const maxTwins = 20

// common returns how many cells two texts have in common at their beginning.
func common(a, b string) int {
	for i, r := range a {
		if !strings.HasPrefix(b[min(i, len(b)):], string(r)) {
			return canvas.Width(a[:i])
		}
	}
	return canvas.Width(a)
}
