package play

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/session/script"
	"parley/ui/composer"
	"parley/ui/control"
	"parley/ui/keys"
)

// do carries out a step. One that takes a while calls did later.
func (c *Controller) do(s *script.Step) tea.Cmd {
	switch s.Verb {
	case script.Open:
		return c.open(s)
	case script.Say, script.Answer:
		c.host.Close()
		c.host.Focus(control.OnComposer)
		return c.write(s, func() tea.Cmd { return c.send(s) })
	case script.Type:
		return c.write(s, func() tea.Cmd { return c.did("") })
	case script.Key:
		return c.pressKey(s)
	case script.Screenshot:
		return c.screenshot(s)
	}
	problem, cmd := "", tea.Cmd(nil)
	switch s.Verb {
	case script.Show:
		cmd = c.show(s.Text)
	case script.Caption:
		c.caption, c.verdict = s.Text, ""
	case script.Set:
		problem = c.set(s)
	}
	c.play.Did(problem)
	return cmd
}

// open opens an agent and shows it. What runs inside the program starts meanwhile.
func (c *Controller) open(s *script.Step) tea.Cmd {
	c.opened = s
	find, speed := func() (string, string) { return c.opts.Reference(s, c.play.Speed()) }, c.play.Speed()
	if c.recorded {
		find = func() (string, string) { return c.opts.Instead(s, "", speed) }
	}
	return func() tea.Msg {
		ref, problem := find()
		return control.DoneMsg(func() tea.Cmd {
			if c.play.Step() != s {
				return nil // it was skipped meanwhile
			}
			if problem == "" {
				c.host.Close()
				c.agent = c.links.Open(ref)
				delete(c.turns, c.agent) // the next message begins a conversation
			}
			return c.did(problem)
		})
	}
}

// send sends the message that was typed.
func (c *Controller) send(s *script.Step) tea.Cmd {
	c.links.Composer.SetValue("")
	turn, cmd := c.links.Send(composer.Draft{Text: s.Text}, c.view().Target(s))
	if turn == 0 {
		return tea.Batch(cmd, c.did("The message cannot be sent."))
	}
	c.turns[c.agent] = turn
	return tea.Batch(cmd, c.did(""))
}

// show shows a view, and nothing over the panes.
func (c *Controller) show(view string) tea.Cmd {
	c.host.Close()
	switch view {
	case "wire":
		c.host.Focus(control.OnWire)
	case "card":
		return c.links.ShowCard(c.agent)
	case "findings":
		return c.links.ShowFindings()
	default:
		c.host.Focus(control.OnComposer)
	}
	return nil
}

// set changes a setting. The size of the screen and its characters were set before the play.
func (c *Controller) set(s *script.Step) (problem string) {
	switch s.Name {
	case "theme":
		return c.links.UseTheme(s.Text)
	case "present":
		c.links.Present(s.Text == "on")
	case "typing":
		c.pace = s.TypingPause()
	}
	return ""
}

// pressKey presses a key as often as the step says.
func (c *Controller) pressKey(s *script.Step) tea.Cmd {
	msg, ok := keys.Parse(s.Text)
	if !ok {
		return c.did("There is no key " + s.Text + ": write it as the help of the workbench does.")
	}
	var cmds []tea.Cmd
	for range int(max(s.Number, 1)) {
		cmds = append(cmds, c.links.Press(msg))
	}
	c.play.Did("")
	return tea.Batch(cmds...)
}

// A typing is a text that is typed key by key.
type typing struct {
	step  *script.Step
	runes []rune
	done  int
	seq   int // of the pause that is waited for
	then  func() tea.Cmd
}

// write types the text of a step, so that everyone can read along, and calls then.
func (c *Controller) write(s *script.Step, then func() tea.Cmd) tea.Cmd {
	c.typing = &typing{step: s, runes: []rune(s.Text), then: then}
	if s.Verb != script.Type {
		c.links.Composer.SetValue("")
	}
	return c.typeNext()
}

// maxTyping is how long a text is typed at most: a long one comes faster.
const maxTyping = 6 * time.Second

// typeNext types the next characters and comes back, until all are typed and were shown for a
// moment.
func (c *Controller) typeNext() tea.Cmd {
	t := c.typing
	if t == nil || c.state != plays {
		return nil
	}
	pause := time.Duration(float64(c.pace) / c.play.Speed())
	if c.opts.Fast {
		pause = 0
	}
	if t.done == len(t.runes) {
		c.typing = nil
		return t.then()
	}
	n := 1
	if all := pause * time.Duration(len(t.runes)); all > maxTyping {
		n = int(all/maxTyping) + 1
	}
	if pause == 0 {
		n = len(t.runes)
	}
	n = min(n, len(t.runes)-t.done)
	var cmds []tea.Cmd
	if t.step.Verb == script.Type {
		for _, r := range t.runes[t.done : t.done+n] {
			cmds = append(cmds, c.links.Press(typed(r)))
		}
	} else {
		c.links.Composer.SetValue(string(t.runes[:t.done+n]))
	}
	if t.done += n; t.done == len(t.runes) {
		pause *= 8 // before it is sent
	}
	c.host.Touch()
	return tea.Batch(append(cmds, c.after(pause, c.typeOn(t)))...)
}

// typeOn goes on with a text if it is still the one that is typed.
func (c *Controller) typeOn(t *typing) func() tea.Cmd {
	t.seq++
	seq := t.seq
	return func() tea.Cmd {
		if c.typing != t || t.seq != seq {
			return nil
		}
		return c.typeNext()
	}
}

// typed returns the key of a character.
func typed(r rune) tea.KeyPressMsg {
	switch r {
	case '\n':
		return tea.KeyPressMsg{Code: tea.KeyEnter}
	case '\t':
		return tea.KeyPressMsg{Code: tea.KeyTab}
	}
	return tea.KeyPressMsg{Code: r, Text: string(r)}
}
