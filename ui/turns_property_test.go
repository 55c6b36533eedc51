package ui

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"parley/a2a"
	"parley/internal/panetest"
	"parley/session/engine"
	"parley/session/journal"
	"parley/session/log"
	"parley/session/model"
)

// The fields of a plan.
const (
	planSpeaks = iota
	planCard
	planClosed
	planStream
	planPins
	planHop
	planHopWhen
	planReplicas
	planRestart
	planAnswer
	planEnd
	planSubscribe
	planAsks
	planWork
	planUser
	planFields
)

// turnsWords has the words of each field; the first one is the default, of which nothing is said.
var turnsWords = [planFields]struct {
	words []string
}{
	planSpeaks: {[]string{"speaks-1.0", "speaks-0.3", "speaks-rest", "speaks-0.1"}},
	planCard:   {[]string{"honest-card", "card-says-1.0", "card-says-0.3", "card-names-operation"}},
	planClosed: {[]string{"open", "one-closed", "two-closed", "last-closed", "all-closed", "first-missing", "first-elsewhere"}},
	planStream: {[]string{"streams", "plain", "refuses-stream"}},
	planPins:   {[]string{"unpinned", "pins-dialect", "pins-all", "pins-another"}},
	planHop: {[]string{
		"no-hop", "drops-version", "502-before", "503-before", "504-before", "503-pause", "502-after", "503-after", "504-after",
		"307-here", "308-elsewhere", "closes-before", "closes-head", "closes-later", "401-", "429-pause", "413-",
		"500-after", "408-after", "200-before", "200-after", "404-before", "400-before", "501-before", "301-here", "closes-late", "202-after",
		"503-pause-after",
	}},
	planHopWhen:   {[]string{"hop-once", "hop-always", "hop-looks"}},
	planReplicas:  {[]string{"one-replica", "two-replicas"}},
	planRestart:   {[]string{"stays", "restarts-1", "restarts-2", "restarts-3", "restarts-4"}},
	planAnswer:    {[]string{"task", "message", "null", "empty", "error", "invalid", "fails"}},
	planEnd:       {[]string{"closes", "stays-open", "endless", "two-finals", "cut", "ends-early", "breaks-after"}},
	planSubscribe: {[]string{"subscribes", "silent-subscription", "no-subscription", "torn-subscription"}},
	planAsks:      {[]string{"works", "asks", "asks-on"}},
	planWork:      {[]string{"at-once", "a-second", "long"}},
	planUser:      {[]string{"waits", "queues-two", "stops", "stops-late", "enters-again", "writes-again"}},
}

// A turnsPlan is what happens in one trial.
type turnsPlan [planFields]uint8

// is reports whether a word holds.
func (p turnsPlan) is(word string) bool {
	for f, of := range turnsWords {
		if i := slices.Index(of.words, word); i >= 0 {
			return int(p[f]) == i
		}
	}
	panic("no plan has the word " + word)
}

// String returns the words that are not the default.
func (p turnsPlan) String() string {
	var words []string
	for f, i := range p {
		if i > 0 {
			words = append(words, turnsWords[f].words[i])
		}
	}
	return strings.Join(words, " ")
}

// planOf returns the plan of words.
func planOf(words string) (p turnsPlan) {
	for word := range strings.FieldsSeq(words) {
		known := false
		for f, of := range turnsWords {
			if i := slices.Index(of.words, word); i >= 0 {
				p[f], known = uint8(i), true
			}
		}
		if !known {
			panic("no plan has the word " + word)
		}
	}
	return p
}

// planFrom makes a plan of any bytes.
func planFrom(b []byte) (p turnsPlan) {
	for f := range p {
		if f < len(b) {
			p[f] = b[f] % uint8(len(turnsWords[f].words))
		}
	}
	return p
}

