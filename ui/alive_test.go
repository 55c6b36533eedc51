package ui

import (
	"slices"
	"strings"
	"testing"
	"time"

	"parley/a2a"
	"parley/internal/panetest"
	"parley/ui/styles"
)

// chip returns the words of the header from the sign of the state up to the task.
func (d *desk) chip() string {
	d.t.Helper()
	_, words, _ := strings.Cut(d.top(), "   ")
	words, _, _ = strings.Cut(words, "  task")
	return strings.TrimSpace(words)
}

// The age of a task that waits changes in steps. Between two of them nothing is drawn, and each step is one
// frame.
func TestAnAgeChangesInStepsAndNothingBetweenThem(t *testing.T) {
	t.Parallel()
	bubble(t, 80, 24, Options{}, func(d *desk) {
		d.book(asksWhere)
		d.wait(time.Second / 2)
		var ages []string
		frame, drawn := d.text(), d.frames
		for range 4 * 150 {
			d.wait(250 * time.Millisecond)
			text := d.text()
			if text == frame {
				continue
			}
			frame = text
			_, age, _ := strings.Cut(d.chip(), "waits for you ")
			ages = append(ages, age)
		}
		want := strings.Split("1 s,2 s,3 s,4 s,5 s,6 s,7 s,8 s,9 s,10 s,15 s,20 s,25 s,30 s,35 s,40 s,45 s,50 s,55 s,1 min,2 min", ",")
		if !slices.Equal(ages, want) {
			t.Errorf("got ages %q, want %q", ages, want)
		}
		if n := d.frames - drawn; n != len(want) {
			t.Errorf("got %d frames, want one for each of %d steps", n, len(want))
		}
	})
}

// The list of waiting tasks is drawn at the steps of its ages, and a list without any never.
func TestAListOfAgesIsDrawnAtTheirSteps(t *testing.T) {
	t.Parallel()
	bubble(t, 120, 40, Options{}, func(d *desk) {
		d.book(asksWhere)
		d.write("/waiting")
		d.press("enter")
		d.wait(2 * time.Minute)
		d.sees("2 min")
		drawn := d.frames
		if d.wait(59 * time.Second); d.frames > drawn+1 {
			t.Errorf("got %d frames within a minute, want one at most", d.frames-drawn)
		}
	})
	bubble(t, 120, 40, Options{}, func(d *desk) {
		d.book(allBooked)
		d.wait(noticeTime * 3)
		drawn := d.frames
		if d.wait(time.Hour / 4); d.frames != drawn {
			t.Errorf("got %d frames on an idle screen, want none", d.frames-drawn)
		}
	})
}

// A task that has completed is a block for three seconds, which become plain words in the same cells.
func TestACompletedTaskIsNewForAWhile(t *testing.T) {
	t.Parallel()
	bubble(t, 120, 40, Options{}, func(d *desk) {
		d.book(allBooked)
		solid := func() bool { return strings.Contains(d.rows()[0], d.model.st.OKArea.Text.S(" ✓ completed ")) }
		top := d.top()
		if !solid() {
			t.Errorf("got %q, want a block", d.rows()[0])
		}
		if d.wait(3 * time.Second); solid() || d.top() != top {
			t.Errorf("after three seconds got %q, want the same words without a ground", d.rows()[0])
		}
	})
	bubble(t, 120, 40, Options{Name: "booking.jsonl"}, func(d *desk) {
		d.book(asksWhere)
		if d.wait(time.Minute); d.chip() != "◐ waits for you" {
			t.Errorf("got %q in a recording, want no age", d.chip())
		}
	})
}

// While a turn is at work the spinner turns in the header, also where no list of agents is, until the stream
// brings nothing for two seconds.
func TestTheHeaderMovesWhileATurnIsAtWork(t *testing.T) {
	t.Parallel()
	bubble(t, 80, 24, Options{}, func(d *desk) {
		d.book(midStream)
		seen := map[string]bool{}
		for range 8 {
			sign, words, _ := strings.Cut(d.chip(), " ")
			if seen[sign] = true; !strings.HasPrefix(words, "working ") {
				t.Errorf("got %q, want a turn at work", d.chip())
			}
			d.wait(time.Second / 8)
		}
		if len(seen) != styles.Steps || seen["●"] {
			t.Errorf("got the frames %v, want all of the spinner", seen)
		}
		d.wait(2 * time.Second)
		panetest.Sees(t, d.top(), "‖ silent ")
	})
}

// The newest chunk is lit in the conversation and in its row of the wire, for a moment.
func TestTheNewestChunkIsLitInBothPanes(t *testing.T) {
	t.Parallel()
	lit := func(d *desk) (n int) {
		for _, row := range d.rows() {
			n += strings.Count(row, d.model.st.NewChunk.On)
		}
		return n
	}
	bubble(t, 160, 45, Options{}, func(d *desk) {
		d.book(midStream)
		if d.wait(time.Millisecond); lit(d) < 2 {
			t.Errorf("got %d parts of the screen lit, want one in each pane:\n%s", lit(d), panetest.Text(d.rows()))
		}
		if d.wait(time.Second); lit(d) != 0 {
			t.Errorf("got %d parts of the screen lit after a second, want none", lit(d))
		}
	})
	bubble(t, 160, 45, Options{NoMotion: true}, func(d *desk) {
		d.book(midStream)
		first := d.chip()
		if lit(d) != 0 || !strings.HasPrefix(first, "● working ") || d.model.motion.ticks {
			t.Errorf("got %q, %d parts lit, a spinner %t; want nothing that moves", first, lit(d), d.model.motion.ticks)
		}
		if d.wait(2500 * time.Millisecond); !strings.Contains(panetest.Text(d.rows()), "‖ working") {
			t.Errorf("got a screen that does not tell the silence, want its sign:\n%s", panetest.Text(d.rows()))
		}
	})
}

// The title of the terminal begins with the sign of the state, which does not move, and is masked for an
// audience.
func TestTheTitleOfTheTerminalHasTheState(t *testing.T) {
	t.Parallel()
	for upTo, want := range map[a2a.RecordID]string{
		allFound: "Travel Desk · parley", asksWhere: "◐ Travel Desk · parley", midStream: "● Travel Desk · parley", allBooked: "✓ Travel Desk · parley",
	} {
		bubble(t, 120, 40, Options{}, func(d *desk) {
			if got := d.root.View().WindowTitle; got != "parley" {
				t.Errorf("got title %q without an agent, want parley", got)
			}
			d.book(upTo)
			d.wait(time.Second / 4)
			if got := d.root.View().WindowTitle; got != want {
				t.Errorf("after record %d got title %q, want %q", upTo, got, want)
			}
		})
	}
	bubble(t, 120, 40, Options{}, func(d *desk) {
		d.book(allBooked)
		d.model.agent().Given = "\x1b]2;owned\a" + strings.Repeat("語", 400) + " \u202e"
		d.press("f10")
		if got := d.root.View().WindowTitle; !strings.HasPrefix(got, "✓ ") || !strings.HasSuffix(got, "… · parley") || strings.ContainsAny(got, "\x1b\a\u202e") {
			t.Errorf("got title %q, want the sign and the beginning of the name, as text", got)
		}
		d.model.agent().Given = "desk " + plantedKey
		if d.press("f10", "f10"); strings.Contains(d.root.View().WindowTitle, plantedKey[:30]) || strings.Contains(d.top(), "parley") {
			t.Errorf("got title %q and header %q, want no secret and not the program's name", d.root.View().WindowTitle, d.top())
		}
	})
}
