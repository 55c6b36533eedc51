package canvas

import (
	"bytes"
	"image/color"
	"io"
	"os"
	"strings"
	"testing"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/vt"

	"parley/ui/styles"
)

// A terminal is an emulator that records forbidden effects of text.
type terminal struct {
	*vt.Emulator
	incidents []string
	answers   chan []byte
}

func newTerminal(w, h int) *terminal {
	t := &terminal{Emulator: vt.NewEmulator(w, h), answers: make(chan []byte, 1)}
	note := func(what string) { t.incidents = append(t.incidents, what) }
	t.SetCallbacks(vt.Callbacks{
		Bell:             func() { note("bell") },
		Title:            func(s string) { note("title " + s) },
		IconName:         func(s string) { note("icon " + s) },
		AltScreen:        func(bool) { note("alternate screen") },
		CursorVisibility: func(bool) { note("cursor visibility") },
		CursorStyle:      func(vt.CursorStyle, bool) { note("cursor style") },
		CursorColor:      func(color.Color) { note("cursor colour") },
		BackgroundColor:  func(color.Color) { note("background") },
		ForegroundColor:  func(color.Color) { note("foreground") },
		WorkingDirectory: func(s string) { note("directory " + s) },
		EnableMode:       func(m ansi.Mode) { note("mode on") },
		DisableMode:      func(m ansi.Mode) { note("mode off") },
	})
	t.RegisterOscHandler(52, func(data []byte) bool { note("clipboard " + string(data)); return true })
	// The emulator answers queries, and Write blocks until the answer is read.
	go func() {
		all, _ := io.ReadAll(t.Emulator)
		t.answers <- all
	}()
	return t
}

// finish returns the recorded effects, and what the terminal answered as if typed.
func (t *terminal) finish() []string {
	// Closing the emulator itself would race with the reading of its answers.
	if pipe, ok := t.InputPipe().(io.Closer); ok {
		_ = pipe.Close()
	}
	if answer := <-t.answers; len(answer) > 0 {
		t.incidents = append(t.incidents, "answer "+string(answer))
	}
	return t.incidents
}

var hostile = []string{
	"\x1b]0;owned\a\x1b]2;owned\x1b\\\u009d2;owned\u009c",
	"\x1b]52;c;ZXZpbA==\a\u009d52;c;ZXZpbA==\u009c",
	"\x1b[?25l\x1b[?1049h\x1b[?1000h\x1b[?2004h\x1b[5 q\u009b?25l",
	"\x1b]10;#000000\a\x1b]11;#000000\a\x1b]12;red\a\x1b]7;file:///x\a",
	"\x1b[c\x1b[6n\x1b[>q\x1bP+q544e\x1b\\\x1b]11;?\a\x05",
	"\x1bc\x1b[!p\x1b[2J\x1b[H\x1b[10;10Hhere\x1b[3A\x1bD\x1bM\x1bE",
	"\x1b(0lqqk\x1b(B\x0e\x0f\x1bN\x1bO",
	"\a\b\b\b\v\f\x7f\x00",
	"\x1b[31\x1b[1;1Hx\x1b",
	"a\x1b]0;not ended",
	"\x1b_Gi=1;AAAA\x1b\\\x1bX sos \x1b\\\x1b^ pm \x1b\\",
	"\u202eevil\u202c \u2066x\u2069 \u200f",
}

var international = []string{
	"한국어 대화", "\u1112\u1161\u11ab\u1100\u116e\u11a8", "日本語、中文", "ｶﾞｷﾞ",
	"👍🏽 ok", "👨\u200d👩\u200d👧\u200d👦 family", "❤\ufe0f ☎\ufe0f ✔\ufe0f 1\ufe0f\u20e3", "🇫🇷🇩🇪 🏴\U000e0067\U000e0062\U000e007f",
	"e\u0301a\u0308", "z" + strings.Repeat("\u0336", 40) + "algo", "नमस्ते क्षि", "ภาษาไทย กำ", "עברית العربية", "\u200b\u200b\ufeffx", "\u00adx",
}

func TestSanitizedTextCannotTouchTheTerminal(t *testing.T) {
	vector, err := os.ReadFile("../../a2a/testdata/vectors/bad/063-terminal-escapes.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, in := range append(hostile, international...) {
		term := newTerminal(300, 10)
		if _, err := term.WriteString(Sanitize(in)); err != nil {
			t.Fatal(err)
		}
		if got := term.finish(); len(got) > 0 {
			t.Errorf("%q: got %q, want no effect on the terminal", in, got)
		}
	}
	all := newTerminal(300, 100)
	text := string(vector) + strings.Join(hostile, "")
	if _, err := all.WriteString(Sanitize(text) + SanitizeLine(text) + SanitizeRendered(text)); err != nil {
		t.Fatal(err)
	}
	if got := all.finish(); len(got) > 0 {
		t.Errorf("all texts: got %q, want no effect on the terminal", got)
	}
}

func TestTheTerminalNotesIncidents(t *testing.T) {
	for i, in := range hostile[:8] {
		term := newTerminal(300, 10)
		_, _ = io.Copy(term, bytes.NewReader([]byte(in)))
		if got := term.finish(); len(got) == 0 && i != 5 && i != 6 {
			t.Errorf("%q did nothing unsanitized, want an effect: without one the test above proves nothing", in)
		}
	}
}

func TestTextOccupiesTheCellsThatWidthSays(t *testing.T) {
	for _, in := range append(hostile, international...) {
		line := SanitizeLine(in)
		term := newTerminal(300, 4)
		if _, err := term.WriteString(line); err != nil {
			t.Fatal(err)
		}
		if got := term.CursorPosition(); got.X != Width(line) || got.Y != 0 {
			t.Errorf("%q: got the terminal's cursor at %d,%d, want column %d as Width says", line, got.X, got.Y, Width(line))
		}
		term.finish()
	}
}

// TestTheRendererKeepsExactRowsExact draws rows as Bubble Tea does, with both ways of
// measuring, and checks that the border behind them is in its column.
func TestTheRendererKeepsExactRowsExact(t *testing.T) {
	const w = 30
	for _, method := range []ansi.Method{ansi.WcWidth, ansi.GraphemeWidth} {
		for _, in := range append(hostile, international...) {
			for _, row := range Box(dark(), Frame{Title: SanitizeLine(in)}, w, 4, Wrap(SanitizeLine(in), w-4)) {
				screen := uv.NewScreenBuffer(w+5, 1)
				screen.Method = method
				uv.NewStyledString(row+"!").Draw(screen, screen.Bounds())
				if cell := screen.CellAt(w, 0); cell == nil || cell.Content != "!" {
					t.Errorf("%q: want ! in column %d, got %v", row, w, cell)
				}
			}
		}
	}
}

func TestChangingTheGlyphTableMovesNothing(t *testing.T) {
	uni := Box(dark(), Frame{Title: "wire", Note: "3 records"}, 30, 4, []string{"x"})
	st := dark()
	st.G = styles.ASCII()
	for i, row := range Box(st, Frame{Title: "wire", Note: "3 records"}, 30, 4, []string{"x"}) {
		if Width(row) != Width(uni[i]) {
			t.Errorf("row %d: got %d cells with Unicode, want %d as with ASCII", i, Width(uni[i]), Width(row))
		}
	}
}
