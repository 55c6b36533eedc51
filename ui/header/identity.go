package header

import (
	"strconv"
	"strings"

	"parley/a2a"
	"parley/session/model"
	"parley/session/task"
	"parley/ui/canvas"
	"parley/ui/looks"
	"parley/ui/styles"
)

// An identity is what the left side of the header shows.
type identity struct {
	any       bool // there is an agent
	agent     string
	phase     model.Phase
	away      bool // it cannot be reached
	health    model.Health
	late      bool // it may be gone
	spin      string
	dialect   a2a.DialectName
	binding   a2a.Binding
	claim     string // the version on the card, if the agent speaks another one
	mute      bool   // nothing can be sent to it in any version
	pinned    string // the pinned fields of the profile
	own       bool   // dialect and binding are those of this conversation alone
	nth, all  int    // which of how many agents
	context   string
	busy      bool // there is a task
	task      string
	lifecycle task.Lifecycle
	calm      bool
	st        *styles.Styles
}

// An identityCache is an identity and its drawing.
type identityCache struct {
	identity identity
	segs     []segment
}

// identity returns the left side of the header, which must not be modified.
func (h *Header) identity(about About) []segment {
	now, p := identity{st: h.st, calm: about.Calm}, &h.cache
	if a := about.Agent; a != nil {
		now.any, now.agent, now.phase, now.away, now.health, now.late = true, a.Name(), a.Phase, a.Away(), a.Pulse.Health, a.Late != ""
		now.dialect, now.binding = a.Profile.Dialect, a.Profile.Binding
		if a.Profile.ContradictsCard() {
			now.claim, now.mute = a.Profile.Claim, a.Profile.Problem != ""
		}
		now.nth, now.all = about.Nth, about.Agents
		now.pinned = strings.Join(a.Profile.PinnedFields(), ", ")
		if a.Phase == model.Discovering {
			now.spin = about.Spinner
		}
		if conv := about.Conversation; conv != nil {
			now.context = conv.ContextID
			if way := conv.Way; way.Binding != "" {
				now.dialect, now.binding, now.own, now.claim, now.pinned = way.Dialect, way.Binding, true, "", ""
			}
			if n := len(conv.Tasks); n > 0 {
				t := conv.Tasks[n-1]
				now.busy, now.task, now.lifecycle = true, t.ID, t.Lifecycle
			}
		}
	}
	if p.segs == nil || p.identity != now {
		*p = identityCache{now, now.draw()}
	}
	return p.segs
}

func (i identity) draw() []segment {
	st, g := i.st, &i.st.G
	mark := segment{text: st.Mark.S(" parley ")}
	if !i.any {
		return []segment{mark, {text: st.Faint.S("no agent"), rank: 1}}
	}
	sign, paint := looks.Agent(st, i.phase, i.health, i.late)
	dot := paint.S(g[sign])
	if i.phase == model.Discovering {
		dot = paint.S(i.spin)
	}
	name := canvas.Ellipsize(canvas.SanitizeLine(i.agent), 32, g[styles.Ellipsis])
	out := []segment{mark, {text: dot + " " + st.Bold.S(name), rank: 1}}
	if i.calm {
		if i.busy {
			out = append(out, segment{text: i.chip(), rank: 3})
		}
		return out
	}
	if i.all > 1 {
		of := strconv.Itoa(i.nth) + " of " + strconv.Itoa(i.all)
		out = append(out, segment{text: st.Dim.S(of + " agents"), short: st.Dim.S(of), rank: 7, last: 5, near: true, area: theAgents})
	}
	if i.dialect != "" {
		short, last := i.shortSpeech(), shortRank
		if short == "" { // what is as expected matters less than what is not
			short, last = st.Faint.S(looks.Protocol(i.dialect.Number())), speechRank
		}
		out = append(out, segment{text: i.speech(), short: short, last: last, rank: speechRank, near: true})
	}
	if i.context != "" {
		out = append(out, segment{text: st.Faint.S("ctx ") + st.Dim.S(looks.ShortID(i.context)), rank: 7})
	}
	if i.busy {
		out = append(out, segment{text: st.Faint.S("task ") + st.Dim.S(looks.ShortID(i.task)) + " " + i.chip(), rank: 3, near: i.context != ""})
	}
	return out
}

// speech returns dialect and binding, and where the card or the user disagrees.
func (i identity) speech() string {
	st, sep, version := i.st, " "+i.st.G[styles.Separator]+" ", looks.Protocol(i.dialect.Number())
	if i.own {
		return st.Faint.S(version+sep) + st.Accent.S(i.binding.String()) + st.Faint.S(" in this conversation")
	}
	text := st.Faint.S(version + sep + i.binding.String())
	if i.claim != "" && i.mute {
		text = st.Waiting.S("card says " + looks.Protocol(canvas.SanitizeLine(i.claim)))
	} else if i.claim != "" {
		text = st.Waiting.S("card says "+looks.Protocol(canvas.SanitizeLine(i.claim))+", agent speaks "+i.dialect.Number()) + st.Faint.S(sep+i.binding.String())
	}
	if i.pinned != "" {
		text = st.Faint.S(version+sep+i.binding.String()+sep) + st.Accent.S(i.pinned+" pinned")
	}
	return text
}

// shortSpeech is speech for a narrow header: only what is unexpected.
func (i identity) shortSpeech() string {
	switch {
	case i.own:
		return i.st.Accent.S(i.binding.String())
	case i.pinned != "":
		return i.st.Accent.S(i.pinned + " pinned")
	case i.mute:
		return i.st.Waiting.S("card " + canvas.SanitizeLine(i.claim))
	case i.claim != "":
		return i.st.Waiting.S("card " + canvas.SanitizeLine(i.claim) + ", agent " + i.dialect.Number())
	}
	return ""
}

// chip returns the state of the task, as sign and word.
func (i identity) chip() string {
	st, g := i.st, &i.st.G
	sign, paint, word := looks.TaskOf(st, i.away, &i.lifecycle)
	word = canvas.Ellipsize(canvas.SanitizeLine(word), 20, g[styles.Ellipsis])
	switch state := i.lifecycle.State; {
	case i.lifecycle.Forgotten || i.away && i.lifecycle.Works():
		return st.Dim.S(g[sign] + " " + word)
	case i.lifecycle.Waits():
		return canvas.Select(paint.S(" "+g[sign]+" "+word+" "), st)
	case state == a2a.StateFailed || state == a2a.StateRejected:
		return paint.S(g[sign] + " " + word)
	default:
		return paint.S(g[sign]) + " " + st.Dim.S(word)
	}
}
