package cli

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"parley/a2a"
	"parley/a2a/lint"
	"parley/session/engine"
	"parley/session/journal"
	"parley/session/log"
	"parley/session/model"
	"parley/session/sessiontest"
)

// playedOn plays a script on a screen that nobody sees or without a screen, and returns what came of it.
func playedOn(t *testing.T, door, script string) (result, string) {
	t.Helper()
	recording := filepath.Join(t.TempDir(), "play.jsonl")
	r := hurried("demo", script, door, "--fast", "--record", recording).run(t)
	return r, told(t, recording)
}

// told returns what a recording tells of each turn: what was said, the entries, how the task stands, and
// what crossed the wire. It leaves out what belongs to no turn, such as the check of a stream, and what is
// another one each time.
func told(t *testing.T, path string) string {
	t.Helper()
	recording, err := journal.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	render(recording)
	s := sessiontest.ReplayState(t, recording, lint.New())
	var b strings.Builder
	for _, a := range s.Agents {
		fmt.Fprintf(&b, "agent %s, %s\n", a.Name(), a.Profile.Dialect)
		for _, c := range a.Conversations {
			for _, turn := range c.Turns {
				tellTurn(&b, s, turn)
			}
		}
	}
	return b.String()
}

func tellTurn(b *strings.Builder, s *model.State, turn *model.Turn) {
	if turn.Message != nil {
		fmt.Fprintf(b, " says %q\n", turn.Message.Text())
	}
	for _, bl := range turn.Blocks {
		if bl.Task != nil {
			fmt.Fprintf(b, "  task %s\n", bl.Task.StateWord())
		}
		for i := range bl.Entries {
			e := &bl.Entries[i]
			fmt.Fprintf(b, "   entry %d %s", e.Kind, e.State.Word)
			switch {
			case e.Message != nil:
				fmt.Fprintf(b, " %q", e.Message.Text())
			case e.Artifact != nil:
				fmt.Fprintf(b, " artifact %s", e.Artifact.Key)
			case e.Problem != nil:
				fmt.Fprintf(b, " problem %s resumed %v", e.Problem.Class, e.Problem.Resumed != 0)
			}
			b.WriteString("\n")
		}
	}
	last := ""
	for _, x := range exchangesOf(s, turn.ID) {
		if x != last { // how often a task is got depends on its agent
			fmt.Fprintf(b, "   %s\n", x)
		}
		last = x
	}
}

// exchangesOf returns the exchanges of a turn, each with the operation, what came and how it ended.
func exchangesOf(s *model.State, turn a2a.TurnID) []string {
	var order []a2a.ExchangeID
	texts := map[a2a.ExchangeID]string{}
	for id := a2a.RecordID(1); int(id) <= s.Log.Len(); id++ {
		r := &s.Log.At(id).Record
		if r.Call == nil || r.Call.Turn != turn || r.Call.Check || r.Exchange == 0 {
			continue
		}
		if texts[r.Exchange] == "" {
			order = append(order, r.Exchange)
			texts[r.Exchange] = string(r.Call.Op) + ":"
		}
		texts[r.Exchange] += " " + string(r.Kind)
		for _, ev := range s.Log.At(id).Update.Events {
			texts[r.Exchange] += fmt.Sprintf(" event%d", ev.Kind)
		}
		if r.End != nil {
			texts[r.Exchange] += " " + string(r.End.Reason) + " " + r.End.Class
		}
	}
	var all []string
	for _, x := range order {
		all = append(all, texts[x])
	}
	return all
}

// comparePlays plays a script with and without a screen, which must give the same.
func comparePlays(t *testing.T, script string) {
	t.Helper()
	screen, seen := playedOn(t, "--render", script)
	headless, told := playedOn(t, "--headless", script)
	if screen.code != headless.code {
		t.Errorf("got exit %d on the screen and %d without one\n%s\n%s%s", screen.code, headless.code, screen.err, headless.out, headless.err)
	}
	if seen != told {
		t.Errorf("got on the screen\n%s\nand without one\n%s", seen, told)
	}
	if !strings.Contains(told, " says ") {
		t.Errorf("got nothing said\n%s%s", headless.out, headless.err)
	}
}

