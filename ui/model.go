package ui

import (
	"context"
	"os/exec"
	"slices"
	"strings"
	"time"

	"charm.land/bubbles/v2/help"
	"charm.land/bubbles/v2/spinner"
	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/internal/catalogs"
	"parley/internal/config"
	"parley/internal/doctor"
	"parley/internal/history"
	"parley/internal/signature"
	"parley/internal/trust"
	"parley/session/annotation"
	"parley/session/chain"
	"parley/session/check"
	"parley/session/export"
	"parley/session/log"
	"parley/session/model"
	"parley/session/replay"
	"parley/ui/agents"
	"parley/ui/canvas"
	"parley/ui/chat"
	"parley/ui/composer"
	"parley/ui/control"
	"parley/ui/guide"
	"parley/ui/header"
	"parley/ui/layout"
	"parley/ui/menu"
	"parley/ui/palette"
	"parley/ui/player"
	"parley/ui/styles"
	"parley/ui/terminal"
	"parley/ui/wire"
)

// Options are what the workbench needs from outside.
type Options struct {
	Engine Engine // never nil; a recording has [RecordingEngine]
	Feed   *log.Feed
	Refs   []string // agents to open at the start
	// Secrets are those of the session, which no row shows; nil for a recording.
	Secrets *a2a.Secrets
	// Theme says which theme is used, and where another choice is saved.
	Theme Theme
	ASCII bool // draw with ASCII only
	// Present begins in presenter mode.
	Present bool
	Name    string // name of the recording, for the header
	// Back names where the user is after a recording, empty for the shell.
	Back string
	// Stage prepares the items of Feed that nobody has prepared; nil for a new one.
	Stage  *check.Stage
	Getenv func(string) string
	Now    func() time.Time
	Dir    string // where bodies and files are saved; empty is the working directory
	// TempDir is where texts for the user's editor are written; empty is the system's folder for
	// temporary files.
	TempDir string
	// Formats are those of exports; nil are those without a screen.
	Formats []export.Format
	// Started is called when the first frame of a recording is on the terminal; it may be nil.
	Started func()
	// Silent turns off the bell for tasks that begin to wait for the user.
	Silent bool
	// NoMotion draws no spinner, and does not light what came just now.
	NoMotion bool
	// Limits are the limits for what agents send.
	Limits a2a.Limits
	// CardKeys are the keys that the user trusts to sign cards; nil for none.
	CardKeys *signature.Keys
	// TrustKeys is called when the user trusts other keys than CardKeys; nil if nobody asks.
	TrustKeys func(*signature.Keys)
	// SavedCards returns the saved agents with what was seen of their cards, to compare catalogs
	// with them. It reads files. Nil compares with none.
	SavedCards func() []catalogs.Saved
	// Doctor examines the way to agents, and this machine; nil if nobody does.
	Doctor doctor.Doctor
	// Taps are the taps of the session; nil if there can be none.
	Taps Taps
	// Approved holds the cards that the user has approved; nil compares cards with none.
	Approved *trust.File
	// Browse opens an http or https URL, or a file by its absolute path, in another program;
	// nil if the system has none. Its error is a clause.
	Browse func(target string) error
	// SignIn signs in to agents and keeps who the user is; nil if nobody can sign in. It is used
	// outside of Update.
	SignIn SignIn
	// History saves messages to agents for later runs; nil saves none.
	History *history.File
	// HistoryProblem is why History cannot be used, nil if it can; Warnings report it.
	HistoryProblem error
	// Replay says how the recording can be played, nil if it cannot.
	Replay *Replay
	// Commands returns finder commands beside those of the model; nil if there are none.
	Commands func() []control.Command
	// Player plays the recording that is shown; nil shows all of it, or a live session.
	Player *replay.Player
	// Paced reports whether the frames of a recording come as those of a live session, and not as
	// rarely as while one is read; nil if they never do.
	Paced func() bool
	// Session is the time in the session: that of the newest record if a recording is played,
	// otherwise the user's.
	Session func() time.Time
	// Dropped says what of the recording could not be read, empty if nothing.
	Dropped string
	// Unrecorded says that the session is not recorded although nobody asked for that.
	Unrecorded bool
	// Recorded says that the session is recorded, so that who quits finds it again, and Size returns how many
	// bytes its file has; nil if that is unknown.
	Recorded bool
	Size     func() int64
	// Demo starts the agents that come with the program and returns their addresses;
	// nil if it has none. It is called at most once.
	Demo func() ([]string, error)
	// Tour returns the program that plays the tour on the terminal; nil if none can.
	Tour func() *exec.Cmd
	// Resume says how the recording on the screen can go on, or which session is offered.
	Resume Resume
	// Saved says which agents are remembered between runs.
	Saved SavedAgents
	// Start says what the start screen shows, and whether it is shown.
	Start Start
	// Annotations are the marks and comments on the session's records; nil saves none.
	Annotations *annotation.File
	// Sessions says which recorded sessions can be browsed.
	Sessions RecordedSessions
	// Settings say what is set, and where.
	Settings Settings
	// Keys are the keys that the user's settings give to actions.
	Keys []config.Keys
	// Warnings are sentences about ignored settings and what cannot be saved, and Notes about
	// where other settings come from. They are shown at the start.
	Warnings, Notes []string
	// Play says which script is played; its zero value plays none.
	Play Play

	// whole returns the whole screen and its size; nil if the model fills it.
	whole func() (v tea.View, w, h int)
	// firstFrame is closed when the first frame is on the terminal; nil if there is none.
	firstFrame <-chan struct{}
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
	player   *player.Pane
}

