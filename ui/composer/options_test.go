package composer

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/session/model"
)

func TestHowAMessageIsSentStandsBelowItAndStays(t *testing.T) {
	c := open(90, newTask)
	h, three := c.Height(), 3
	c.SetOptions(model.SendOptions{Stream: a2a.False, Config: a2a.SendConfig{
		Wait: true, AcceptedOutputModes: []string{"text/\x1b[2Jmarkdown"}, HistoryLength: &three, Metadata: []byte(`{"a":1}`),
	}})
	c.SetMetadata([]byte(`{"b":2}`))
	if c.Height() != h+1 {
		t.Fatalf("got height %d, want %d: a row for the send options", c.Height(), h+1)
	}
	c.SetSize(96, c.Height())
	if got := screen(c); !strings.Contains(got, "blocking - accepts text/⟨ESC⟩markdown - history 3 - metadata (request, message)  alt+h") {
		t.Errorf("got a screen without the send options:\n%s", got)
	}
	if in := c.Mouse(tea.MouseClickMsg{Button: tea.MouseLeft}, 5, c.Height()-1); in != (OpenOptions{}) {
		t.Errorf("got intent %v for a click on the row, want OpenOptions", in)
	}
	if in := press(c, "alt+h"); in != (OpenOptions{}) {
		t.Errorf("got intent %v for alt+h, want OpenOptions", in)
	}
	c.SetValue("go")
	in, _ := press(c, "enter").(Send)
	if !in.Draft.Options.Config.Wait || string(in.Draft.Metadata) != `{"b":2}` {
		t.Fatalf("got draft %+v sent, want the options and metadata", in.Draft)
	}
	if d := c.Draft(); !d.Options.Config.Wait || d.Metadata != nil {
		t.Errorf("got draft %+v after Send, want the options without the metadata", d)
	}
	c.SetOptions(model.SendOptions{Stream: a2a.True})
	if press(c, "up"); c.Value() != "go" || c.Draft().Options.Stream != a2a.True || c.Draft().Metadata == nil {
		t.Errorf("got draft %+v after up, want the sent one with the current options", c.Draft())
	}
	c.Clear()
	if c.Draft().Options.Stream != a2a.True {
		t.Error("got other options after Clear, want them to stay")
	}
	c.SetUnsupported("not in A2A 0.1: history")
	c.SetSize(96, c.Height())
	if !strings.Contains(screen(c), "streamed ") || !strings.Contains(screen(c), "not in A2A 0.1: history") {
		t.Errorf("got a screen that does not flag the option without a member:\n%s", screen(c))
	}
	for w := range 30 {
		c.SetSize(w, c.Height())
		exact(t, c, w, c.Height())
	}
}
