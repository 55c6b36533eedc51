package sending

import (
	"encoding/json"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/internal/panetest"
	"parley/themes"
	"parley/ui/styles"
)

func newPane(t *testing.T, name a2a.DialectName) *Pane {
	t.Helper()
	p := New(styles.New(themes.Mono(), styles.Unicode()))
	about := About{Agent: "Desk", Streams: true, OutputModes: []string{"text/markdown"}}
	if d, ok := a2a.LookupDialect(name); ok {
		about.Dialect = d
	}
	p.SetAbout(about)
	p.Open()
	p.SetSize(96, 30)
	return p
}

func press(p *Pane, names ...string) (last Intent) {
	for _, n := range names {
		last = p.Key(panetest.Key(n))
	}
	return last
}

func write(p *Pane, text string) Intent {
	press(p, "enter")
	p.input.Reset()
	p.Paste(tea.PasteMsg{Content: text})
	return press(p, "enter")
}

func screen(p *Pane) string { return panetest.Text(p.Lines()) }

func TestTheWayOfTheAnswerIsToldInTheDialectsWords(t *testing.T) {
	for _, c := range []struct {
		dialect                        a2a.DialectName
		card, stream, blocking, polled string
	}{
		{a2a.V10, "Sent by SendStreamingMessage.", "Sent by SendStreamingMessage.", "SendMessage with configuration.returnImmediately: false.", "SendMessage with configuration.returnImmediately: true; Parley then polls the task"},
		{a2a.V03, "Sent by message/stream.", "Sent by message/stream.", "message/send with configuration.blocking: true.", "message/send with configuration.blocking: false; Parley then polls the task"},
		{a2a.V01, "Sent by tasks/sendSubscribe.", "Sent by tasks/sendSubscribe.", "A2A 0.1 cannot request that: the agent decides when it answers.", "Sent by tasks/send; Parley then polls the task"},
	} {
		p := newPane(t, c.dialect)
		for i, want := range []string{c.card, c.stream, c.blocking, c.polled} {
			if i > 0 {
				press(p, "l")
			}
			panetest.Sees(t, strings.Join(strings.Fields(screen(p)), " "), want)
		}
		if in, ok := press(p, "h").(Set); !ok || !in.Options.Config.Wait || in.Options.Stream != a2a.False {
			t.Errorf("%s: got intent %+v for the mode before, want Set to blocking", c.dialect, in)
		}
	}
}