// turnsSeeds are plans for what went wrong once, or with agents of others.
var turnsSeeds = []struct{ name, plan string }{
	{"all is well", ""},
	{"E1: the first interface is closed", "one-closed"},
	{"E2: a stream stays open after a fallback", "speaks-0.1 card-says-1.0 stays-open queues-two"},
	{"E3: a pinned dialect is not the agent's", "speaks-0.3 pins-another"},
	{"E5: 502 before the agent", "502-before"},
	{"E5: 503 after the agent took it", "503-after writes-again"},
	{"503 that says when, after the agent took it", "503-pause-after writes-again"},
	{"503 that says when, without a stream", "speaks-rest plain 503-pause-after a-second enters-again"},
	{"E6: one of two replicas knows the task", "speaks-0.3 plain two-replicas long"},
	{"E7: the version is dropped", "drops-version"},
	{"E9: the answer breaks off after the end", "breaks-after a-second"},
	{"E10: an agent sends on after the end", "endless a-second queues-two"},
	{"01: the card names an operation", "speaks-0.3 card-names-operation"},
	{"04: a stream without an event", "speaks-0.3 empty"},
	{"05: HTTP+JSON without the version", "speaks-rest drops-version"},
	{"10: a silent subscription", "cut silent-subscription long"},
	{"11: a gateway drops the version", "drops-version plain enters-again"},
	{"36: two replicas", "plain two-replicas long queues-two"},
	{"38: null", "speaks-0.3 plain null"},
	{"45: 504 while the task runs", "plain 504-after a-second"},
	{"49: the card says 1.0, the wire is 0.3", "speaks-0.3 card-says-1.0 plain"},
	{"an agent asks and sends on", "endless asks queues-two"},
	{"the agent is asked where it may have taken the message", "one-closed null writes-again"},
	{"a guess goes where the agent is", "card-says-0.3 two-closed"},
	{"an interface that refuses is there", "one-closed drops-version"},
	{"the task cannot be asked for", "413- hop-looks cut long"},
	{"a look is refused for a while", "503-pause hop-looks cut long stops-late"},
	{"51: 308 to another origin", "speaks-0.3 308-elsewhere hop-always"},
}

func TestTurns(t *testing.T) {
	t.Parallel()
	for _, s := range turnsSeeds {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			tryTurns(t, planOf(s.plan))
		})
	}
}

// FuzzTurns has any order of attempts and events that a server, or what stands before it, can cause end
// in one outcome, whatever the user does.
func FuzzTurns(f *testing.F) {
	for _, s := range turnsSeeds {
		p := planOf(s.plan)
		f.Add(p[:])
	}
	f.Fuzz(func(t *testing.T, b []byte) { tryTurns(t, planFrom(b)) })
}

// A turnsDesk is a workbench with a real engine, whose agent is a [turnsWorld].
type turnsDesk struct {
	t      *testing.T
	plan   turnsPlan
	world  *turnsWorld
	model  *Model
	msgs   chan tea.Msg
	items  []log.Item // all, as the engine sent them
	left   string     // the text that the last enter left in the composer
	faults []string   // what is not as it should be
}

// fault notes what is not as it should be.
func (d *turnsDesk) fault(format string, args ...any) {
	d.faults = append(d.faults, fmt.Sprintf(format, args...))
}

// newTurnsDesk must be called in a bubble.
func newTurnsDesk(t *testing.T, p turnsPlan) *turnsDesk {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	t.Cleanup(func() {
		cancel()
		time.Sleep(time.Minute) // every timer ends in the bubble
	})
	d := &turnsDesk{t: t, plan: p, msgs: make(chan tea.Msg, 1<<12)}
	world, client := newTurnsWorld(t, p)
	d.world = world
	feed := log.NewFeed()
	var ids atomic.Int64
	secrets := &a2a.Secrets{}
	e := engine.New(engine.Base{
		Secrets: secrets, Recorder: journal.NewRecorder(feed, nil), Now: time.Now, After: time.After,
		NewID:  func() string { return "id-" + strconv.FormatInt(ids.Add(1), 10) },
		Client: client,
	}, engine.Use{})
	t.Cleanup(e.Close) // before the servers
	o := Options{Engine: e, Feed: feed, Secrets: secrets, Refs: []string{"http://" + turnsHome}, Dir: t.TempDir(), Now: time.Now, Getenv: func(string) string { return "" }}
	o.Theme.Name = "mono"
	d.model = New(ctx, o)
	d.run(d.model.Init())
	d.take(tea.WindowSizeMsg{Width: 100, Height: 30})
	return d
}

func (d *turnsDesk) run(cmd tea.Cmd) {
	if cmd != nil {
		go func() { d.msgs <- cmd() }()
	}
}

// take handles a message as a program does.
func (d *turnsDesk) take(msg tea.Msg) {
	if msg == nil {
		return
	}
	if v := reflect.ValueOf(msg); v.Kind() == reflect.Slice && v.Type().Elem() == reflect.TypeFor[tea.Cmd]() {
		for i := range v.Len() {
			d.run(v.Index(i).Interface().(tea.Cmd))
		}
		return
	}
	if batch, ok := msg.(batchMsg); ok && batch.began.IsZero() { // not the rest of one
		d.items = append(d.items, batch.Items...)
	}
	_, cmd := d.model.Update(msg)
	d.run(cmd)
}

