package chat

import (
	"strings"

	"parley/a2a"
	"parley/internal/units"
	"parley/ui/action"
	"parley/ui/canvas"
	"parley/ui/keys"
	"parley/ui/styles"
)

// An example of a skill has a digit, by its place.
type example struct {
	a2a.Example
	skill *a2a.Skill
}

// examples returns the examples in the agent's card, up to the number of keys, and how many more there are.
// Those of a skill that are JSON come after its texts.
func (p *Pane) examples() (out []example, more int) {
	if p.agent == nil || p.agent.Card == nil || p.agent.Tap != "" {
		return nil, 0
	}
	for i := range p.agent.Card.Skills {
		s := &p.agent.Card.Skills[i]
		for _, data := range [...]bool{false, true} {
			for _, e := range s.Examples {
				switch {
				case data != (len(e.Data) > 0), !data && strings.TrimSpace(e.Text) == "":
				case len(out) < maxPrompts:
					out = append(out, example{e, s})
				default:
					more++
				}
			}
		}
	}
	return out, more
}

// A skillForm is how much of the skills the greeting shows.
type skillForm struct {
	all   bool // also those without an example that has a digit
	below bool // their descriptions stand below their names, not beside them
	gaps  bool // between them
}

// skillForms are tried in this order. Where there is no room for the last one, the examples stand alone.
var skillForms = [...]skillForm{{true, true, true}, {false, true, true}, {false, false, true}, {false, false, false}}

// skillIndent is how far examples stand below the name of their skill, and chipText how far the text of a
// chip begins in it.
const skillIndent, chipText = 2, len(" 1 ")

// promptLines lists the skills with their examples in at most room lines, and the keys to press, which are
// always shown. The chips are those of the examples.
func (p *Pane) promptLines(room int) (lines []string, at []replyChip) {
	list, more := p.examples()
	hint := p.hint(len(list))
	for _, f := range skillForms {
		lines, at = p.skillLines(list, f, room)
		if len(lines) == 0 {
			break
		}
		lines = append([]string{""}, lines...)
		if more > 0 {
			if f.gaps {
				lines = append(lines, "")
			}
			lines = append(lines, p.moreLine(more, len(list), len(list) > 0, skillIndent+chipText))
		}
		if lines = append(append(lines, ""), hint...); len(lines) <= room {
			return lines, moved(at, 1, 0)
		}
	}
	return p.chipsAlone(list, more, room)
}

// moved returns chips that stand some lines further down and some cells to the right.
func moved(at []replyChip, down, right int) []replyChip {
	for i := range at {
		at[i] = replyChip{at[i].line + down, at[i].from + right, at[i].to + right}
	}
	return at
}

// skillLines draws the skills with their examples, and stops where that takes more lines than there are.
func (p *Pane) skillLines(list []example, f skillForm, room int) (lines []string, at []replyChip) {
	k, next := p.renderer, 0
	for i := range p.agent.Card.Skills {
		s, from := &p.agent.Card.Skills[i], next
		for next < len(list) && list[next].skill == s {
			next++
		}
		if next == from && !f.all && len(list) > 0 {
			continue
		}
		if len(lines) > room {
			break
		}
		if f.gaps && len(lines) > 0 {
			lines = append(lines, "")
		}
		lines = append(lines, p.skillHead(s, f.below)...)
		chips, where := k.flow(p.exampleChips(list, from, next, p.w-skillIndent, true), p.w-skillIndent)
		at = append(at, moved(where, len(lines), skillIndent)...)
		lines = append(lines, indent(skillIndent, chips)...)
	}
	return lines, at
}

// skillHead draws the name of a skill and the beginning of its description.
func (p *Pane) skillHead(s *a2a.Skill, below bool) []string {
	const gap, least = 2, 16 // a shorter piece of a description says nothing
	k, w := p.renderer, p.w
	name := k.truncate(k.clean(strings.TrimSpace(s.Name)), p.w)
	head := k.st.Bold.S(name)
	if below {
		w -= skillIndent
	} else {
		w -= canvas.Width(name) + gap
	}
	about := ""
	if w >= least {
		if rows := k.descriptionLines(s.Description, w, 1); len(rows) > 0 {
			about = k.st.Faint.S(strings.TrimSpace(canvas.Plain(rows[0])))
		}
	}
	switch {
	case about == "" && head == "":
		return nil
	case about == "":
		return []string{head}
	case below:
		return append([]string{head}, indent(skillIndent, []string{about})...)
	}
	return []string{head + strings.Repeat(" ", gap) + about}
}

