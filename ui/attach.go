package ui

import (
	"cmp"
	"errors"
	"path/filepath"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/internal/attach"
	"parley/internal/units"
	"parley/session/model"
	"parley/ui/canvas"
	"parley/ui/composer"
	"parley/ui/control"
	"parley/ui/menu"
	"parley/ui/picker"
)

// attaching is what is going on about files that are to go with a message.
type attaching struct {
	folders folders
	drop    drop
}

// attachMsg is sent when something that was read about files is there.
type attachMsg interface{ took(m *Model) tea.Cmd }

// attachedMsg brings files that are to go with the message of a place, and what is to be
// said of those that cannot.
type attachedMsg struct {
	at    control.Place
	parts []a2a.Part
	files []attach.File // as the parts
	paths []string      // of what could not be read
	errs  []error       // as the paths
}

// attachFiles reads files and puts them with what is being written.
func (m *Model) attachFiles(paths []string) tea.Cmd {
	at := m.cur
	return func() tea.Msg {
		out := attachedMsg{at: at}
		for _, path := range paths {
			p, f, err := attach.Read(path)
			if err != nil {
				out.paths, out.errs = append(out.paths, path), append(out.errs, err)
				continue
			}
			out.parts, out.files = append(out.parts, p), append(out.files, f)
		}
		return out
	}
}

// took puts the files with the message and says what there is to know of them.
func (msg attachedMsg) took(m *Model) tea.Cmd {
	for _, p := range msg.parts {
		m.putWith(msg.at, p)
	}
	if len(msg.errs) > 0 {
		return m.unattached(msg)
	}
	return m.say(m.attached(msg), false)
}

// putWith puts a part with the message of a place.
func (m *Model) putWith(at control.Place, p a2a.Part) {
	if at == m.cur {
		m.panes.composer.Attach(p)
	} else {
		m.outbox.ChangeDraft(at, func(d *composer.Draft) { d.Parts = append(slices.Clip(d.Parts), p) })
	}
	m.touch()
}

// attached says what goes along now, and what is odd about it.
func (m *Model) attached(msg attachedMsg) string {
	if len(msg.parts) == 1 {
		p, f := &msg.parts[0], &msg.files[0]
		about := composer.Describe(p)
		words := about[0] + " goes with the message: " + strings.Join(about[1:], ", ")
		if f.Type.Doubt != "" {
			words += "; " + f.Type.Doubt
		}
		if why := m.untaken(msg.at, p); why != "" {
			words += "; " + why
		}
		return words
	}
	size, odd := int64(0), false
	for i := range msg.parts {
		size += msg.parts[i].Size()
		odd = odd || m.untaken(msg.at, &msg.parts[i]) != ""
	}
	words := units.Plural(len(msg.parts), "file") + ", " + units.Bytes(size) + ", go with the message"
	if odd {
		words += "; not all are among what " + m.agentName(msg.at.Agent) + " says it takes"
	}
	return words
}

// untaken says that an agent does not take a part, empty if it does or does not say.
func (m *Model) untaken(at control.Place, p *a2a.Part) string {
	if modes := m.takes(at.Agent); !a2a.Takes(modes, p) {
		return m.agentName(at.Agent) + " says it takes " + composer.Modes(modes)
	}
	return ""
}

// unattached says why files do not go along. One that is too large may go by its address.
func (m *Model) unattached(msg attachedMsg) tea.Cmd {
	path, err := msg.paths[0], msg.errs[0]
	words := canvas.SanitizeLine(err.Error())
	switch {
	case len(msg.parts) > 0:
		return m.say(units.Plural(len(msg.parts), "file")+" attached, but: "+words, true)
	case attach.IsFolder(err) && len(msg.paths) == 1 && m.screen.over == noOverlay:
		return m.openPicker(path)
	case errors.Is(err, attach.ErrTooLarge) && m.screen.over == noOverlay && msg.at == m.cur:
		at := msg.at
		m.openMenu("attach "+canvas.SanitizeLine(filepath.Base(path)), words, []menu.Item{{
			Key: "u", Name: "send its address", Note: attach.FileURL(path), Value: control.Action(func() tea.Cmd { return m.lookAt(path, at) }),
		}})
		return nil
	}
	return m.say(words, true)
}

// lookAt puts a file with the message by its address alone.
func (m *Model) lookAt(path string, at control.Place) tea.Cmd {
	return func() tea.Msg {
		f, err := attach.Look(path)
		if err != nil {
			return attachedMsg{at: at, paths: []string{path}, errs: []error{err}}
		}
		return attachedMsg{at: at, parts: []a2a.Part{f.Part()}, files: []attach.File{f}}
	}
}

// takes returns the media types that an agent says it takes, nil if that is not known.
func (m *Model) takes(id a2a.AgentID) []string {
	a := m.state.Agent(id)
	if a == nil || a.Card == nil {
		return nil
	}
	return m.modes(a).takes
}

