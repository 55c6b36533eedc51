package cli

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"github.com/spf13/pflag"

	"parley/a2a"
	"parley/internal/crash"
	"parley/internal/outlet"
	"parley/internal/portscan"
	"parley/session/annotation"
	"parley/session/engine"
	"parley/session/journal"
	"parley/session/log"
	"parley/ui"
	"parley/ui/terminal"
)

// workbench holds the flags of the commands that open the screen.
type workbench struct {
	theme    string
	ascii    bool
	noMotion bool
	present  bool
	record   recordFile
	noRecord bool
	noCheck  bool
	noBell   bool
	later    bool       // the journal is created later
	embedded bool       // the agents are those inside the program
	back     string     // where the user is after a recording, empty for the shell
	limits   a2a.Limits // that for the recording alone
	push     engine.WebhookOptions
	play     *screenPlay // nil if no script is played

	taps      []tapSpec // that are started
	tapsReady string    // the file in which their addresses are written, empty for none

	transports []string
	signIn     signInFlags
	signatures signatureFlags
	ports      string // of this machine, where the start screen looks for agents
}

func (w *workbench) flags(f *pflag.FlagSet) {
	screenFlags(f, w)
	f.StringSliceVar(&w.transports, "transport", nil, "preferred `binding`, highest first; repeatable (default: the card's order)")
	w.record.flags(f, "write the journal of this run to `FILE`")
	f.BoolVar(&w.noRecord, "no-record", false, "write no journal, and save no messages")
	f.StringVar(&w.push.Listen, "push-listen", "127.0.0.1:0", "receive push notifications at this `address`, from the first webhook on; port 0 is any free one")
	f.StringVar(&w.push.Public, "push-url", "", "tell agents this `URL` for webhooks, if a tunnel or a proxy forwards it to --push-listen")
	f.BoolVar(&w.noCheck, "no-check", false, "do not get tasks after their streams for a comparison")
	f.BoolVar(&w.noBell, "no-bell", false, "do not ring the bell when a task begins to wait for you")
	w.signIn.flags(f)
	w.signatures.fileFlag(f)
	limitFlags(f, &w.limits, a2a.LimitRecording)
}

// portsFlag declares the flag of the start screen.
func (w *workbench) portsFlag(f *pflag.FlagSet) {
	f.StringVar(&w.ports, "ports", "", "without REF: look for agents on these `ports` of this machine, such as 8000,9000-9010; off never looks (default: usual ones, if you choose \"Look on this machine\")")
}

// portsOff is the value of --ports that never looks.
const portsOff = "off"

// checkPorts says in a clause what is wrong with a list of ports, empty if nothing is.
func checkPorts(list string) string {
	if list == "" || list == portsOff {
		return ""
	}
	if _, err := portscan.Parse(list); err != nil {
		return "no list of ports such as 8000,9000-9010, and not off: " + err.Error()
	}
	return ""
}

// startScreen returns what the start screen shows: it looks at once on ports that the user gave, and
// on the usual ones after a key.
func (w *workbench) startScreen() ui.Start {
	s := ui.Start{Show: true, Scan: func(ctx context.Context, ports []int, put func(portscan.Agent)) {
		portscan.Scan(ctx, ports, "parley/"+version, put)
	}}
	switch w.ports {
	case portsOff:
	case "":
		s.Ports = portscan.Usual()
	default:
		s.Ports, _ = portscan.Parse(w.ports) // it was checked
		s.Given = true
	}
	return s
}

// screenFlags are the flags of all commands that open the screen.
func screenFlags(f *pflag.FlagSet, w *workbench) {
	themeFlag(f, &w.theme)
	f.BoolVar(&w.ascii, "ascii", false, "draw with ASCII characters only")
	f.BoolVar(&w.noMotion, "no-motion", false, "draw no spinner, and do not light what came just now")
	f.BoolVar(&w.present, "present", false, "begin in presenter mode, for an audience; f10 ends it")
}

// check refuses flags with values that cannot be used.
func (w *workbench) check() error {
	if err := checkTransports(w.transports); err != nil {
		return err
	}
	if why := checkPorts(w.ports); why != "" {
		return usage("The value of --ports is %s.", why)
	}
	return w.signIn.check()
}

// workbenchKeyboard returns the source of keys of the workbench. It fails if there is no screen, or no
// keyboard.
func (a *app) workbenchKeyboard(w workbench, refs []string) (*os.File, error) {
	switch {
	case w.play == nil:
		return a.keyboard(refs)
	case !w.play.off && a.needTerminal(a.streams.In) != nil:
		return nil, usage("To play a script on the screen takes a terminal: without one use --headless, or --render for pictures.")
	}
	return a.streams.In, nil
}

