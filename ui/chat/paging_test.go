package chat

import (
	"math/rand/v2"
	"testing"

	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/internal/panetest"
)

// cursorVisible reports whether a line of the window is the cursor's.
func cursorVisible(p *Pane) bool {
	p.Lines()
	for y := range p.h {
		if item, line, ok := p.list.ItemAt(y); ok && p.underCursor(item, line) {
			return true
		}
	}
	return false
}

func TestTheCursorStaysInTheWindow(t *testing.T) {
	conv := long(40)
	p := open(mono(), conv, 50, 12)
	p.Focus()
	keys := []string{"pgup", "pgdown", "g", "G", "home", "end", "j", "k", "{", "}", "ctrl+b", "ctrl+f", "n", "N"}
	rng := rand.New(rand.NewPCG(12, 3))
	for i := range 600 {
		name := keys[rng.IntN(len(keys))]
		switch rng.IntN(5) {
		case 0:
			name = "wheel"
			p.Mouse(tea.MouseWheelMsg{Button: []tea.MouseButton{tea.MouseWheelUp, tea.MouseWheelDown}[rng.IntN(2)]}, 1, 1)
		default:
			press(p, name)
		}
		if !cursorVisible(p) {
			t.Fatalf("step %d, %s: got the cursor outside of the window, want it inside:\n%s", i, name, screen(p))
		}
	}
}

func TestTheTopMovesTheCursorAlthoughAllFits(t *testing.T) {
	p := open(mono(), long(2), 50, 40)
	p.Focus()
	if in := press(p, "g"); in != (RevealRecord{Record: 0}) && p.row != p.out.rows[0] {
		t.Errorf("g: got intent %+v and row %d, want the first row", in, p.row.index)
	}
	press(p, "G")
	if p.row != p.out.rows[len(p.out.rows)-1] {
		t.Errorf("G: got row %d, want the last", p.row.index)
	}
	if press(p, "home"); p.row != p.out.rows[0] {
		t.Errorf("home: got row %d, want the first", p.row.index)
	}
}

func TestPagingTellsTheWireWhichRecordIsUnderTheCursor(t *testing.T) {
	p := open(mono(), long(40), 50, 12)
	p.Focus()
	in, ok := press(p, "pgup").(RevealRecord)
	if !ok || in.Record != p.Selected() || in.Record >= 390 {
		t.Errorf("pgup: got intent %+v, want the record under the cursor, %d", in, p.Selected())
	}
}

func TestBracesMoveTurnByTurn(t *testing.T) {
	p := open(mono(), long(10), 50, 14)
	p.Focus()
	for _, c := range []struct {
		key  string
		turn int
	}{{"{", 9}, {"{", 8}, {"{", 7}, {"}", 8}, {"}", 9}, {"}", 9}, {"g", 0}, {"{", 0}, {"}", 1}} {
		press(p, c.key)
		if want := p.out.turns[c.turn].visible[0]; p.row != want {
			t.Errorf("%s: got row %d, want %d, the beginning of turn %d", c.key, p.row.index, want.index, c.turn)
		}
	}
	press(open(mono(), nil, 50, 14), "{", "}", "g", "pgup") // an empty conversation has none
}

func TestTheCursorFollowsTextThatGrows(t *testing.T) {
	conv, art := streaming()
	p := open(mono(), conv, 50, 8)
	p.Focus()
	press(p, "G")
	for i := range 60 {
		chunk(conv, art, a2a.RecordID(100+i), "one more paragraph\n\n")
		settle(t, p)
		if !cursorVisible(p) {
			t.Fatalf("chunk %d: got the cursor above the window, want it inside:\n%s", i, screen(p))
		}
	}
	panetest.Exact(t, p.Lines(), 50, 8)
}
