package ui

import (
	"context"
	"fmt"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"parley/a2a"
	"parley/a2a/grpc"
	"parley/internal/panetest"
	"parley/session/journal"
	"parley/session/log"
)

// Records of testdata/booking.jsonl at which the screen changes: the demo's booking, with its
// three suggestions taken by enter.
const (
	allFound  = 28 // the four cards have arrived
	asksWhere = 34 // the first question
	asksDates = 39 // the second question
	midStream = 100
	allBooked = 130
)

// A desk is a root model and its user, in a bubble of testing/synctest: commands run as in a
// program, time passes only in [desk.wait], and nothing depends on the machine.
type desk struct {
	t      testing.TB
	root   tea.Model
	shown  func() *Model
	model  *Model      // the one that is shown now
	engine *fakeEngine // nil for a recording
	feed   *log.Feed
	clock  time.Time // the model's time at began
	began  time.Time
	msgs   chan tea.Msg
	// outside are the types of the messages for the program and the terminal: clipboard, quit,
	// suspend, editor.
	outside   []string
	copied    string // the last text copied to the clipboard
	frames    int    // composed frames
	batches   int
	items     []log.Item // items of the recording
	fed       int
	challenge string // WWW-Authenticate of the answer that refuses a message
	meanwhile func() // what the user does between that message and the answer; nil for nothing
}

// bubble runs test with a desk with a screen of w×h cells.
func bubble(t *testing.T, w, h int, o Options, test func(d *desk)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		d := newDesk(t, o)
		d.send(tea.WindowSizeMsg{Width: w, Height: h})
		test(d)
	})
}

// newDesk must be called in a bubble.
func newDesk(t testing.TB, o Options) *desk {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	t.Cleanup(func() {
		cancel()
		time.Sleep(time.Minute) // every timer ends in the bubble
	})
	d := &desk{t: t, feed: log.NewFeed(), msgs: make(chan tea.Msg, 1<<10), began: time.Now()}
	d.clock = time.Date(2026, 11, 20, 11, 19, 6, 0, time.UTC)
	if o.Engine == nil {
		o.Engine = RecordingEngine()
	}
	if o.Name == "" {
		d.engine = &fakeEngine{}
		o.Engine = d.engine
	}
	if o.Theme.Name == "" {
		o.Theme.Name = "dark"
	}
	o.Feed, o.Dir = d.feed, t.TempDir()
	if o.TempDir == "" {
		o.TempDir = filepath.Dir(o.Dir) // which ends with the test: drafts of editors that are not started stay
	}
	o.Now = func() time.Time { return d.clock.Add(time.Since(d.began)) }
	if o.Getenv == nil {
		o.Getenv = func(string) string { return "" }
	}
	d.root, d.shown = start(ctx, o)
	d.model = d.shown()
	d.run(d.root.Init())
	d.settle()
	return d
}

// run starts a command as a program does.
func (d *desk) run(cmd tea.Cmd) {
	if cmd != nil {
		go func() { d.msgs <- cmd() }()
	}
}

// settle handles messages until all that remain wait for time.
func (d *desk) settle() {
	for {
		synctest.Wait()
		select {
		case msg := <-d.msgs:
			d.take(msg)
		default:
			return
		}
	}
}

// take handles a message as a program does.
func (d *desk) take(msg tea.Msg) {
	switch msg := msg.(type) {
	case nil:
		return
	case tea.BatchMsg:
		for _, cmd := range msg {
			d.run(cmd)
		}
		return
	case modelMsg:
		if batch, ok := msg.msg.(batchMsg); ok && batch.began.IsZero() {
			d.batches++
		}
	case batchMsg:
		if msg.began.IsZero() { // not the rest of one
			d.batches++
		}
	}
	if cmds := reflect.ValueOf(msg); cmds.Kind() == reflect.Slice && cmds.Type().Elem() == reflect.TypeFor[tea.Cmd]() {
		for i := range cmds.Len() { // a sequence, whose type is not exported
			d.take(cmds.Index(i).Interface().(tea.Cmd)())
		}
		return
	}
	if name := reflect.TypeOf(msg).String(); strings.HasPrefix(name, "tea.") && !strings.HasPrefix(name, "tea.WindowSize") {
		if raw, ok := msg.(tea.RawMsg); ok && raw.Msg == "\a" {
			name = "bell"
		}
		if name == "tea.setClipboardMsg" {
			d.copied = fmt.Sprint(msg)
		}
		d.outside = append(d.outside, name)
	}
	d.update(msg)
}

// update passes a message to the root.
func (d *desk) update(msg tea.Msg) {
	_, cmd := d.root.Update(msg)
	if m := d.shown(); m != d.model { // tests may read it from another goroutine
		d.model = m
	}
	d.run(cmd)
	d.draw()
}

// draw calls View, as a program does after every message.
func (d *desk) draw() {
	if d.model.screen.dirty {
		d.frames++
	}
	d.root.View()
}

// send handles a message from the terminal and everything that follows at once.
func (d *desk) send(msg tea.Msg) {
	d.update(msg)
	d.settle()
}

