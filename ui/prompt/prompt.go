// Package prompt asks the user of a chat in lines for the next message, with the text field
// of the workbench. It has several lines, history, search, commands and secrets. It draws
// the field below what the terminal shows, and leaves only what was entered.
package prompt

import (
	"context"
	"io"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/internal/crash"
	"parley/ui/canvas"
	"parley/ui/composer"
	"parley/ui/styles"
	"parley/ui/terminal"
)

// A Prompt is the text field of a chat. It keeps its history from one question to the next.
type Prompt struct {
	st    *styles.Styles
	field *composer.Composer
	past  *composer.History
}

// New returns a prompt with the messages of earlier runs, the oldest first, and the commands that
// a slash begins.
func New(st *styles.Styles, earlier []string, commands func() []composer.Command) *Prompt {
	p := &Prompt{st: st, field: composer.New(st), past: &composer.History{}}
	p.past.PrependTexts(earlier)
	p.field.SetHistory(p.past)
	p.field.SetCommands(commands)
	p.field.Focus()
	return p
}

// A Question says where the message goes.
type Question struct {
	Label  string // "answer task 91c2 (input-required)"; it may come from the network
	Answer bool   // a task waits for it
	Secret bool   // it is masked while it is typed
}

// A Reply is what the user entered: a message or a command.
type Reply struct {
	Text    string
	Secret  bool
	Command string // without the slash, empty for a message
	Arg     string
}

// Ask reads the next message or command. The error is io.EOF if the user ends the chat.
func (p *Prompt) Ask(ctx context.Context, q Question, in io.Reader, out io.Writer, environ []string) (Reply, error) {
	target := composer.TargetChoice{Kind: composer.TargetNew, Label: q.Label, Secret: q.Secret}
	if q.Answer {
		target.Kind = composer.TargetAnswer
	}
	p.field.SetTargets([]composer.TargetChoice{target}, 0)
	program := terminal.NewProgram(&model{Prompt: p}, tea.WithInput(in), tea.WithOutput(out), tea.WithEnvironment(environ), tea.WithoutSignalHandler())
	// A program that its context ends closes its input while it may still be read; one that quits
	// waits for the reader first.
	defer context.AfterFunc(ctx, crash.Guarded(program.Quit))()
	last, err := terminal.Run(program)
	switch m, ok := last.(*model); {
	case ctx.Err() != nil && (!ok || m.reply == nil):
		return Reply{}, context.Cause(ctx)
	case err != nil:
		return Reply{}, err
	case !ok:
		return Reply{}, io.EOF
	default:
		if _, err := io.WriteString(out, m.leave()); err != nil {
			return Reply{}, err
		}
		if m.reply == nil {
			return Reply{}, io.EOF
		}
		return *m.reply, nil
	}
}

// A model is the program of one question.
type model struct {
	*Prompt
	w, h  int
	high  int    // the rows of the highest frame: a frame that is lower leaves rows of it behind
	said  string // why enter did nothing
	reply *Reply
	over  bool
}

func (m *model) Init() tea.Cmd { return nil }

func (m *model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.w, m.h = msg.Width, msg.Height
	case tea.PasteMsg:
		m.field.Paste(msg.Content)
	case tea.KeyPressMsg:
		return m, m.key(msg)
	}
	return m, nil
}

// key handles a key press.
func (m *model) key(msg tea.KeyPressMsg) tea.Cmd {
	m.said = ""
	switch word := msg.String(); {
	case word == "ctrl+c" && !m.field.Empty():
		m.field.Clear()
		return nil
	case word == "ctrl+c", word == "ctrl+d" && m.field.Empty():
		m.over = true
		return tea.Quit
	}
	switch in := m.field.Key(msg).(type) {
	case composer.Send:
		m.reply = &Reply{Text: in.Draft.Text, Secret: in.Draft.Secret}
	case composer.Run:
		m.reply = &Reply{Command: in.Word, Arg: in.Arg}
	case composer.Refused:
		m.said = in.Why
	}
	if m.reply == nil {
		return nil
	}
	m.over = true
	return tea.Quit
}

// View draws the field, and below it the completions of a command; after the question, what was
// entered.
func (m *model) View() tea.View {
	if m.w < 1 || m.h < 4 { // not known yet, or too small
		return tea.NewView("")
	}
	if m.over {
		rows := m.entered()
		m.high = max(m.high, len(rows)+1)
		return tea.NewView(m.pad(rows))
	}
	m.field.SetSize(m.w, min(m.field.Height(), m.h-1))
	rows := append([]string{}, m.field.Lines()...)
	if m.said != "" {
		rows = append(rows, m.st.Failed.S(canvas.Ellipsize(canvas.SanitizeLine(m.said), m.w, m.st.G[styles.Ellipsis])))
	}
	rows = append(rows, m.field.Popup(m.h-1-len(rows))...)
	v := tea.NewView(m.pad(rows))
	if v.Cursor = m.field.Cursor(); v.Cursor != nil {
		v.Cursor.Blink = false
	}
	return v
}

// pad returns rows as a frame that is no lower than those before.
func (m *model) pad(rows []string) string {
	m.high = max(m.high, len(rows))
	return strings.Join(rows, "\n") + strings.Repeat("\n", m.high-len(rows))
}

// leave returns what moves the cursor from the last row of the last frame below what was entered.
func (m *model) leave() string {
	up := ""
	if n := m.high - 1 - len(m.entered()); n > 0 {
		up = "\x1b[" + strconv.Itoa(n) + "A"
	}
	return "\r" + up + "\x1b[J"
}

// entered draws what the user entered, as it stays on the terminal.
func (m *model) entered() []string {
	if m.reply == nil {
		return nil
	}
	text := m.reply.Text
	switch {
	case m.reply.Command != "":
		text = strings.TrimSpace("/" + m.reply.Command + " " + m.reply.Arg)
	case m.reply.Secret:
		text = strings.Repeat(m.st.G[styles.Bullet], 3)
	}
	var rows []string
	for i, row := range canvas.Wrap(canvas.Sanitize(text), max(m.w-2, 1)) {
		mark := "  "
		if i == 0 {
			mark = m.st.Accent.S(m.st.G[styles.Prompt]) + " "
		}
		rows = append(rows, mark+m.st.User.S(row))
	}
	return rows
}
