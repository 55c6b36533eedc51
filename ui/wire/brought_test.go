package wire

import (
	"strings"
	"testing"

	"parley/a2a"
	"parley/internal/tape"
	"parley/themes"
	"parley/ui/canvas"
	"parley/ui/styles"
)

func TestARowShowsWhatItsRecordBrought(t *testing.T) {
	text := func(s string) string { return chunk("a", "essay.md", `{"text":"`+s+`"}`) }
	for name, c := range map[string]struct{ data, want string }{
		"text":             {text("Terminal 3*"), "▤ essay.md  Terminal 3*"},
		"spaces":           {text("  a b "), "▤ essay.md  ␣␣a b␣"},
		"nothing else":     {text("   "), "▤ essay.md  ␣␣␣"},
		"one byte":         {text("x"), "▤ essay.md  x"},
		"lines":            {text(`\\n\\nlater.\\r\\n3.`), "▤ essay.md  ⏎⏎later.⏎3."},
		"right to left":    {text("\u202eexe.gnp"), "▤ essay.md  ⟨U+202E⟩exe.gnp"},
		"no width":         {text("a\u200bb"), "▤ essay.md  a"},
		"an escape":        {text("\\u001b[31mred"), "▤ essay.md  ⟨ESC⟩red"},
		"no text":          {text(""), "▤ essay.md"},
		"data":             {chunk("a", "fares", `{"data":{"a": 1,\n "b":2}}`), `▤ fares  {"a": 1, "b":2}`},
		"a file":           {chunk("a", "map", `{"raw":"aGk=","filename":"map.png"}`), "▤ map  map.png"},
		"a file by name":   {chunk("a", "map.png", `{"raw":"aGk=","filename":"map.png"}`), "▤ map.png  "},
		"text and a file":  {chunk("a", "map", `{"text":"see "},{"raw":"aGk=","filename":"map.png"}`), "▤ map  see map.png"},
		"a state":          {result(`{"statusUpdate":{` + ids + `,"status":{"state":"TASK_STATE_WORKING","message":{"messageId":"m","role":"ROLE_AGENT","parts":[{"text":"Asking three airlines"}]}}}}`), "← working  Asking three airlines"},
		"a silent state":   {result(`{"statusUpdate":{` + ids + `,"status":{"state":"TASK_STATE_WORKING"}}}`), "← working  "},
		"a message":        {result(`{"message":{"messageId":"m","role":"ROLE_AGENT","parts":[{"text":"Which dates?\\nAnd bags?"}]}}`), "← message  Which dates?⏎And bags?"},
		"a task that ends": {result(`{"task":{"id":"t","contextId":"c","status":{"state":"TASK_STATE_COMPLETED"},"artifacts":[{"artifactId":"a","parts":[{"text":"London"}]}]}}`), "← task completed  London"},
	} {
		f := tape.New()
		request(f, 0, "x")
		f.Event(10, strings.NewReplacer("\\\\", "\\", `\n`, "\n").Replace(c.data))
		p := openPane(f, themes.Mono(), 100, 30)
		if got := screen(p); !strings.Contains(got, c.want) {
			t.Errorf("%s: got\n%s\nwant %q", name, got, c.want)
		}
		exact(t, p, 100, 30)
	}
}

func TestARequestShowsWhatItSends(t *testing.T) {
	has(t, openPane(booking(), themes.Mono(), 100, 30), "▾ → SendStreamingMessage  Book me a flight to London")
}

// Only a row below that of the chunk before leaves out the name.
func TestAChunkLeavesOutTheNameAboveIt(t *testing.T) {
	p := openPane(booking(), themes.Mono(), 100, 40)
	has(t, p, "5   +96 ms ▁ ← ▤ itinerary.md  London", "6   +88 ms ▁ · xxx", "8   +91 ms ▁ ← ▤ fares.json")
	p.setFilter("xxx")
	has(t, p, "6   +88 ms ▁ ← ▤ itinerary.md  xxx")
}