// wait lets time pass.
func (d *desk) wait(dur time.Duration) {
	over := time.NewTimer(dur)
	defer over.Stop()
	for {
		select {
		case msg := <-d.msgs:
			d.take(msg)
		case <-over.C:
			d.settle()
			return
		}
	}
}

// press presses keys by the names that bindings have.
func (d *desk) press(names ...string) {
	d.t.Helper()
	for _, name := range names {
		d.send(panetest.Key(name))
	}
}

// write types text, a character at a time.
func (d *desk) write(text string) {
	for _, r := range text {
		d.send(tea.KeyPressMsg{Code: r, Text: string(r)})
	}
}

// replay reads a recording, whose records [desk.upTo] applies.
func (d *desk) replay(name string) {
	d.t.Helper()
	d.items, d.fed = recording(d.t, name), 0
}

// upTo applies the records up to a number as one batch, and sets the clock to the time of the
// last.
func (d *desk) upTo(id a2a.RecordID) {
	d.t.Helper()
	var batch []log.Item
	for ; d.fed < len(d.items) && d.items[d.fed].Record.ID <= id; d.fed++ {
		batch = append(batch, d.items[d.fed])
	}
	if len(batch) == 0 {
		d.t.Fatalf("no records are left up to record %d", id)
	}
	d.clock = batch[len(batch)-1].Record.Time.Add(-time.Since(d.began))
	d.send(batchMsg{Items: batch})
	d.wait(100 * time.Millisecond) // for text that is held back
}

// book plays the booking up to a record and sends the user's messages.
func (d *desk) book(upTo a2a.RecordID) {
	d.t.Helper()
	d.replay("booking.jsonl")
	d.upTo(allFound)
	for _, until := range []a2a.RecordID{asksWhere, asksDates, allBooked} {
		if d.fed >= int(upTo) {
			return
		}
		if d.engine != nil {
			d.press("enter")
		}
		d.upTo(min(until, upTo))
	}
}

// recordings are the items of the recordings that were read, by name.
var recordings sync.Map

// recording returns the items of a recording as `parley open` reads them. It is read once. The
// items share what they point to, but for the cards, which tests change.
func recording(t testing.TB, name string) []log.Item {
	t.Helper()
	known, ok := recordings.Load(name)
	if !ok {
		known, _ = recordings.LoadOrStore(name, readRecording(t, name))
	}
	items := slices.Clone(known.([]log.Item))
	for i := range items {
		u := &items[i].Update
		if !slices.ContainsFunc(u.Events, func(e a2a.Event) bool { return e.Card != nil }) {
			continue
		}
		u.Events = slices.Clone(u.Events)
		for j := range u.Events {
			if e := &u.Events[j]; e.Card != nil {
				card := *e.Card
				card.Interfaces, card.Capabilities.Extensions = slices.Clip(card.Interfaces), slices.Clip(card.Capabilities.Extensions)
				e.Card = &card
			}
		}
	}
	return items
}

func readRecording(t testing.TB, name string) []log.Item {
	t.Helper()
	feed := log.NewFeed()
	recorded, err := journal.Open(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	recorded.Render(map[a2a.Binding]a2a.Format{a2a.BindingGRPC: grpc.NewFormat()})
	recorded.Replay(context.Background(), feed, journal.Unpaced)
	items, err := feed.Next(context.Background(), 0)
	if err != nil {
		t.Fatal(err)
	}
	return items
}

// rows returns the frame and fails unless it has exactly the size of the screen.
func (d *desk) rows() []string {
	d.t.Helper()
	rows, h := strings.Split(d.root.View().Content, "\n"), d.model.screen.h
	if r, ok := d.root.(*replayScreen); ok {
		h += r.rows()
	}
	if s, ok := d.root.(*playScreen); ok {
		h += s.rows
	}
	panetest.Exact(d.t, rows, d.model.screen.w, h)
	return rows
}

// says fails unless the notice has all these words and shows each of them, perhaps in several rows. Long
// ones may be broken there.
func (d *desk) says(words ...string) {
	d.t.Helper()
	panetest.Sees(d.t, d.model.notices.shown.text, words...)
	const long = 24
	for _, word := range strings.Fields(strings.Join(words, " ")) {
		if len(word) < long {
			d.sees(word)
		}
	}
}

// text returns the frame as text.
func (d *desk) text() string {
	d.t.Helper()
	return panetest.Text(d.rows())
}

// sees fails unless the frame has all these words, in one row or in several of the open sheet.
func (d *desk) sees(words ...string) {
	d.t.Helper()
	panetest.Sees(d.t, d.text()+"\n"+unwrapped(d.model, d.root.View().Content), words...)
}

// unwrapped returns the words of the sheet that is open in a frame, in one row.
func unwrapped(m *Model, frame string) string {
	if m.sheet() == nil {
		return ""
	}
	rows, box := strings.Split(frame, "\n"), m.overlayBox()
	var words []string
	for _, row := range rows[box.Y:min(len(rows), box.Y+box.H)] {
		words = append(words, strings.Fields(ansi.Cut(ansi.Strip(row), box.X+1, box.X+box.W-1))...)
	}
	return strings.Join(words, " ")
}