// settle handles everything that follows at once.
func (d *turnsDesk) settle() {
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

// pass lets time pass.
func (d *turnsDesk) pass(dur time.Duration) {
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

// Limits of a trial in the time of its bubble: how long it may take, and how long nothing happens at the
// end of it.
const (
	turnsLimit = 15 * time.Minute
	turnsQuiet = 80 * time.Second
)

// rest lets time pass until nothing more happens.
func (d *turnsDesk) rest() {
	d.t.Helper()
	quiet := time.Duration(0)
	for start := time.Now(); time.Since(start) < turnsLimit && quiet < turnsQuiet; quiet += 5 * time.Second {
		before := len(d.items)
		d.pass(5 * time.Second)
		if len(d.items) > before && (!d.plan.is("endless") || d.busy()) {
			quiet = 0
		}
	}
}

func (d *turnsDesk) busy() bool { return slices.ContainsFunc(d.turns(), (*model.Turn).Busy) }

// turns returns all turns, in order.
func (d *turnsDesk) turns() (all []*model.Turn) {
	for id := a2a.TurnID(1); id < 100; id++ {
		if t := d.model.state.Turn(id); t != nil && t.Message != nil {
			all = append(all, t)
		}
	}
	return all
}

// enter presses enter, after it has written a text.
func (d *turnsDesk) enter(text string) {
	for _, r := range text {
		d.take(tea.KeyPressMsg{Code: r, Text: string(r)})
	}
	d.model.View()
	d.take(panetest.Key("enter"))
	d.model.View()
	d.settle()
	d.left = d.model.panes.composer.Value()
}

// playTurns plays a plan in a bubble and returns what is not as it should be.
func playTurns(t *testing.T, p turnsPlan) (faults []string, story string) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		d := newTurnsDesk(t, p)
		d.play()
		if faults = d.faults; len(faults) > 0 {
			story = d.log() + ansi.Strip(d.model.View().Content)
		}
	})
	return faults, story
}

// tryTurns fails if something is not as it should be after a plan.
func tryTurns(t *testing.T, p turnsPlan) {
	t.Helper()
	if faults, story := playTurns(t, p); len(faults) > 0 {
		t.Errorf("%s\nplan: %s\n%s", strings.Join(faults, "\n"), p, story)
	}
}

// play does what the user does, and checks what came of it.
func (d *turnsDesk) play() {
	p := d.plan
	d.pass(30 * time.Second)
	if a := d.model.agent(); a == nil || a.Phase != model.Ready {
		return // with such a card nothing can be sent
	}
	d.enter("msg-one")
	switch {
	case p.is("queues-two"):
		for _, text := range []string{"msg-two", "msg-three"} {
			if d.model.panes.composer.Empty() {
				d.enter(text)
			}
		}
	case p.is("stops"):
		d.take(panetest.Key("ctrl+x"))
	case p.is("stops-late"):
		d.pass(700 * time.Millisecond)
		d.take(panetest.Key("ctrl+x"))
		d.pass(200 * time.Millisecond)
		d.take(panetest.Key("ctrl+x"))
	}
	d.rest()
	switch {
	case p.is("enters-again") && !d.model.panes.composer.Empty():
		d.enter("")
		d.rest()
	case p.is("writes-again") && d.model.panes.composer.Empty():
		d.enter("msg-more")
		d.rest()
		if !d.model.panes.composer.Empty() { // the agent is asked first
			d.enter("")
			d.rest()
		}
	}
	d.check()
}

// log describes what happened.
func (d *turnsDesk) log() string {
	var b strings.Builder
	for _, it := range d.items {
		if it.Signal != nil {
			fmt.Fprintf(&b, "            signal %d turn %d %q\n", it.Signal.Kind, it.Signal.Turn, it.Signal.Sentence)
			continue
		}
		why := ""
		if c := it.Record.Call; c != nil {
			why = fmt.Sprintf(" %s %s turn %d why %q guess %t", c.Op, c.Dialect, c.Turn, c.Why, c.Guess)
		}
		note := ""
		if it.Record.Note != nil {
			note = fmt.Sprint(it.Record.Note.Type, it.Record.Note.Attrs)
		}
		end := ""
		if it.Record.End != nil {
			end = fmt.Sprintf("%+v", *it.Record.End)
		}
		fmt.Fprintf(&b, "%s %4d x%-3d %-8s %s%s %s %s\n", it.Record.Time.Format("04:05.0"), it.Record.ID, it.Record.Exchange, it.Record.Kind, log.Describe(&it), why, note, end)
	}
	fmt.Fprintf(&b, "began %v, reached %v\n", d.world.began, d.world.reached)
	return b.String()
}