func TestWhatIsWrittenIsCheckedAndStays(t *testing.T) {
	p := newPane(t, a2a.V10)
	p.List.At = int(modes)
	for _, bad := range []string{"text/", "text/markdown a/\x1b[2J", "a=b"} {
		if in, ok := write(p, bad).(Refused); !ok || !strings.Contains(in.Why, "is not a media type") {
			t.Errorf("modes %q: got %+v, want a refusal that names the wrong media type", bad, in)
		}
		press(p, "esc")
	}
	p.List.At = int(modes)
	in, _ := write(p, "text/markdown, image/png text/markdown").(Set)
	if got := in.Options.Config.AcceptedOutputModes; len(got) != 2 || got[1] != "image/png" {
		t.Errorf("got modes %q, want the two different ones", got)
	}
	if in, _ = press(p, "enter", "tab", "tab", "enter").(Set); len(in.Options.Config.AcceptedOutputModes) != 2 {
		t.Errorf("got modes %q after tab, want no mode twice", in.Options.Config.AcceptedOutputModes)
	}
	p.input.Reset()
	press(p, "enter")
	p.input.Reset()
	in, _ = press(p, "tab", "enter").(Set)
	if got := in.Options.Config.AcceptedOutputModes; len(got) != 1 || got[0] != "text/markdown" {
		t.Errorf("got modes %q after tab, want the agent's text/markdown", got)
	}
	in, _ = write(p, "text/markdown, image/png").(Set)
	p.List.At = int(history)
	for _, bad := range []string{"-1", "1.5", "many", "99999999999"} {
		if in, ok := write(p, bad).(Refused); !ok || !strings.Contains(in.Why, "whole number") {
			t.Errorf("history %q: got %+v, want a refusal that asks for a whole number", bad, in)
		}
		if p.input.Value() != bad || !p.Typing() {
			t.Errorf("got input %q after a refusal, want %q to stay", p.input.Value(), bad)
		}
		press(p, "esc")
	}
	in, _ = write(p, "0").(Set)
	if n := in.Options.Config.HistoryLength; n == nil || *n != 0 {
		t.Errorf("got history length %v, want 0", n)
	}
	p.List.At = int(request)
	if in, ok := write(p, `{"a": 1,}`).(Refused); !ok || in.Why != "Line 1, column 8: this is not JSON: a trailing comma." {
		t.Errorf("got %+v for a trailing comma, want a refusal with its position", in)
	}
	press(p, "esc")
	if in, ok := write(p, `[1]`).(Refused); !ok || !strings.Contains(in.Why, "JSON object") {
		t.Errorf("got %+v for an array, want a refusal that asks for a JSON object", in)
	}
	press(p, "esc")
	in, _ = write(p, `{"n": 1.10}`).(Set)
	if string(in.Options.Config.Metadata) != `{"n": 1.10}` || in.Message != nil {
		t.Errorf("got request metadata %s and message metadata %s, want only the request's", in.Options.Config.Metadata, in.Message)
	}
	p.List.At = int(message)
	in, _ = write(p, `{"b":2}`).(Set)
	if string(in.Message) != `{"b":2}` || len(in.Options.Config.AcceptedOutputModes) != 2 {
		t.Errorf("got settings %+v, want the message metadata set and two modes kept", in)
	}
	if in, _ = press(p, "d").(Set); in.Message != nil {
		t.Errorf("got settings %+v after d, want no message metadata", in)
	}
	if in, _ = press(p, "R").(Set); in.Options.Config.AcceptedOutputModes != nil || in.Options.Config.HistoryLength != nil || in.Options.Config.Metadata != nil {
		t.Errorf("got settings %+v after R, want the defaults", in)
	}
}

func TestWhatADialectHasNoMemberForSaysSo(t *testing.T) {
	p := newPane(t, a2a.V01)
	press(p, "j")
	panetest.Sees(t, screen(p), "A2A 0.1 has no member for it.")
	press(p, "j")
	panetest.Sees(t, screen(p), "Sent as historyLength")
	p = newPane(t, "")
	panetest.Sees(t, screen(p), "The agent's dialect is not known yet.")
}

func TestHostileSettingsAreDrawnInAnySize(t *testing.T) {
	p := newPane(t, a2a.V03)
	evil := "\x1b[2J\u202e" + strings.Repeat("語", 3000)
	p.about.Agent, p.about.OutputModes = evil, []string{evil}
	p.about.Message = json.RawMessage(evil)
	p.about.Options.Config.AcceptedOutputModes = []string{evil}
	for w := range 12 {
		for h := range 14 {
			p.SetSize(9*w, h)
			for f := range numSettings {
				p.List.At = int(f)
				panetest.Exact(t, p.Lines(), 9*w, h)
				panetest.Sanitized(t, p.Lines())
				if f == answer {
					continue
				}
				p.Mouse(tea.MouseClickMsg{Button: tea.MouseLeft}, 1, int(f))
				panetest.Exact(t, p.Lines(), 9*w, h)
				p.Cursor()
				p.typing = false
			}
		}
	}
	p.Mouse(tea.MouseWheelMsg{Button: tea.MouseWheelUp}, 0, 0)
	p.Note()
}

func TestACardThatIsNotThereSaysNothing(t *testing.T) {
	p := newPane(t, a2a.V10)
	p.SetAbout(About{Agent: "Desk", NoCard: true, Dialect: p.about.Dialect})
	panetest.Sees(t, screen(p), "no card declares streaming")
	press(p, "l")
	if text := screen(p); strings.Contains(text, "the card says") {
		t.Errorf("got a screen that quotes a card, want none without a card:\n%s", text)
	}
}
