package ui

import (
	"context"
	"slices"
	"strings"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/session/journal"
	"parley/session/log"
	"parley/session/replay"
	"parley/ui/control"
	"parley/ui/player"
	"parley/ui/sheet"
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

const (
	// playFrame is the least time between two looks at the clock of a player, playPause the most:
	// the line below the panes moves as often.
	playFrame = frame
	playPause = 100 * time.Millisecond
	// farAway is how many records the screen may be behind a player before the player waits.
	farAway = maxBatch
)

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

	generation int // of m
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
	r.newModel()
	return r
}

// newModel begins a model on the feed of the player, or of the options if there is none.
func (r *replayScreen) newModel() {
	ctx, cancel := context.WithCancel(r.ctx)
	o := r.o
	if r.player != nil {
		o.Player, o.Feed = r.player, r.player.Feed()
		o.Paced = func() bool { return r.back == nil && r.player.Position()-r.m.state.Log.Len() <= farAway }
		o.Warnings, o.Notes = nil, nil
	}
	r.m, r.leave = New(ctx, o), cancel
	r.generation++
}

// Init starts the model, and opens the recording if it is to be played at once.
func (r *replayScreen) Init() tea.Cmd {
	cmds := []tea.Cmd{r.stamp(r.m.Init())}
	if r.o.Replay.Begin {
		cmds = append(cmds, r.begin(1))
	}
	return tea.Batch(cmds...)
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
		return r.stamp(r.m.say("This recording cannot be played: "+msg.err.Error()+".", true))
	}
	o := r.o.Replay.Options
	o.Recording, o.Now, o.Ahead = msg.recording, r.o.Now, Lead
	if !r.o.Replay.Begin {
		o.Step = false
	}
	r.player = replay.New(r.ctx, o)
	context.AfterFunc(r.ctx, func() { msg.recording.Close() })
	r.player.Seek(msg.from)
	cmd := r.renew()
	r.m.setFocus(control.OnPlayer)
	if r.back != nil {
		r.back.focus = control.OnPlayer
	}
	return cmd
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
		if at := msg.Mouse(); r.rows() > 0 && at.Y == r.h-1 {
			if _, click := msg.(tea.MouseClickMsg); !click {
				return nil
			}
			r.m.setFocus(control.OnPlayer)
			return r.onIntent(r.m.panes.player.Click(at.X))
		}
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
	case batchMsg, feedClosedMsg, renderedMsg, workedMsg, dueMsg, clockMsg, noticeOverMsg, skimmedMsg, catchUpMsg, control.DoneMsg, control.EditedMsg:
		return modelMsg{generation, msg}
	default:
		return msg
	}
}

// rows returns how many rows the line below the panes has.
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

// key handles a key press: the line has it before the panes, unless they take text.
func (r *replayScreen) key(msg tea.KeyPressMsg) tea.Cmd {
	m := r.m
	if p := m.panes.player; m.screen.over == noOverlay && !m.typing() && !m.presses.prefix {
		in, done := p.Key(msg)
		switch {
		case r.player == nil && in == (player.Play{}):
			return r.begin(r.cursor())
		case r.player == nil:
			if p.Typing() { // nothing is played yet
				p.Key(tea.KeyPressMsg{Code: tea.KeyEscape})
			}
		case done:
			m.quit = false
			m.touch() // the footer may name other keys
			return r.onIntent(in)
		case r.back != nil:
			if !key.Matches(msg, m.keys.Quit, m.keys.Suspend, m.keys.Leave) {
				return nil // nothing of the model is on the screen
			}
		}
	}
	return r.pass(msg)
}

// cursor returns the record under the cursor of the wire.
func (r *replayScreen) cursor() int { return max(1, int(r.m.panes.wire.Selected())) }

