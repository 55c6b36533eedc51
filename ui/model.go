package ui

import (
	"context"
	"slices"
	"strings"
	"time"

	"charm.land/bubbles/v2/help"
	"charm.land/bubbles/v2/spinner"
	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/a2a/lint"
	"parley/internal/config"
	"parley/internal/history"
	"parley/session/log"
	"parley/session/model"
	"parley/themes"
	"parley/ui/agents"
	"parley/ui/canvas"
	"parley/ui/chat"
	"parley/ui/composer"
	"parley/ui/control"
	"parley/ui/guide"
	"parley/ui/header"
	"parley/ui/keys"
	"parley/ui/layout"
	"parley/ui/menu"
	"parley/ui/palette"
	"parley/ui/styles"
	"parley/ui/terminal"
	"parley/ui/wire"
)

// Options are what the workbench needs from outside.
type Options struct {
	Engine Engine // never nil; a recording has [RecordingEngine]
	Feed   *log.Feed
	Refs   []string // agents to open at the start
	Theme  string   // dark, light, mono, or auto for the terminal's background
	ASCII  bool     // draw with ASCII only
	Name   string   // name of the recording, for the header
	// Rules check the session; nil for a new linter.
	Rules  log.Checker
	Getenv func(string) string
	Now    func() time.Time
	Dir    string // where bodies and files are saved; empty is the working directory
	// Silent turns off the bell for tasks that begin to wait for the user.
	Silent bool
	// Limits are the limits for what agents send.
	Limits a2a.Limits
	// Browse opens an http or https URL, or a file by its absolute path, in another program;
	// nil if the system has none. Its error is a clause.
	Browse func(target string) error
	// History saves messages to agents for later runs; nil saves none.
	History *history.File
	// HistoryProblem is why History cannot be used, nil if it can; Warnings report it.
	HistoryProblem error
	// Unrecorded says that the session is not recorded although nobody asked for that.
	Unrecorded bool
	// Demo starts the agents that come with the program and returns their addresses;
	// nil if it has none. It is called at most once.
	Demo func() ([]string, error)
	// Saved says which agents are remembered between runs.
	Saved SavedAgents
	// Keys are the keys that the user's settings give to actions.
	Keys []config.Keys
	// Warnings are sentences about ignored settings and what cannot be saved, and Notes about
	// where other settings come from. They are shown at the start.
	Warnings, Notes []string
}

// panes are the panes of the workbench.
type panes struct {
	agents   *agents.Pane
	chat     *chat.Pane
	composer *composer.Composer
	wire     *wire.Pane
	palette  *palette.Palette
	menu     *menu.Menu
	guide    *guide.Pane
}

// memos cache the parts of the frame that did not change.
type memos struct {
	agents, talk, wire, body, behind, footer, ground canvas.Memo
}

// screen is the state of the layout and the last frame.
type screen struct {
	w, h    int
	at      control.Focus
	zoom    bool
	split   int
	over    control.SheetName
	under   control.SheetName // what the help lies over
	layout  layout.Layout
	dirty   bool
	frame   tea.View // the last frame
	memo    memos
	noMouse bool
	due     bool // a dueMsg is pending
	late    bool // a catchUpMsg is pending
	skim    skimState
	resized bool // the size has to be asked for when the terminal has caught up
	drag    bool // the mouse drags the border between conversation and wire
}

// ticks are the timers that run while something is pending.
type ticks struct {
	clock bool      // a clockMsg is pending
	spins bool      // a spinner tick is pending
	now   time.Time // of the newest clockMsg: all running times of a frame are those of one moment
}