// A long event costs what its cells cost.
func TestTheRowOfAHugeEventReadsItsBeginning(t *testing.T) {
	f := tape.New()
	request(f, 0, "x")
	f.Event(10, chunk("a", "essay.md", `{"text":"`+strings.Repeat("0123456789", 2<<20)+`"}`))
	p := openPane(f, themes.Mono(), 100, 30)
	it := p.rows.log.At(2)
	if n := testing.AllocsPerRun(10, func() { p.content(it, 60) }); n > 40 {
		t.Errorf("got %v allocations for a row, want few", n)
	}
	var size int
	for _, w := range []int{20, 60, 400} {
		size = len(p.content(it, w).brought)
		if size > 9*w+200 {
			t.Errorf("got %d bytes for %d cells, want about as many as the cells need", size, w)
		}
	}
	has(t, p, "▤ essay.md  0123456789", " 21 MB")
}

// What the newest chunk of a stream brought is on a ground of its own, and no longer when it is not new any
// more.
func TestTheNewestChunkIsLit(t *testing.T) {
	f := tape.New()
	request(f, 0, "x")
	f.Event(50, chunk("a", "essay.md", `{"text":"one "}`))
	last := f.Event(50, chunk("a", "essay.md", `{"text":"two"}`))
	p, is := openPane(f, themes.Dark(), 100, 30), last
	p.SetNewChunk(func(id a2a.RecordID) bool { return id == is })
	lit := func() string {
		for _, line := range p.Lines() {
			if _, rest, ok := strings.Cut(line, p.st.NewChunk.On); ok {
				text, _, _ := strings.Cut(rest, styles.Reset)
				return canvas.Plain(text)
			}
		}
		return ""
	}
	for id, want := range map[a2a.RecordID]string{0: "", last: "two", last - 1: "one "} {
		if is = id; !strings.HasPrefix(want, lit()) || want != "" && lit() == "" {
			t.Errorf("record %d: got %q lit, want %q", id, lit(), want)
		}
		exact(t, p, 100, 30)
	}
}

// A bar tells a stall from the usual gaps of its stream, and only what somebody notices is one.
func TestABarTellsAStall(t *testing.T) {
	for name, c := range map[string]struct {
		events, usual, gap int
		stall              bool
	}{
		"a stall": {30, 50, 900, true}, "as usual": {30, 50, 60, false}, "slow throughout": {30, 900, 950, false},
		"too short to notice": {30, 2, 60, false}, "nothing is usual yet": {2, 50, 900, false}, "long, the second gap": {2, 50, 1100, true},
	} {
		f := tape.New()
		request(f, 0, "x")
		for range c.events {
			f.Event(c.usual, chunk("a", "essay.md", `{"text":"x"}`))
		}
		last := f.Event(c.gap, chunk("a", "essay.md", `{"text":"y"}`))
		p := openPane(f, themes.Dark(), 100, 30)
		bar := p.gapBar(&p.rows.log.At(last).Record)
		if got := strings.HasPrefix(bar, p.st.Waiting.On); got != c.stall || bar == "" {
			t.Errorf("%s: got bar %q, want amber %v", name, bar, c.stall)
		}
	}
	f := tape.New()
	request(f, 0, "x")
	f.Event(-5000, `{}`) // in the past
	f.Event(1<<40, `{}`)
	exact(t, openPane(f, themes.Mono(), 62, 30), 62, 30)
}

func FuzzOneLine(f *testing.F) {
	for _, s := range []string{"", " ", "\n", "a b", evil, "\r\n\r", strings.Repeat("\u0301", 300)} {
		f.Add(s, 20)
	}
	p := openPane(booking(), themes.Dark(), 62, 20)
	f.Fuzz(func(t *testing.T, text string, w int) {
		if w < 1 || w > 400 {
			t.Skip()
		}
		text = text[:min(len(text), bytesFor(w))]
		for _, c := range []content{{what: "working"}, {what: "name", gain: "1 B"}, {gain: "1 B", ditto: true}} {
			c.brought = p.oneLine(text, p.st.Agent)
			line := p.text(c, w)
			if n := canvas.Width(line); n > w || strings.ContainsAny(canvas.Plain(line), "\n\r\a\x1b\u202e") {
				t.Errorf("got %q, %d cells, want at most %d without a control", line, n, w)
			}
		}
	})
}
