package header

import (
	"strconv"
	"strings"

	"parley/a2a"
	"parley/session/model"
	"parley/ui/canvas"
	"parley/ui/looks"
	"parley/ui/styles"
)

// An identity is what the left side of the header shows.
type identity struct {
	any      bool // there is an agent
	agent    string
	phase    model.Phase
	health   model.Health
	late     bool // it may be gone
	spin     string
	dialect  a2a.DialectName
	binding  a2a.Binding
	claim    string // the version on the card, if the agent speaks another one
	mute     bool   // nothing can be sent to it in any version
	pinned   string // the pinned fields of the profile
	own      bool   // dialect and binding are those of this conversation alone
	nth, all int    // which of how many agents
	context  string
	stands   looks.Stands
	calm     bool
	st       *styles.Styles
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
		now.any, now.agent, now.phase, now.health, now.late = true, a.Name(), a.Phase, a.Pulse.Health, a.Late != ""
		now.dialect, now.binding = a.Profile.Dialect, a.Profile.Binding
		if a.Profile.ContradictsCard() {
			now.claim, now.mute = a.Profile.Claim, a.Profile.Problem != ""
		}
		now.nth, now.all = about.Nth, about.Agents
		now.pinned = strings.Join(a.Profile.PinnedFields(), ", ")
		if now.stands, _ = about.stands(); a.Phase == model.Discovering || now.stands.Moves {
			now.spin = about.Spinner
		}
		if conv := about.Conversation; conv != nil {
			now.context = conv.ContextID
			if way := conv.Way; way.Binding != "" {
				now.dialect, now.binding, now.own, now.claim, now.pinned = way.Dialect, way.Binding, true, "", ""
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
	if !i.any {
		return []segment{{text: " " + st.Faint.S("no agent"), rank: nameRank}}
	}
	name := " " + st.Bold.S(canvas.Ellipsize(canvas.SanitizeLine(i.agent), 32, g[styles.Ellipsis]))
	if sign := i.sign(); sign != "" {
		name += " " + sign
	}
	out, chip := []segment{{text: name, rank: nameRank}}, segment{text: i.stands.Chip(st, i.spin), rank: chipRank}
	if i.calm {
		return append(out, chip)
	}
	if i.all > 1 {
		out = append(out, segment{text: st.Dim.S(strconv.Itoa(i.nth) + " of " + strconv.Itoa(i.all)), rank: nthRank, near: true, area: theAgents})
	}
	if i.dialect != "" {
		short, last := i.shortSpeech(), shortRank
		if short == "" { // what is as expected matters less than what is not
			short, last = st.Faint.S(looks.Protocol(i.dialect.Number())), speechRank
		}
		out = append(out, segment{text: i.speech(), short: short, last: last, rank: speechRank, near: true})
	}
	return append(out, chip, i.ids())
}

// sign returns the sign of the agent's health if it says more than that the agent is ready, or was not asked
// yet: then there is nothing that the user has to know.
func (i identity) sign() string {
	if i.phase == model.Discovering && i.spin != "" {
		return i.st.Agent.S(i.spin)
	}
	sign, paint := looks.Agent(i.st, i.phase, i.health, i.late)
	if sign == styles.Online || sign == styles.Idle && i.phase != model.Discovering {
		return ""
	}
	return paint.S(i.st.G[sign])
}

// ids returns the short ids of the task and the context.
func (i identity) ids() segment {
	st := i.st
	task, context := "", ""
	if i.stands.Task != "" {
		task = st.Faint.S("task ") + st.Dim.S(looks.ShortID(i.stands.Task))
	}
	if i.context != "" {
		context = st.Faint.S("ctx ") + st.Dim.S(looks.ShortID(i.context))
	}
	switch {
	case task == "":
		return segment{text: context, rank: idsRank, near: true}
	case context == "":
		return segment{text: task, rank: taskRank, near: true}
	}
	return segment{text: task + st.Faint.S(" "+st.G[styles.Separator]+" ") + context, short: task, rank: idsRank, last: taskRank, near: true}
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
