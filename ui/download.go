package ui

import (
	"maps"
	"slices"

	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/internal/units"
	"parley/session/log"
	"parley/ui/canvas"
	"parley/ui/chat"
	"parley/ui/control"
	"parley/ui/menu"
	"parley/ui/styles"
)

// A download gets a file from its address, and then does with it what was wanted.
type download struct {
	keeping
	agent   a2a.AgentID
	besides []string // origins that its address may lead on to
	keys    int      // that were pressed when it was asked for
}

// askDownload asks before a file is fetched: it shows where its address really leads.
func (m *Model) askDownload(o download) tea.Cmd {
	f := o.files[0]
	host := m.hostOf(f.Link)
	title := "it leads to " + host
	note := "no credentials go along"
	if m.opts.Engine.Trusts(o.agent, f.Link) {
		note = "with your credentials for it"
	}
	if n := len(o.besides); n > 0 {
		title = host + " leads on to " + m.hostOf(o.besides[n-1])
	}
	fetch := menu.Item{Key: "f", Name: "fetch it, at most " + units.Bytes(m.opts.Limits.Of(a2a.LimitFile)), Note: note, Why: m.refusal(), Value: o}
	m.openMenu(title, "a file of an agent's", append([]menu.Item{fetch}, m.linkItems(f.Link)...))
	return nil
}

// linkItems are what can be done with a link.
func (m *Model) linkItems(link string) []menu.Item {
	shown := canvas.Ellipsize(canvas.SanitizeLine(link), 44, m.st.G[styles.Ellipsis])
	open := menu.Item{Key: "o", Name: "open in the browser", Note: shown, Value: browse{link}}
	switch {
	case m.opts.Browse == nil:
		open.Why = "nothing here opens links: copy it"
	case m.remote():
		open.Why = "this is another machine's terminal: copy it"
	}
	return []menu.Item{open, {Key: "y", Name: "copy it", Note: shown, Value: control.Action(func() tea.Cmd { return m.copy(link) })}}
}

// download begins to download a file.
func (m *Model) download(o download) tea.Cmd {
	if why := m.refusal(); why != "" {
		return m.say(why, true)
	}
	f := o.files[0]
	o.keys = m.attention.keys
	turn := m.opts.Engine.DownloadFile(o.agent, f.Link, o.besides...)
	if m.attention.downloads == nil {
		m.attention.downloads = map[a2a.TurnID]download{}
	}
	m.attention.downloads[turn] = o
	return m.say("fetching "+f.Name+" from "+m.hostOf(f.Link), false)
}

// onDownloadOver does with a file that was fetched what was wanted, unless the user has gone on
// to something else.
func (m *Model) onDownloadOver(s *log.Signal) tea.Cmd {
	if s == nil || s.Kind != log.SignalTurnOver {
		return nil
	}
	o, ours := m.attention.downloads[s.Turn]
	if !ours {
		return nil
	}
	delete(m.attention.downloads, s.Turn)
	busy := m.attention.keys != o.keys || m.screen.over != noOverlay
	f := o.files[0]
	switch on := m.leadsOn(s.Turn); {
	case s.Class == a2a.ClassOrigin && on != "" && !slices.Contains(o.besides, on) && !busy:
		o.besides = append(o.besides, on)
		return m.askDownload(o)
	case s.Sentence != "":
		return nil // which is said already
	}
	if a := m.state.Agent(o.agent); a == nil || a.File(f.Link) == nil {
		return m.say(f.Name+" did not come, though nothing failed: the wire pane shows what did.", true)
	}
	o.files = []chat.File{m.panes.chat.Fetched(f)}
	if o.files[0].Link != "" { // another agent's conversation is on the screen
		return m.say(f.Name+" was fetched; it is in its conversation now", false)
	}
	if busy && (o.open || o.look) {
		return m.say(f.Name+" was fetched: V shows it, w saves it", false)
	}
	return m.keep(o.keeping)
}

// leadsOn returns the origin of the last request of a turn.
func (m *Model) leadsOn(turn a2a.TurnID) string {
	const most = 200 // records that may have come since
	for id := m.state.Log.Len(); id > max(0, m.state.Log.Len()-most); id-- {
		it := m.state.Log.At(a2a.RecordID(id))
		if it != nil && it.Record.Kind == a2a.KindRequest && it.Record.Call != nil && it.Record.Call.Turn == turn && it.Record.Head != nil {
			return a2a.Origin(it.Record.Head.URL)
		}
	}
	return ""
}

// downloadCommands lists the files on their way, to be stopped.
func (m *Model) downloadCommands() []control.Command {
	var out []control.Command
	for _, turn := range slices.Sorted(maps.Keys(m.attention.downloads)) {
		o := m.attention.downloads[turn]
		out = append(out, control.Command{Name: "Stop fetching " + o.files[0].Name, Do: func() tea.Cmd {
			m.opts.Engine.Stop(turn)
			return m.say("stopping", false)
		}})
	}
	return out
}