// The scripts that come with Parley pass on a screen and without one, and the same happens.
func TestTheOwnScriptsPlayTheSameWithAndWithoutAScreen(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"tour", "stakeholder"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			comparePlays(t, name)
			if r := hurried("demo", name, "--headless", "--fast").run(t); r.code != 0 {
				t.Errorf("got exit %d\n%s%s", r.code, r.out, r.err)
			}
		})
	}
}

// exported returns the path of the script of a recording.
func exported(t *testing.T, recording string) string {
	t.Helper()
	again := filepath.Join(t.TempDir(), "again.parley")
	if r := parley(t, "export", recording, "-o", again); r.code != 0 {
		t.Fatal(r.err)
	}
	return again
}

// recordedPlay plays steps, whatever comes of them, and returns the script of the recording.
func recordedPlay(t *testing.T, steps string) string {
	t.Helper()
	recording := filepath.Join(t.TempDir(), "session.jsonl")
	if r := hurried("demo", writeScript(t, steps), "--headless", "--fast", "--record", recording).run(t); r.code > 1 {
		t.Fatal(r.err)
	}
	return exported(t, recording)
}

// Scripts that were made of sessions, whatever happened in them, play the same on a screen and without
// one: the same events and the same outcome of each turn.
func TestExportedScriptsPlayTheSameWithAndWithoutAScreen(t *testing.T) {
	t.Parallel()
	stories := map[string]string{
		"answer": "Say 'x'\n", "cut": "Say 'cut'\n", "cut at once": "Say 'cut at once'\n", "poll": "Say 'poll'\n",
		"question": "Say 'ask'\nWait input-required\nAnswer 'Lisbon'\n", "two questions": "Say 'ask twice'\nWait input-required\nAnswer 'a'\nWait input-required\nAnswer 'b'\n",
		"failure": "Say 'fail'\n", "rejection": "Say 'reject'\n", "error": "Say 'error'\nExpect error\nSay 'x'\n", "no event": "Say 'mute'\nExpect error\n", "message": "Say 'message'\n",
		"several": "Say 'x'\nSay 'cut'\nSay 'ask'\nWait input-required\nAnswer 'b'\nSay 'poll'\n",
	}
	for _, dialect := range []a2a.DialectName{a2a.V10, a2a.V03} {
		for name, steps := range stories {
			t.Run(fmt.Sprint(name, " in ", dialect.Number()), func(t *testing.T) {
				t.Parallel()
				comparePlays(t, recordedPlay(t, "Open "+newPlayer(t, dialect, dialect).URL+"\n"+steps))
			})
		}
		for name, act := range map[string]func(*testSession){"cancel": (*testSession).cancel, "push": (*testSession).push, "resume": (*testSession).resume} {
			t.Run(fmt.Sprint(name, " in ", dialect.Number()), func(t *testing.T) {
				t.Parallel()
				p := newPlayer(t, dialect, dialect)
				p.wait(true)
				s := newTestSession(t)
				s.say(p.URL, name)
				act(s)
				script := exported(t, s.close())
				p.wait(false)
				comparePlays(t, script)
			})
		}
		t.Run("fallback to "+dialect.Number(), func(t *testing.T) {
			t.Parallel()
			other := a2a.V03
			if dialect == a2a.V03 {
				other = a2a.V10
			}
			comparePlays(t, recordedPlay(t, "Open "+newPlayer(t, dialect, other).URL+"\nSay 'x'\nSay 'cut'\n"))
		})
	}
	t.Run("two agents", func(t *testing.T) {
		t.Parallel()
		one, two := newPlayer(t, a2a.V10, a2a.V10).URL, newPlayer(t, a2a.V03, a2a.V03).URL
		comparePlays(t, recordedPlay(t, fmt.Sprintf("Open %s\nSay 'ask'\nWait input-required\nOpen %s\nSay 'cut'\nOpen %[1]s\nSay 'x'\n", one, two)))
	})
}

// A testSession is a session in the workbench's engine, whose user does what no script can.
type testSession struct {
	t       *testing.T
	app     *app
	path    string
	journal *journal.Journal
	feed    *log.Feed
	state   *model.State
	engine  *engine.Engine
	over    map[a2a.TurnID]bool
	turn    a2a.TurnID
}