// workbench opens the screen on agents, and on taps.
func (a *app) workbench(w workbench, refs []string) error {
	if err := w.check(); err != nil {
		return err
	}
	keyboard, err := a.workbenchKeyboard(w, refs)
	if err != nil {
		return err
	}
	if keyboard != a.streams.In {
		defer keyboard.Close()
	}
	feed := log.NewFeed()
	a.noteSize()
	kept, err := a.openStorage(w)
	if err != nil {
		return usage("%s.", sentence(err.Error()))
	}
	a.warnOfLosses(kept)
	if warning := a.net.insecureWarning(); warning != "" {
		a.mildly("%s", warning)
	}
	recorder, secrets := journal.NewRecorder(feed, kept.journal), &a2a.Secrets{}
	engine := a.screenEngine(w, kept, recorder, secrets, nil)
	o := a.screenOptions(w, kept)
	o.Engine, o.Feed, o.Refs, o.Secrets = engine, feed, refs, secrets
	set := a.newTapSet(recorder, engine.Numbers())
	o.Taps = &sheetOfTaps{a, set}
	resumed := ""
	o.Resume = ui.Resume{Leave: func(path string) { resumed = path }}
	if len(refs) == 0 && w.play == nil && len(w.taps) == 0 { // a script opens what it needs, and nothing else is asked
		ctx, stop := context.WithCancel(a.ctx)
		defer stop()
		o.Demo = func() ([]string, error) { return a.embedded.start(ctx) }
		o.Start = w.startScreen()
	}
	var left []ui.LeftTask
	if err = a.openTaps(set, w); err == nil {
		left, err = a.show(a.ctx, w, o, keyboard)
	}
	set.Close()
	engine.Close()
	a.net.hub.Close()
	bye := parting{closed: "the workbench"}
	err = errors.Join(err, kept.endRecording(&bye))
	if resumed != "" && err == nil {
		return a.resumeChosen(w, resumed, keyboard)
	}
	bye.recorded(a, kept.journal, left)
	bye.tell(a)
	return err
}

// endRecording closes the file of the session, and says if it has nothing.
func (s *storage) endRecording(bye *parting) (err error) {
	if s.journal != nil {
		err = s.journal.Close()
	}
	if s.journal == nil || s.journal.Records() == 0 {
		bye.next = "nothing was recorded; parley starts again"
	}
	return err
}

// resumeChosen goes on with the session that the user chose in another one.
func (a *app) resumeChosen(w workbench, path string, keyboard *os.File) error {
	w.record, w.embedded = recordFile{}, false // that file has been written, and the agents inside the program are left
	for path != "" {
		a.net.hub = newHub()
		a.warnings, a.notes = nil, nil // they were shown
		var err error
		if path, err = a.resumeSession(w, path, keyboard); err != nil {
			return err
		}
	}
	return nil
}

// warnOfLosses warns of what is not stored, before anything else.
func (a *app) warnOfLosses(kept *storage) {
	warning := kept.warning()
	if warning == "" {
		return
	}
	a.mildly("%s", warning)
	last := len(a.warnings) - 1 // it matters more than a setting
	a.warnings = slices.Concat(a.warnings[last:], a.warnings[:last])
}

// screenOptions returns the options of the screen that follow from the settings and the storage.
func (a *app) screenOptions(w workbench, kept *storage) ui.Options {
	o := ui.Options{Warnings: a.warnings, Notes: a.notes}
	if kept.journal != nil {
		o.Sessions.Own = kept.journal.Path()
		o.Size = kept.journal.Size
		o.Annotations = annotation.Open(o.Sessions.Own)
	}
	o.Approved = kept.approved
	o.SignIn = a.signInService(&w.signIn)
	if a.roster() != nil { // it is made here, once
		o.SavedCards = a.savedCards
	}
	o.History, o.HistoryProblem, o.Recorded, o.Unrecorded = kept.history, kept.historyProblem, kept.journal != nil, kept.journal == nil && !w.noRecord
	o.Saved = ui.SavedAgents{File: kept.roster, Problem: kept.rosterProblem, Written: a.settings.Agents, NoRecents: w.noRecord, Temporary: w.embedded, Public: a.net.public}
	return o
}

// keyboard returns the source of keys: standard input, or the terminal itself if a card is read
// from standard input. It fails if no screen can be drawn.
func (a *app) keyboard(refs []string) (*os.File, error) {
	in := a.streams.In
	if !isTerminal(in) && slices.Contains(refs, "-") {
		if tty, err := ui.Keyboard(); err == nil {
			in = tty
		}
	}
	return in, a.needTerminal(in)
}