// Model is the root model.
type Model struct {
	controllers
	ctx         context.Context
	opts        Options
	pace        pace
	probe       terminal.Probe
	header      *header.Header
	state       *model.State
	keys        keyMap
	st          *styles.Styles
	themeAt     string // name of the theme, or auto
	panes       panes
	sheets      []control.Sheet // in the order of the help
	screen      screen
	cur         control.Place
	visits      visits
	notice      notice
	spin        spinner.Model
	help        help.Model
	ticks       ticks
	quit        bool // ctrl+c was pressed once on an empty composer
	keysPressed int  // since the start
	presses     presses
}

// New returns the model of a workbench.
func New(ctx context.Context, o Options) *Model {
	g := styles.Unicode()
	if o.ASCII = o.ASCII || canvas.AmbiguousIsWide(); o.ASCII {
		g = styles.ASCII()
	}
	st := styles.New(startTheme(o), g)
	m := &Model{
		ctx: ctx, opts: o, pace: pace{now: o.Now}, state: model.NewState(), keys: defaultKeys(), st: st, visits: visits{}, themeAt: o.Theme,
		header: header.New(st),
		spin:   spinner.New(spinner.WithSpinner(spinner.Spinner{Frames: st.G.Spinner(), FPS: time.Second / 8})),
		help:   help.New(), ticks: ticks{now: o.Now()},
	}
	m.panes = panes{
		agents: agents.New(st), chat: chat.New(st, o.Now), composer: composer.New(st),
		wire: wire.New(st), palette: palette.New(st),
		menu: menu.New(st), guide: guide.New(st),
	}
	choices := make([]keys.Choice, len(o.Keys))
	for i, c := range o.Keys {
		choices[i] = keys.Choice(c)
	}
	choices = m.remap(keySections(m), choices) // before the controllers, which have copies
	m.controllers = newControllers(m)
	m.sheets = m.allSheets()
	for _, c := range m.remap(sheetSections(m), choices) {
		m.opts.Warnings = append(m.opts.Warnings, c.Unknown())
	}
	m.panes.composer.SetCommands(m.slashes)
	if o.Demo != nil {
		m.panes.chat.OfferDemo()
	}
	if o.Rules == nil {
		o.Rules = lint.New()
	}
	m.state.Check(o.Rules)
	m.panes.wire.SetLog(m.state.Log)
	if m.readOnly() {
		m.panes.wire.SetScope(wire.OfAll)
	}
	m.panes.wire.SetNow(o.Now())
	m.restyle()
	m.setFocus(control.OnComposer)
	if m.readOnly() {
		m.setFocus(control.OnChat)
		m.panes.chat.SetRecording()
	}
	return m
}

// startTheme returns the theme of the first frame: the background of the terminal is still
// unknown.
func startTheme(o Options) themes.Theme {
	if o.Getenv("NO_COLOR") != "" {
		return themes.Mono()
	}
	if t, ok := themes.ByName(o.Theme); ok {
		return t
	}
	return themes.Dark()
}

// Init starts discovery and asks for the first batch.
func (m *Model) Init() tea.Cmd {
	m.agents.OpenAtStart(m.opts.Refs)
	cmds := []tea.Cmd{nextBatch(m.ctx, m.opts.Feed, 0, maxBatch), m.agents.Load()}
	if m.auto() {
		cmds = append(cmds, tea.RequestBackgroundColor)
	}
	cmds = append(cmds, m.history.Load())
	if said := slices.Concat(m.opts.Notes, m.opts.Warnings); len(said) > 0 {
		cmds = append(cmds, m.say(strings.Join(said, " "), len(m.opts.Warnings) > 0))
	}
	if !m.opts.ASCII {
		cmds = append(cmds, terminal.AwaitFirstFrame())
	}
	return tea.Batch(cmds...)
}

// agent returns the agent on the screen, nil if there is none.
func (m *Model) agent() *model.Agent { return m.state.Agent(m.cur.Agent) }

// conversation returns the conversation on the screen, nil before its first
// message.
func (m *Model) conversation() *model.Conversation {
	if m.cur.Conversation == 0 {
		return nil
	}
	return m.state.Conversation(m.cur.Conversation)
}
