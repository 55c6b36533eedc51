package files

import (
	"maps"
	"slices"

	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/internal/units"
	"parley/session/log"
	"parley/ui/chat"
	"parley/ui/control"
	"parley/ui/keys"
	"parley/ui/menu"
)

// A download is a file that is being downloaded, and the plan for it.
type download struct {
	plan
	agent   a2a.AgentID
	besides []string // other origins that its address may redirect to
	keys    int      // pressed when it began
}

// askDownload shows where the address of a file leads, and offers to download it.
func (c *Controller) askDownload(o download) tea.Cmd {
	f := o.files[0]
	host := c.links.Host(f.Link)
	title := "the link leads to " + host
	note := "without credentials"
	if c.host.Engine().Trusts(o.agent, f.Link) {
		note = "with your credentials for it"
	}
	if n := len(o.besides); n > 0 {
		title = host + " redirects to " + c.links.Host(o.besides[n-1])
	}
	fetch := menu.Item{Key: "f", Name: "download it, at most " + units.Bytes(c.opts.Limits.Of(a2a.LimitFile)), Note: note, Why: control.Refusal(c.host), Value: control.Action(func() tea.Cmd { return c.download(o) })}
	c.host.Menu(title, "a file of an agent", append([]menu.Item{fetch}, c.links.Items(f.Link)...))
	return nil
}

// download starts to download a file.
func (c *Controller) download(o download) tea.Cmd {
	if why := control.Refusal(c.host); why != "" {
		return c.host.Say(why, true)
	}
	f := o.files[0]
	o.keys = c.opts.Keys()
	turn := c.host.Engine().DownloadFile(o.agent, f.Link, o.besides...)
	c.downloads[turn] = o
	return c.host.SayUntil("downloading "+f.Name+" from "+c.links.Host(f.Link), false, func() bool { _, runs := c.downloads[turn]; return !runs })
}

// onSignal carries out the plan of a finished download, unless the user has pressed keys
// meanwhile.
func (c *Controller) onSignal(s *log.Signal) tea.Cmd {
	if s.Kind != log.SignalTurnOver {
		return nil
	}
	o, ours := c.downloads[s.Turn]
	if !ours {
		return nil
	}
	delete(c.downloads, s.Turn)
	busy := c.opts.Keys() != o.keys || c.host.Covered()
	f := o.files[0]
	switch on := c.lastOrigin(s.Turn); {
	case s.Class == a2a.ClassOrigin && on != "" && !slices.Contains(o.besides, on) && !busy:
		o.besides = append(o.besides, on)
		return c.askDownload(o)
	case s.Sentence != "":
		return nil // it was reported already
	}
	if a := c.host.State().Agent(o.agent); a == nil || a.File(f.Link) == nil {
		return c.host.Say(f.Name+" was not returned, although nothing failed: the wire pane shows the answer.", true)
	}
	o.files = []chat.File{c.panes.Chat.WithDownload(f)}
	if o.files[0].Link != "" { // another agent's conversation is on the screen
		return c.host.Say(f.Name+" was downloaded; it is in its conversation", false)
	}
	if of := c.panes.Chat.Of; busy && (o.open || o.preview) {
		return c.host.Say(f.Name+" was downloaded: "+keys.Name(of(chat.PreviewFile))+" shows it, "+keys.Name(of(chat.SaveFile))+" saves it", false)
	}
	return c.carryOut(o.plan)
}

// lastOrigin returns the origin of the last request of a turn, empty if there is none among the
// newest records.
func (c *Controller) lastOrigin(turn a2a.TurnID) string {
	const most = 200 // records
	for id := c.host.State().Log.Len(); id > max(0, c.host.State().Log.Len()-most); id-- {
		it := c.host.State().Log.At(a2a.RecordID(id))
		if it != nil && it.Record.Kind == a2a.KindRequest && it.Record.Call != nil && it.Record.Call.Turn == turn && it.Record.Head != nil {
			return a2a.Origin(it.Record.Head.URL)
		}
	}
	return ""
}

// Downloads returns the finder commands that download artifacts from a gateway, and those that stop a
// download.
func (c *Controller) Downloads() []control.Command {
	out := c.artifactCommands()
	for _, turn := range slices.Sorted(maps.Keys(c.downloads)) {
		o := c.downloads[turn]
		out = append(out, control.Command{Name: "Stop downloading " + o.files[0].Name, Run: func() tea.Cmd {
			c.host.Engine().Stop(turn)
			return c.host.Say("stopping", false)
		}})
	}
	return out
}