// needTerminal fails if no screen can be drawn.
func (a *app) needTerminal(keyboard *os.File) error {
	const instead = "use parley card get, send, task get or task cancel."
	switch {
	case !isTerminal(keyboard) || !isTerminal(a.streams.Out):
		return usage("The workbench needs a terminal; without one " + instead)
	case a.env.get("TERM") == "dumb":
		return usage("The workbench needs a terminal that can move its cursor, but TERM is dumb; set TERM correctly, or " + instead)
	default:
		return nil
	}
}

// show runs the screen until the user quits. It returns the tasks that are left at their agents.
func (a *app) show(ctx context.Context, w workbench, o ui.Options, keyboard *os.File) ([]ui.LeftTask, error) {
	o.Limits, o.Back = a.net.limits, w.back
	if err := a.trustKeys(&w.signatures); err != nil {
		return nil, err
	}
	o.CardKeys, o.TrustKeys = w.signatures.trusted, a.verifier().SetKeys
	o.Doctor = workbenchDoctor{app: a, transports: w.transports, keys: a.verifier().Keys}
	if c, err := a.catalog(); err == nil { // else the sheet says why there is none
		o.Sessions.Catalog, o.Sessions.Show = c, a.opener(w)
	}
	if o.Settings = w.settingsOf(a); w.play == nil {
		o.Tour = w.tour(a)
	}
	o.Theme, o.ASCII, o.Present, o.Silent, o.Browse = a.theme, a.asciiOnly(w), w.present, w.noBell, opener(runtime.GOOS, a.env.get)
	o.NoMotion = w.noMotion
	o.Getenv, o.Now, o.Keys, o.Formats = a.env.get, now, a.settings.Keys, formats(defaultGap, a.theme)
	return a.runScreen(ctx, w, o, keyboard)
}

// asciiOnly reports whether the screen has ASCII alone: as the user set it, otherwise as the
// environment says of the terminal.
func (a *app) asciiOnly(w workbench) bool {
	if _, set := a.settings.Lookup("ascii"); set || a.net.fromFlags["ascii"] {
		return w.ascii
	}
	return terminal.ASCIIOnly(a.env.get)
}

// opener returns how a recording is shown while the screen is in use: by this program, once more,
// on the same terminal; nil if it cannot find itself.
func (a *app) opener(w workbench) func(path string) *exec.Cmd {
	again := w.again(a)
	if again == nil {
		return nil
	}
	return func(path string) *exec.Cmd { return again(path, "open", "--back-to", "session") }
}

// tour returns how the tour is played while the screen is in use: as a recording is shown. It is not
// recorded if this session is not.
func (w workbench) tour(a *app) func() *exec.Cmd {
	again, args := w.again(a), []string{"demo"}
	if again == nil {
		return nil
	}
	if w.noRecord {
		args = append(args, "--no-record")
	}
	return func() *exec.Cmd { return again("tour", args...) }
}

// again returns this program, once more, with a last argument behind others; nil if it cannot find
// itself. The screen looks as this one: it finds the settings and the saved theme itself.
func (w workbench) again(a *app) func(last string, args ...string) *exec.Cmd {
	self, err := os.Executable()
	if err != nil {
		return nil
	}
	return func(last string, args ...string) *exec.Cmd {
		args = append([]string{self}, args...)
		if a.net.fromFlags["theme"] {
			args = append(args, "--theme", w.theme)
		}
		if w.ascii {
			args = append(args, "--ascii")
		} else if a.net.fromFlags["ascii"] {
			args = append(args, "--ascii=false")
		}
		if w.noMotion {
			args = append(args, "--no-motion")
		}
		if w.present {
			args = append(args, "--present")
		}
		cmd := outlet.Program(a.ctx, append(args, "--", last)...)
		cmd.Env = a.env
		return cmd
	}
}

// readAll reads a recording into a feed. Reading takes several times the memory of showing,
// which is released when the screen is idle.
func readAll(ctx context.Context, recording *journal.Recording, feed *log.Feed, collect func()) {
	defer crash.Guard()
	const rest = time.Second / 2
	recording.Replay(ctx, feed, ui.Lead)
	feed.Close()
	collect()
	select {
	case <-time.After(rest):
		debug.FreeOSMemory()
	case <-ctx.Done():
	}
}

// collectLater delays garbage collection while the program starts and a recording is read,
// which otherwise take a fifth longer. It returns a function that ends the delay, once.
func (a *app) collectLater() (collect func()) {
	const lazy = 400 // percent of the memory in use
	if a.env.get("GOGC") != "" {
		return func() {}
	}
	usual := debug.SetGCPercent(lazy)
	return sync.OnceFunc(func() { debug.SetGCPercent(usual) })
}