// onIntent carries out an intent of the line.
func (r *replayScreen) onIntent(in player.Intent) tea.Cmd {
	p, restarted := r.player, false
	switch in := in.(type) {
	case player.Play:
		if p.Playing() {
			p.Pause()
		} else {
			restarted = p.Play()
		}
	case player.Step:
		restarted = p.Step(in.N)
	case player.Speed:
		if in.Dir < 0 {
			p.Slower()
		} else {
			p.Faster()
		}
	case player.Skip:
		at, _ := p.Since()
		restarted = p.SeekTime(at + in.By)
	case player.GoToPart:
		restarted = p.SeekPart(in.Part)
	case player.Stop:
		p.Stop()
	case player.Ask:
		r.m.panes.player.Ask()
		r.m.touch()
	case player.Mark:
		r.m.panes.wire.Mark(a2a.RecordID(r.m.state.Log.Len()))
		r.m.touch()
	case player.GoTo:
		goal, err := replay.Parse(in.Text)
		if err == nil {
			restarted, err = p.Go(goal, r.allMarks(), r.o.Now().Location())
		}
		if err != nil {
			return r.stamp(r.m.say(sheet.Sentence(err.Error()), true))
		}
	}
	if restarted {
		return r.renew()
	}
	return nil
}

// play shows what is due. While the screen is far behind, no time passes.
func (r *replayScreen) play() {
	if r.player != nil && r.far() {
		r.player.Wait()
	} else if r.player != nil {
		r.player.Tick()
	}
}

// far reports whether the screen is far from the player's position.
func (r *replayScreen) far() bool {
	return r.back != nil || r.player.Position()-r.m.state.Log.Len() > farAway
}

// tick looks at the clock again when the next record is due, if time passes or something is read.
func (r *replayScreen) tick() tea.Cmd {
	if r.ticks || r.player == nil {
		return nil
	}
	behind := r.m.state.Log.Len() < r.player.Position()
	if !r.player.Playing() && r.player.Checked() == 1 && !behind {
		return nil
	}
	wait := playPause
	if r.player.Playing() && !r.far() {
		due, _ := r.player.Tick()
		wait = max(playFrame, min(due, playPause))
	}
	r.ticks = true
	return tea.Tick(wait, func(time.Time) tea.Msg { return playMsg{} })
}

// renew begins a new model on the player's new feed, and keeps the frame until it has arrived.
func (r *replayScreen) renew() tea.Cmd {
	if r.back == nil {
		marks := r.allMarks()
		r.back, r.held, r.marks = lookOf(r.m), r.m.View().Content, marks
	}
	if strings.Count(r.held, "\n")+1 != r.h-r.rows() {
		r.held = "" // it has another size
	}
	old := r.m
	r.leave()
	r.newModel()
	r.back.begin(r.m, old)
	first := nextBatch(r.m.ctx, r.m.opts.Feed, 0, maxBatch)
	return tea.Batch(r.stamp(first), r.stamp(r.m.annotations.Load()), r.resize())
}

// allMarks returns the marks of the model, and those of records that it does not show yet.
func (r *replayScreen) allMarks() []int {
	if r.back != nil {
		return r.marks
	}
	shown := r.m.state.Log.Len()
	all := slices.DeleteFunc(slices.Clone(r.marks), func(id int) bool { return id <= shown })
	for id := range r.m.panes.wire.Marks() {
		all = append(all, int(id))
	}
	if file := r.o.Annotations; file != nil && file.Known() != nil { // those of earlier runs
		for _, id := range file.Known().Marks() {
			if int(id) > shown {
				all = append(all, int(id))
			}
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// arrive completes a seek that has reached its position: the screen looks as before. It also marks
// the records that the user marked when they were shown earlier.
func (r *replayScreen) arrive() tea.Cmd {
	if r.player == nil {
		return nil
	}
	var cmd tea.Cmd
	shown := r.m.state.Log.Len()
	if r.back != nil {
		if shown < r.player.Position() {
			return nil
		}
		r.back.end(r.m)
		r.back, r.held = nil, ""
		r.m.screen.skim = skimIdle
		r.m.touch()
		cmd = r.m.settle()
	}
	for len(r.marks) > 0 && r.marks[0] <= shown {
		if id := a2a.RecordID(r.marks[0]); !r.m.panes.wire.Marked(id) {
			r.m.panes.wire.Mark(id)
		}
		r.marks = r.marks[1:]
		r.m.touch()
	}
	return r.stamp(cmd)
}
