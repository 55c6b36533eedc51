package chat

import (
	"strings"
	"testing"

	"parley/session/model"
)

// The line of a turn counts the received bytes of what is incomplete: in place of the answer,
// and beside a working task.
func TestTheTurnCountsBytesOfWhatIsNotComplete(t *testing.T) {
	c, _ := streaming()
	turn := c.Turns[len(c.Turns)-1]
	turn.Pending = true
	blocks := turn.Blocks
	for _, turn.Blocks = range [][]*model.Block{blocks, nil} {
		turn.Incomplete = 0
		touch(c)
		p := open(mono(), c, 100, 20)
		if strings.Contains(screen(p), "received") {
			t.Errorf("got a byte count before any byte came, want none:\n%s", screen(p))
		}
		for bytes, words := range map[int64]string{12_400_000: "12.4 MB received", 700_000: "700 kB received"} {
			turn.Incomplete = bytes
			touch(c)
			if !strings.Contains(screen(p), words) {
				t.Errorf("got a screen without %q, want it:\n%s", words, screen(p))
			}
			exact(t, p, 100, 20)
		}
		turn.Incomplete = 0
		touch(c)
		if strings.Contains(screen(p), "received") {
			t.Errorf("got a byte count for a complete event, want none:\n%s", screen(p))
		}
	}
}

func TestTheGreetingCountsBytesOfTheCard(t *testing.T) {
	a := &model.Agent{ID: 1, Ref: "http://localhost:1", Phase: model.Discovering}
	p := namedPane(mono(), clockAt(noon))
	p.SetSize(80, 20)
	p.Show(a, nil)
	for bytes, words := range map[int64]string{0: "looking for", 1_500_000: "1.5 MB received", 9_000_000: "9 MB received"} {
		a.Incomplete = bytes
		if got := screen(p); !strings.Contains(got, words) || bytes == 0 && strings.Contains(got, "received") {
			t.Errorf("greeting with %d bytes of a card: got\n%s\nwant %q", bytes, got, words)
		}
	}
}