// memos cache the parts of the frame that did not change.
type memos struct {
	agents, talk, second, wire, body, behind, footer, ground canvas.Memo
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
	box     layout.Box // of the open sheet
	dirty   bool
	frame   tea.View // the last frame
	memo    memos
	hints   hints // of the last frame
	noMouse bool
	led     control.Place // where a recording led: it leads on if the user is still there
	due     bool          // a dueMsg is pending
	jobs    int           // that run in the background
	late    bool          // a catchUpMsg is pending
	skim    skimState
	resized bool // the size has to be asked for when the terminal has caught up
	drag    bool // the mouse drags the border between conversation and wire
}

// ticks are the timers that run while something is pending.
type ticks struct {
	due  time.Time          // of the pending clockMsg, zero if none is
	stop context.CancelFunc // of the pending clockMsg
	busy bool               // something works, as of the last frame
	now  time.Time          // of the newest clockMsg: all running times of a frame are those of one moment
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
	keys        tables
	st          *styles.Styles
	panes       panes
	sheets      []control.Sheet // in the order of the help
	screen      screen
	cur         control.Place
	visits      visits
	notices     notices
	motion      motion
	help        help.Model
	ticks       ticks
	quit        bool // ctrl+c was pressed once on an empty composer
	keysPressed int  // since the start
	presses     presses
	unusable    []string // what is wrong with the keys of the user's settings, in sentences
}

// New returns the model of a workbench.
func New(ctx context.Context, o Options) *Model {
	if o.Formats == nil {
		o.Formats = export.Formats()
	}
	if o.Stage == nil {
		o.Stage = check.New(chain.NewChecker())
	}
	g := styles.Unicode()
	if o.ASCII = o.ASCII || canvas.AmbiguousIsWide(); o.ASCII {
		g = styles.ASCII()
	}
	st := styles.New(o.Theme.First(depthAtStart(o.Getenv)), g)
	m := &Model{
		ctx: ctx, opts: o, pace: pace{now: o.Now}, state: model.NewState(), st: st, visits: visits{},
		header: header.New(st),
		help:   help.New(), ticks: ticks{now: o.Now()},
	}
	m.addPanes()
	m.motion = motion{off: o.NoMotion, spin: spinner.New(), now: m.opts.Session, log: m.state.Log}
	m.controllers = newControllers(ctx, m)
	m.sheets = m.allSheets()
	m.keys = newTables(m)
	m.remap()
	m.warnOfKeys()
	m.panes.chat.NameKeys(m.keys.Key, m.panes.composer.Of(composer.SendMessage))
	if !m.readOnly() {
		m.panes.wire.NameKeys(m.keys.Key, m.panes.composer.Of(composer.SendMessage))
	}
	m.panes.composer.SetCommands(m.slashes)
	if o.Demo != nil {
		m.panes.chat.OfferDemo()
	}
	m.state.Follow(m.opts.Stage)
	m.panes.wire.SetLog(m.state.Log)
	if m.readOnly() {
		m.panes.wire.SetScope(wire.OfAll)
	}
	m.panes.wire.SetNow(o.Now())
	m.panes.wire.SetNewChunk(m.motion.isNewChunk)
	m.panes.chat.SetNewChunk(m.motion.isNewChunk)
	m.restyle()
	m.setFocus(control.OnComposer)
	if m.readOnly() {
		m.setFocus(control.OnChat)
		m.panes.chat.SetRecording(true)
		m.panes.agents.SetRecording(true)
	}
	if o.Present {
		m.present.Begin()
	}
	return m
}

// addPanes makes the panes, and the clock of the session: that of a recording stands while it is not
// played.
func (m *Model) addPanes() {
	st, o := m.st, &m.opts
	m.panes = panes{
		agents: agents.New(st), chat: chat.New(st, o.Now), composer: composer.New(st),
		wire: wire.New(st), palette: palette.New(st),
		menu: menu.New(st), guide: guide.New(st), player: player.New(st),
	}
	m.panes.chat.SetTimes(func(id a2a.RecordID) time.Time { return m.state.Log.TimeOf(id) })
	o.Session = o.Now
	if o.Player != nil {
		o.Session = func() time.Time { return recorded(m.state, o.Now()) }
		m.panes.chat.SetSession(o.Session)
	}
}

// Init starts discovery and asks for the first batch.
func (m *Model) Init() tea.Cmd {
	m.agents.OpenAtStart(m.opts.Refs)
	cmds := []tea.Cmd{nextBatch(m.ctx, &m.opts, 0, maxBatch), m.agents.Load(), m.start.Load()}
	if m.theme.Auto() {
		cmds = append(cmds, tea.RequestBackgroundColor)
	}
	for _, load := range []tea.Cmd{m.sessions.Load(), m.annotations.Load(), m.history.Load(), m.theme.Load()} {
		cmds = append(cmds, m.pace.afterStart(m.ctx, load)) // the first frame does without it
	}
	if said := slices.Concat(m.opts.Notes, m.opts.Warnings); len(said) > 0 {
		cmds = append(cmds, m.say(strings.Join(said, " "), len(m.opts.Warnings) > 0))
	}
	if !m.opts.Play.Quits { // else nobody sees the screen, and nobody answers
		cmds = append(cmds, m.probe.Begin(m.opts.ASCII))
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