func newTestSession(t *testing.T) *testSession {
	t.Helper()
	s := &testSession{t: t, path: filepath.Join(t.TempDir(), "session.jsonl"), feed: log.NewFeed(), state: model.NewState(), over: map[a2a.TurnID]bool{}}
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { null.Close() })
	s.app = &app{ctx: t.Context(), streams: Streams{In: null, Out: null, Err: null}, after: hurried().after}
	s.app.net.hub = newHub()
	if s.journal, err = journal.Create(s.path, journal.Options{Now: now}); err != nil {
		t.Fatal(err)
	}
	s.start(journal.NewRecorder(s.feed, s.journal), nil)
	return s
}

func (s *testSession) start(recorder *journal.Recorder, start *engine.Start) {
	w := workbench{noRecord: true}
	w.push.Listen = "127.0.0.1:0"
	s.engine = s.app.screenEngine(w, &storage{}, recorder, &a2a.Secrets{}, start)
	s.t.Cleanup(s.engine.Close)
}

// until takes items until ok.
func (s *testSession) until(what string, ok func() bool) {
	s.t.Helper()
	ctx, stop := context.WithTimeout(s.t.Context(), time.Minute)
	defer stop()
	for !ok() {
		items, err := s.feed.Next(ctx, 1)
		if err != nil {
			s.t.Fatalf("waiting for %s: %v", what, err)
		}
		for _, it := range items {
			s.state.Apply(it)
			if it.Signal != nil && it.Signal.Kind == log.SignalTurnOver {
				s.over[it.Signal.Turn] = true
			}
		}
	}
}

// task returns the only task, nil while there is none.
func (s *testSession) task() *model.Task {
	t := s.state.Turn(s.turn)
	if t == nil || len(t.Blocks) == 0 {
		return nil
	}
	return t.Blocks[len(t.Blocks)-1].Task
}

// say opens an agent, sends it a message, and waits for a task.
func (s *testSession) say(ref, text string) {
	s.t.Helper()
	agent := s.engine.Open(ref)
	s.until("the card", func() bool { a := s.state.Agent(agent); return a != nil && a.Phase == model.Ready })
	s.turn = s.engine.Send(model.Target{Agent: agent}, &a2a.Message{ID: newID(), Parts: []a2a.Part{a2a.TextPart(text)}}, model.SendOptions{})
	s.until("a task", func() bool { t := s.task(); return t != nil && t.ID != "" })
}

func (s *testSession) ends() {
	s.t.Helper()
	s.until("the end of the turn", func() bool { return s.over[s.turn] && s.task().Over() })
}

func (s *testSession) cancel() {
	s.engine.Cancel(1, s.task().ID, 1)
	s.ends()
}

func (s *testSession) push() {
	if _, err := s.engine.PushListen(1, s.task().ID); err != nil {
		s.t.Fatal(err)
	}
	s.ends()
}

// resume ends the session, and goes on with it in another file.
func (s *testSession) resume() {
	recording, err := journal.OpenToContinue(s.close())
	if err != nil {
		s.t.Fatal(err)
	}
	s.state = sessiontest.ReplayState(s.t, recording, lint.New())
	start, err := engine.NewStart("session", s.state, func(_, ref string) (engine.Saved, string) { return engine.Saved{Ref: ref}, "" })
	if err != nil {
		s.t.Fatal(err)
	}
	s.path = filepath.Join(s.t.TempDir(), "after.jsonl")
	if s.journal, err = journal.CreateAfter(s.path, journal.Options{Now: now}, recording.Predecessor()); err != nil {
		s.t.Fatal(err)
	}
	s.feed = log.NewFeed()
	recorder := journal.NewRecorder(s.feed, s.journal)
	recorder.GoOn(recording.Predecessor().Last)
	s.start(recorder, start)
	s.engine.GoOn()
	s.until("the end of the task", func() bool { return s.task().Over() })
}

// close ends the session and returns its file.
func (s *testSession) close() string {
	s.engine.Close()
	if err := s.journal.Close(); err != nil {
		s.t.Fatal(err)
	}
	return s.path
}
