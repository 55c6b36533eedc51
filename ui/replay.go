package ui

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"parley/internal/crash"
	"parley/session/journal"
	"parley/session/log"
	"parley/session/replay"
	"parley/ui/control"
)

// A Replay says how a recording can be played.
type Replay struct {
	// Open opens the recording once more. It fails with a clause if it can be read only once.
	Open func() (*journal.Recording, error)
	// Options are those of the player, without the recording, the clock and the lead.
	Options replay.Options
	// Begin is set to play at once; otherwise the whole recording is shown until the user asks.
	Begin bool
}

// A replayScreen is the root model of a recording: a [Model] that shows the records up to a
// position, and the line below it that moves the position.
//
// Going back begins a new Model on a new feed, so that everything on the screen follows from
// exactly the records shown. What the user had chosen (the place, the focus, the filter …) goes
// with him; until the new model has arrived, the last frame of the old one stays.
type replayScreen struct {
	ctx    context.Context
	o      Options
	m      *Model
	leave  context.CancelFunc // ends the commands of m
	player *replay.Player     // nil until the replay begins
	w, h   int

	generation int   // of m
	unplayed   error // why the recording is not played at once; nil if it is, or need not be
	heap       travel
	ticks      bool
	opens      bool
	back       *look  // what m will look like when it has arrived; nil if it has
	held       string // the frame that is shown until then
	marks      []int  // the marked records that m does not show yet, in order

	content, line, joined string // of the last frame
	moves                 bool   // the line is drawn with the next frame, however long the way
}

// The messages of a replay.
type (
	// modelMsg is a message for a model of a generation; others must not see it.
	modelMsg struct {
		generation int
		msg        tea.Msg
	}
	// playMsg is sent when the player may have something to show.
	playMsg struct{}
	// openedMsg is sent when the recording is open.
	openedMsg struct {
		recording *journal.Recording
		err       error
		from      int // the record where the replay begins
	}
)

// newReplayScreen returns the screen of a recording.
func newReplayScreen(ctx context.Context, o Options) *replayScreen {
	r := &replayScreen{ctx: ctx, o: o}
	r.o.Commands = r.commands
	r.o.whole = func() (tea.View, int, int) { return r.View(), r.w, r.h }
	if o.Feed == nil {
		r.o.Feed = log.NewFeed() // stays empty until the recording is open
	}
	if o.Replay.Begin { // the first model is that of the player
		recording, err := o.Replay.Open()
		if r.unplayed = err; err == nil {
			r.makePlayer(recording, 1)
		}
	}
	r.newModel()
	if r.player != nil {
		r.m.setFocus(control.OnPlayer)
	}
	return r
}

// Init starts the model.
func (r *replayScreen) Init() tea.Cmd {
	if r.unplayed != nil {
		return tea.Batch(r.stamp(r.m.Init()), r.failed(r.unplayed))
	}
	return r.stamp(r.m.Init())
}

// begin opens the recording to play it from a record.
func (r *replayScreen) begin(from int) tea.Cmd {
	if r.opens {
		return nil
	}
	r.opens = true
	open := r.o.Replay.Open
	return func() tea.Msg {
		recording, err := open()
		return openedMsg{recording, err, from}
	}
}

// opened plays the recording, which is open.
func (r *replayScreen) opened(msg openedMsg) tea.Cmd {
	r.opens = false
	if msg.err != nil {
		return r.failed(msg.err)
	}
	r.makePlayer(msg.recording, msg.from)
	cmd := r.renew()
	r.m.setFocus(control.OnPlayer)
	if r.back != nil {
		r.back.focus = control.OnPlayer
	}
	return cmd
}

// failed says that the recording did not open.
func (r *replayScreen) failed(err error) tea.Cmd {
	return r.stamp(r.m.say("This recording cannot be played: "+err.Error()+".", true))
}

// makePlayer makes the player, at a record.
func (r *replayScreen) makePlayer(recording *journal.Recording, from int) {
	o := r.o.Replay.Options
	o.Recording, o.Now, o.Ahead = recording, r.o.Now, Lead
	o.Ready = r.o.firstFrame
	if !r.o.Replay.Begin {
		o.Step = false
	}
	r.player = replay.New(r.ctx, o)
	context.AfterFunc(r.ctx, func() {
		defer crash.Guard()
		recording.Close()
	})
	r.player.Seek(from)
}

// Update handles a message.
func (r *replayScreen) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	cmd := r.dispatch(msg)
	return r, tea.Batch(cmd, r.arrive(), r.heap.follow(r), r.tick())
}

func (r *replayScreen) dispatch(msg tea.Msg) tea.Cmd {
	if _, records := msg.(modelMsg); !records {
		r.moves = true
	}
	switch msg := msg.(type) {
	case modelMsg:
		if msg.generation != r.generation {
			return nil
		}
		return r.pass(msg.msg)
	case playMsg:
		r.ticks = false
		r.play()
		return nil
	case openedMsg:
		return r.opened(msg)
	case playerMsg:
		if r.player == nil {
			return r.begin(r.cursor())
		}
		return r.onIntent(msg.in)
	case tea.WindowSizeMsg:
		r.w, r.h, r.held = msg.Width, msg.Height, ""
		return r.resize()
	case tea.KeyPressMsg:
		return r.key(msg)
	case tea.PasteMsg:
		if p := r.m.panes.player; p.Typing() {
			p.Paste(msg.Content)
			return nil
		}
	case tea.MouseMsg:
		moved, ok := footRows{r.m, r.rows()}.mouse(msg)
		if ok {
			return r.pass(moved)
		}
		if _, click := msg.(tea.MouseClickMsg); !click {
			return nil
		}
		r.m.setFocus(control.OnPlayer)
		return r.onIntent(r.m.panes.player.Click(msg.Mouse().X))
	}
	return r.pass(msg)
}

// pass gives a message to the model.
func (r *replayScreen) pass(msg tea.Msg) tea.Cmd {
	_, cmd := r.m.Update(msg)
	return r.stamp(cmd)
}

// stamp makes the messages of a command of the model come back to this generation alone. Those of
// Bubble Tea and of the terminal are for all.
func (r *replayScreen) stamp(cmd tea.Cmd) tea.Cmd {
	if cmd == nil {
		return nil
	}
	generation := r.generation
	return func() tea.Msg { return stamped(cmd(), generation) }
}

func stamped(msg tea.Msg, generation int) tea.Msg {
	switch msg := msg.(type) {
	case tea.BatchMsg:
		for i, cmd := range msg {
			if cmd != nil {
				msg[i] = func() tea.Msg { return stamped(cmd(), generation) }
			}
		}
		return msg
	case batchMsg, feedClosedMsg, renderedMsg, workedMsg, dueMsg, clockMsg, noticeTimeMsg, skimmedMsg, catchUpMsg, control.DoneMsg, control.EditedMsg:
		return modelMsg{generation, msg}
	default:
		return msg
	}
}

// rows returns how many rows the line of the replay has.
func (r *replayScreen) rows() int {
	const least = 4 // lower screens show the panes alone
	if r.player == nil || r.h < least {
		return 0
	}
	return 1
}

// resize gives the model the screen without the line.
func (r *replayScreen) resize() tea.Cmd {
	r.m.panes.player.SetWidth(r.w)
	return r.pass(tea.WindowSizeMsg{Width: r.w, Height: r.h - r.rows()})
}