// modes are what the card that was looked at last says the agent takes and gives: a card
// may have ten thousand skills, and is looked at for every frame.
type modes struct {
	card         *a2a.Card
	takes, gives []string
	reads        int // for tests
}

// modes returns what an agent says it takes and gives.
func (m *Model) modes(a *model.Agent) *modes {
	s := &m.screen.memo.modes
	if a.Card == nil {
		return &modes{}
	}
	if s.card != a.Card {
		s.card, s.takes, s.gives, s.reads = a.Card, a.Card.InputModes(), a.Card.OutputModes(), s.reads+1
	}
	return s
}

// attachRef attaches what a user named: a file, or what an agent finds at an address.
func (m *Model) attachRef(ref string) tea.Cmd {
	if p, ok := attach.Address(ref); ok {
		m.putWith(m.cur, p)
		words, why := composer.Describe(&p)[0]+" goes with the message by its address, which the agent fetches itself", m.untaken(m.cur, &p)
		if why != "" {
			words += "; " + why
		}
		return m.say(words, false)
	}
	paths := []string{m.resolve(ref)}
	if quoted := attach.Paths(ref, m.opts.Getenv("HOME")); len(quoted) > 0 && strings.ContainsAny(ref, `'"\`) {
		paths = quoted
	}
	return m.attachFiles(paths)
}

// resolve returns the path that a user means.
func (m *Model) resolve(written string) string {
	dir, err := filepath.Abs(m.opts.Dir)
	if err != nil {
		dir = m.opts.Dir
	}
	return attach.Resolve(written, m.opts.Getenv("HOME"), dir)
}

// openPicker shows the files of a folder to choose from, those of the folder that was
// shown last if it is empty.
func (m *Model) openPicker(dir string) tea.Cmd {
	if why := m.refusal(); why != "" {
		return m.say(why, true)
	}
	takes := m.takes(m.cur.Agent)
	m.show(overPicker)
	wanted := func(media string) bool { return a2a.Takes(takes, &a2a.Part{Kind: a2a.PartBytes, MediaType: media}) }
	if dir != "" {
		return m.picked(m.panes.picker.OpenAt(dir, wanted))
	}
	return m.picked(m.panes.picker.Open(m.resolve("."), wanted))
}

const overPicker control.SheetName = "picker"

// pickerSheet lies over the panes while files are chosen.
func (m *Model) pickerSheet() control.Sheet {
	p := m.panes.picker
	return control.Sheet{
		Pane: p, Help: "attach a file", Keys: p.FullHelp, Height: p.Height(), Leave: m.leaving(false, m.panes.composer.AttachKey()),
		Key:   func(msg tea.KeyPressMsg) tea.Cmd { return m.picked(p.Key(msg)) },
		Mouse: func(msg tea.MouseMsg, x, y int) tea.Cmd { return m.picked(p.Mouse(msg, x, y)) },
		Paste: p.Paste,
	}
}

// picked carries out what the picker asks for.
func (m *Model) picked(in picker.Intent) tea.Cmd {
	switch in := in.(type) {
	case picker.Enter:
		return listFolder(in.Dir)
	case picker.Choose:
		m.closeOverlay()
		m.focusComposer()
		paths := make([]string, 0, len(in.Paths))
		for _, path := range in.Paths {
			paths = append(paths, attach.Resolve(path, m.opts.Getenv("HOME"), in.Dir))
		}
		return m.attachFiles(paths)
	case picker.Refused:
		return m.say(in.Why, true)
	case picker.Close:
		m.closeOverlay()
	}
	return nil
}

// attachments are the commands about what goes with a message.
func (m *Model) attachments() []control.Command {
	why, none := m.refusal(), ""
	if m.panes.composer.Attached() == 0 {
		none = "nothing goes with the text"
	}
	c := m.panes.composer
	return []control.Command{
		{
			Key: c.AttachKey(), Slash: "attach", Takes: "[FILE]", Name: "Attach a file, or what is at a URL", Why: why,
			Do: m.attachAny, With: m.attachNamed, Offers: m.offerPaths,
		},
		{Key: c.PartsKey(), Slash: "parts", Name: "Choose how what is attached is sent", Why: cmp.Or(why, none), Do: func() tea.Cmd { return m.changePart(-1) }},
	}
}

// attachAny attaches what a pasted text names, or lets the user choose.
func (m *Model) attachAny() tea.Cmd {
	if cmd, ok := m.takeDrop(); ok {
		return cmd
	}
	return m.openPicker("")
}

// attachNamed attaches what was written behind the command.
func (m *Model) attachNamed(ref string) tea.Cmd {
	m.focusComposer()
	if strings.TrimSpace(ref) == "" {
		return m.openPicker("")
	}
	return m.attachRef(ref)
}