// exampleChips draws some of the examples with their digits, each in at most w cells. An audience sees no JSON.
func (p *Pane) exampleChips(list []example, from, to, w int, whole bool) []string {
	k, chips := p.renderer, make([]string, 0, to-from)
	for i := from; i < to; i++ {
		mark, text, room := "", list[i].Text, w
		if data := list[i].Data; len(data) > 0 {
			mark, text, room = "{ }", "data", min(w, chipWidth)
			if !k.calm {
				text = string(data[:min(len(data), 400)])
			}
		}
		chips = append(chips, k.replyChip(i+1, mark, text, room, whole))
	}
	return chips
}

// chipsAlone lists the examples without their skills, or skills without examples, as many as there is room for.
// Many chips below each other would be ragged, so that they have the digits alone.
func (p *Pane) chipsAlone(list []example, more, room int) (lines []string, at []replyChip) {
	all, where := p.renderer.flow(p.exampleChips(list, 0, len(list), p.w, false), p.w)
	if len(list) == 0 {
		all = p.skills(room)
		more = len(p.agent.Card.Skills) - len(all)
	}
	hint := p.hint(len(list))
	shown, gap := fitOffers(len(all), more, room-len(hint))
	for _, c := range where {
		if c.line < shown {
			at = append(at, c)
		}
	}
	if len(list) > 0 {
		hint = p.hint(len(at))
		more += len(list) - len(at)
	} else {
		more += len(all) - shown
	}
	if len(all) > 0 {
		lines = gap
	}
	at = moved(at, len(lines), 0)
	lines = append(lines, all[:shown]...)
	if more > 0 && len(hint)+len(lines) < room {
		in := 0
		if len(list) > 0 {
			in = chipText + 1
		}
		lines = append(lines, p.moreLine(more, shown, len(list) > 0, in))
	}
	if len(lines)+len(hint) < room {
		lines = append(lines, "")
	}
	return append(lines, hint...), at
}

// moreLine says how many examples or skills are not shown. It begins where texts do: a count is no digit.
func (p *Pane) moreLine(more, shown int, examples bool, in int) string {
	where, what, rest := " in the card ("+keys.Name(p.renderer.keyOf(action.ShowCard))+")", "skill", ""
	if examples {
		what = "example"
	}
	if shown > 0 {
		what, rest = "more "+what, " more"
	}
	words := units.Plural(more, what) + where
	if canvas.Width(words)+in > p.w {
		words = units.Count(more) + rest + where
		in = max(0, min(in, p.w-canvas.Width(words)))
	}
	return p.renderer.truncate(strings.Repeat(" ", in)+p.renderer.st.Faint.S(words), p.w)
}

// fitOffers returns how many of n entries fit in room lines between two blank ones, with a line
// for the others, of which there are more besides; and the blank line above them. In very
// little room there are no blank lines.
func fitOffers(n, more, room int) (shown int, gap []string) {
	switch {
	case more == 0 && n+1 <= room:
		return n, []string{""}
	case more == 0 && n <= room:
		return n, nil
	case room >= 4:
		return min(n, room-3), []string{""}
	default:
		return max(0, min(n, room-1)), nil
	}
}

// skills lists the first of the agent's skills, which have no examples, a few more than there is room for.
func (p *Pane) skills(room int) []string {
	k, all := p.renderer, p.agent.Card.Skills
	lines := make([]string, 0, min(len(all), room+1))
	for i := range all[:min(len(all), room+1)] {
		s := &all[i]
		line := k.glyph(k.st.Accent, styles.Bullet) + " " + k.st.Text.S(k.clean(s.Name)) + "  " + k.st.Faint.S(k.clean(s.Description))
		lines = append(lines, k.truncate(line, p.w))
	}
	return lines
}
