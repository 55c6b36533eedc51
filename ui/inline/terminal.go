package inline

import (
	"bytes"
	"context"
	"io"
	"os"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/term"

	"parley/internal/crash"
	"parley/themes"
	"parley/ui/picture"
	"parley/ui/styles"
	"parley/ui/terminal"
)

// askTime is how long a terminal may take to answer.
const askTime = 300 * time.Millisecond

// maxPictureRows is how many rows a picture may take.
const maxPictureRows = 24

// A Terminal is what is known about a terminal.
type Terminal struct {
	Dark  bool // its background
	Kitty bool // it draws images by the Kitty graphics protocol
	Depth themes.Depth
	ASCII bool // it has no half blocks
}

// Guess returns what the environment says about a terminal: nothing is asked.
func Guess(out io.Writer, environ []string) Terminal {
	env := func(name string) string {
		for i := len(environ) - 1; i >= 0; i-- {
			if value, ok := strings.CutPrefix(environ[i], name+"="); ok {
				return value
			}
		}
		return ""
	}
	t := Terminal{Dark: true, Depth: terminal.DepthOf(colorprofile.Detect(out, environ))}
	if env("NO_COLOR") != "" {
		t.Depth = themes.NoColours
	}
	if _, ground, ok := strings.Cut(env("COLORFGBG"), ";"); ok {
		ground = ground[strings.LastIndexByte(ground, ';')+1:]
		t.Dark = ground != "7" && ground != "15"
	}
	t.ASCII = terminal.ASCIIOnly(env)
	t.Kitty = !multiplexed(env) && (env("TERM") == "xterm-kitty" || env("TERM") == "xterm-ghostty" || env("KITTY_WINDOW_ID") != "" || env("TERM_PROGRAM") == "ghostty")
	return t
}

// multiplexed reports whether a program between this one and the terminal draws the screen: it
// does not know of images.
func multiplexed(env func(string) string) bool {
	return env("TMUX") != "" || env("STY") != "" || env("ZELLIJ") != "" || strings.HasPrefix(env("TERM"), "tmux") || strings.HasPrefix(env("TERM"), "screen")
}

// askKitty asks whether images can be drawn: an answer comes only from a terminal that knows
// the protocol. askAttributes is answered by every terminal, after the other questions.
const (
	askKitty      = "\x1b_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\x1b\\"
	askAttributes = "\x1b[c"
)

// Ask completes a guess with what the terminal answers. What a user types meanwhile is lost, so
// it is only for programs that own the terminal.
func Ask(ctx context.Context, in *os.File, out io.Writer, environ []string) Terminal {
	q := question{Terminal: Guess(out, environ)}
	state, err := term.MakeRaw(in.Fd()) // the answers are no lines, and are not echoed
	if err != nil {
		return q.Terminal
	}
	restore := func() { _ = term.Restore(in.Fd(), state) } // there is nothing else to do about it
	defer restore()
	defer crash.OnEnd(restore)()
	env := func(name string) bool { return strings.Contains("\n"+strings.Join(environ, "\n"), "\n"+name+"=") }
	q.images = !env("TMUX") && !env("STY") && !env("ZELLIJ")
	p := terminal.NewProgram(q, tea.WithInput(in), tea.WithOutput(out), tea.WithEnvironment(environ), tea.WithoutRenderer(), tea.WithoutSignalHandler())
	// A program that its context ends closes its input while it may still be read; one that quits
	// waits for the reader first.
	defer context.AfterFunc(ctx, crash.Guarded(p.Quit))()
	if m, err := terminal.Run(p); err == nil || m != nil {
		if q, ok := m.(question); ok {
			return q.Terminal
		}
	}
	return q.Terminal
}

// A question is a program that asks a terminal.
type question struct {
	Terminal
	images bool // images can be asked for
}

func (q question) Init() tea.Cmd {
	ask := askAttributes
	if q.images {
		ask = askKitty + ask
	}
	late := tea.Tick(askTime, func(time.Time) tea.Msg { return tea.QuitMsg{} })
	return tea.Batch(late, tea.Sequence(tea.RequestBackgroundColor, tea.Raw(ask)))
}

func (q question) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.BackgroundColorMsg:
		q.Dark = msg.IsDark()
	case uv.KittyGraphicsEvent:
		q.Kitty = q.images && bytes.Equal(msg.Payload, []byte("OK"))
	case uv.PrimaryDeviceAttributesEvent:
		return q, tea.Quit
	case tea.KeyPressMsg:
		if msg.String() == "ctrl+c" {
			return q, tea.Interrupt
		}
	}
	return q, nil
}

func (q question) View() tea.View { return tea.View{} }

// Styles returns the styles for the terminal: those of the theme or, with a nil theme, of the one
// for its background.
func (t Terminal) Styles(theme *themes.Theme) *styles.Styles {
	chosen := themes.Light()
	if t.Dark {
		chosen = themes.Dark()
	}
	if theme != nil {
		chosen = *theme
	}
	glyphs := styles.Unicode()
	if t.ASCII {
		glyphs = styles.ASCII()
	}
	return styles.New(chosen.In(t.Depth), glyphs)
}

// Picture draws an image as lines, for a terminal of w columns and h rows. The error is a clause
// that follows "The picture is not drawn:".
func (t Terminal) Picture(data []byte, w, h int) (string, error) {
	w, h = max(min(w-1-len(indent), maxWidth), 1), max(min(h-4, maxPictureRows), 1)
	if t.Kitty {
		if drawn, err := picture.Kitty(data, w, h); err == nil {
			return indent + drawn + "\r\n\r\n", nil
		}
	}
	mode := picture.Blocks
	switch {
	case t.Depth == themes.NoColours:
		mode = picture.Letters
	case t.ASCII:
		mode = picture.Spaces
	}
	p, err := picture.Draw(data, w, h, mode)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	for _, l := range p.Lines {
		b.WriteString(indent + l + "\r\n")
	}
	return b.String() + "\r\n", nil
}
