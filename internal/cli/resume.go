package cli

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"github.com/spf13/cobra"

	"parley/a2a"
	"parley/a2a/mesh"
	"parley/internal/crash"
	"parley/session/annotation"
	"parley/session/catalog"
	"parley/session/chain"
	"parley/session/check"
	"parley/session/engine"
	"parley/session/journal"
	"parley/session/log"
	"parley/ui"
)

// resumeCommand goes on with a recorded session.
func (a *app) resumeCommand() *cobra.Command {
	var w workbench
	c := &cobra.Command{
		Use:   "resume [SESSION]",
		Short: "Go on with a recorded session: same conversations, same tasks",
		Long: `Go on with a recorded session: same conversations, contexts and tasks. Without
SESSION it is the newest one that was interrupted.

Nobody is contacted before you confirm the addresses; credentials are those of
today. Then Parley reads the cards again and follows the tasks that still run.
The session goes on in a new file, which begins with the old one.`,
		Example: `  parley resume
  parley resume 20261120-140207
  parley resume run.jsonl --record after.jsonl`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 {
				return usage("parley resume takes one session.")
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			if err := checkTransports(w.transports); err != nil {
				return err
			}
			if len(args) == 0 {
				return a.resumeNewest(w)
			}
			path, err := a.named(args[0])
			if err != nil {
				return err
			}
			return a.resume(w, path)
		},
	}
	w.flags(c.Flags())
	a.net.flags(c.Flags())
	return c
}

// resumeNewest goes on with the newest session that was interrupted, or lists the sessions.
func (a *app) resumeNewest(w workbench) error {
	_, list, err := a.sessions()
	if err != nil {
		return err
	}
	if s, ok := interrupted(list); ok {
		return a.resume(w, s.Path)
	}
	a.note("Note", "no session was interrupted; parley resume FILE goes on with another one.")
	return a.listSessions()
}

// resume goes on with a session, and with those that the user chooses in its place.
func (a *app) resume(w workbench, path string) error {
	next, err := a.resumeSession(w, path, a.streams.In)
	if err != nil || next == "" {
		return err
	}
	return a.resumeChosen(w, next, a.streams.In)
}

// resumeSession shows a recording, and goes on with its session when the user has confirmed whom
// that contacts. It returns the session that the user chose to go on with instead, empty for none.
func (a *app) resumeSession(w workbench, path string, keyboard *os.File) (chosen string, err error) {
	recording, err := journal.OpenToContinue(path)
	if err != nil {
		return "", notOpened(path, err)
	}
	defer recording.Close()
	if err := a.needTerminal(keyboard); err != nil {
		return "", err
	}
	stage, feed := check.New(chain.NewChecker()), log.NewFeed()
	recording.Prepare(stage)
	render(recording)
	w.later = true
	kept, err := a.openStorage(w)
	if err != nil {
		return "", usage("%s.", sentence(err.Error()))
	}
	a.warnOfLosses(kept)
	g := &continuation{app: a, w: w, kept: kept, feed: feed, recording: recording, path: path}
	o := a.screenOptions(w, kept)
	o.Engine, o.Feed, o.Stage, o.Name, o.Unrecorded, o.Annotations = ui.UnconfirmedEngine(), feed, stage, filepath.Base(path), false, annotation.Open(path)
	o.Resume = ui.Resume{Name: filepath.Base(path), Resolve: a.resolver(w), Access: a.access(w), Begin: g.begin, Leave: func(path string) { chosen = path }}
	ctx, stop := context.WithCancel(a.ctx)
	defer stop()
	collect := a.collectLater()
	go func() {
		defer crash.Guard()
		recording.Replay(ctx, feed, ui.Lead)
		collect()
		feed.Append(log.Item{Signal: &log.Signal{Kind: log.SignalReplayed}})
	}()
	left, err := a.show(a.ctx, w, o, keyboard)
	bye := parting{closed: "the session"}
	err = errors.Join(err, g.close(&bye, left))
	if chosen == "" || err != nil {
		bye.tell(a)
	}
	return chosen, err
}

// A continuation is a recorded session that may go on.
type continuation struct {
	app       *app
	w         workbench
	kept      *storage
	feed      *log.Feed
	recording *journal.Recording
	path      string
	engine    *engine.Engine // nil until the user has confirmed
	release   func()         // lets others go on with the session
}

// begin begins the new file, and returns the session that goes on.
func (g *continuation) begin(start *engine.Start) (*ui.Live, error) {
	before := g.recording.Predecessor()
	release, err := before.Claim()
	if err != nil {
		return nil, err
	}
	live := &ui.Live{}
	if !g.w.noRecord {
		if live.Problem, err = g.record(before); err != nil {
			release()
			return nil, err
		}
	}
	if g.kept.journal != nil {
		live.File, live.Size = g.kept.journal.Path(), g.kept.journal.Size
		live.Annotations = g.annotations(live.File)
	}
	g.joinAgain(start)
	recorder := journal.NewRecorder(g.feed, g.kept.journal)
	recorder.GoOn(before.Last)
	g.engine, g.release = g.app.screenEngine(g.w, g.kept, recorder, &a2a.Secrets{}, start), release
	live.Engine, live.Contact = g.engine, g.engine.GoOn
	return live, nil
}

// joinAgain takes part in meshes under the id of the recorded session: the answers to its tasks go there.
func (g *continuation) joinAgain(start *engine.Start) {
	for i := range start.Agents {
		if id := start.Agents[i].Gateway; id != "" && start.Agents[i].OpenTasks() > 0 {
			g.app.net.hub = mesh.NewHub(id, mesh.Times{}) // nobody uses the one before
			return
		}
	}
}

// record begins the new file. If the disk does not take it, the session goes on without one, and problem
// says so, unless the command line names the file.
func (g *continuation) record(before journal.Predecessor) (problem string, err error) {
	record := g.w.record
	if record.path == "" {
		record.path = filepath.Join(filepath.Dir(g.path), journal.FileName(now(), newID()))
	}
	g.kept.journal, err = record.create(func(path string) (*journal.Journal, error) {
		return journal.CreateAfter(path, journal.Options{MaxBytes: g.w.limits.Of(a2a.LimitRecording), Now: now}, before)
	})
	if err == nil || g.app.net.fromFlags["record"] || errors.Is(err, journal.ErrTooLong) {
		return "", err
	}
	return "The session goes on, but it is not recorded: " + sentence(err.Error()) + ".", nil
}

// annotations gives the new file the marks, comments, title, tags and note of the old one.
func (g *continuation) annotations(path string) *annotation.File {
	old, file := annotation.Open(g.path).Content(), annotation.Open(path)
	_, _ = file.Update(func(c *annotation.Content) error { // what cannot be saved is said when the user adds something
		pinned := c.Pinned
		*c = *old
		c.Pinned = pinned // the user has pinned the other file
		return nil
	})
	return file
}

// close ends the session, and says what to do next.
func (g *continuation) close(bye *parting, left []ui.LeftTask) (err error) {
	if g.engine == nil {
		bye.next = "nobody was contacted; parley resume " + g.app.sessionWord(g.path) + " asks again"
		return nil
	}
	g.engine.Close()
	g.release()
	g.app.net.hub.Close()
	if g.kept.journal == nil {
		bye.next = "nothing was recorded"
	} else {
		err = g.kept.journal.Close()
	}
	bye.recorded(g.app, g.kept.journal, left)
	return err
}

// resolver finds the settings of today for the agents of a recording: those of the saved agent with
// the recorded reference, whatever it is named now, else the general ones.
func (a *app) resolver(w workbench) engine.Resolver {
	names := map[string]string{}
	add := func(name, ref string) {
		if masked := a2a.MaskReference(ref); names[masked] == "" {
			names[masked] = name
		}
	}
	for i := range a.settings.Agents {
		add(a.settings.Agents[i].Name, a.settings.Agents[i].Ref)
	}
	if file := a.roster(); file != nil {
		content := file.Content()
		for i := range content.Agents {
			add(content.Agents[i].Name, content.Agents[i].Ref)
		}
	}
	return func(name, ref string) (engine.Saved, string) {
		if own, ok := a.engineAgent(name, a.prefer(w)); ok && name != "" && a2a.MaskReference(own.Ref) == ref {
			return own, ""
		}
		if known := names[ref]; known != "" {
			if own, ok := a.engineAgent(known, a.prefer(w)); ok {
				return own, ""
			}
		}
		if own, ok := a.sameMesh(w, ref); ok {
			return own, ""
		}
		return engine.Saved{Ref: ref}, unknownAddress(ref)
	}
}

// sameMesh returns the settings of the saved agent that stands for the mesh of a reference.
func (a *app) sameMesh(w workbench, ref string) (engine.Saved, bool) {
	m, problem := a2a.ParseMesh(ref)
	if !a2a.IsMesh(ref) || problem != "" {
		return engine.Saved{}, false
	}
	for i := range a.settings.Agents {
		saved := &a.settings.Agents[i]
		if other, problem := a2a.ParseMesh(saved.Ref); a2a.IsMesh(saved.Ref) && problem == "" && other.Broker == m.Broker && other.Namespace == m.Namespace {
			own, ok := a.engineAgent(saved.Name, a.prefer(w))
			own.Ref, own.Name = ref, ""
			return own, ok
		}
	}
	return engine.Saved{}, false
}

// unknownAddress says why the recorded reference of an agent is none, empty if it is one.
func unknownAddress(ref string) string {
	switch {
	case ref == "":
		return "The recording does not say where the agent is: open it again."
	case ref == "-":
		return "Its card came from standard input, which has ended: open the agent again."
	case strings.ContainsFunc(ref, unicode.IsControl):
		return "Its address has control characters, so the recording was changed by hand: open the agent again."
	case strings.Contains(ref, a2a.Mask):
		return "Its address contains a secret, which the recording does not have: save the agent under a name, or open it again."
	default:
		return ""
	}
}

// access returns the function that says where the credentials come from that go to an origin.
func (a *app) access(w workbench) func(*engine.StartAgent, string) string {
	return func(agent *engine.StartAgent, origin string) string {
		o := a.net.client(agent.Saved.Ref)
		a.prefer(w)(&o)
		if agent.Saved.Client != nil {
			o = agent.Saved.Client()
		}
		if !goesTo(agent, &o, origin) {
			return ""
		}
		var words []string
		add := func(what, flag string, own bool) {
			words = append(words, what+" from "+a.sourceOf(flag, own, agent.Saved.Name))
		}
		switch {
		case o.Bearer != "":
			add("bearer token", "bearer", o.Bearer != a.net.bearer)
		case o.BearerFrom != nil:
			add("bearer token", "bearer-command", a.net.helper == nil)
		}
		if o.APIKey != "" {
			add("API key", "api-key", o.APIKey != a.net.apiKey)
		}
		for _, h := range o.Headers {
			if a.net.secret(h) {
				add(h.Name, "svc-param", h.Pinned)
			}
		}
		for _, i := range a.net.unread(agent.Saved.Ref) {
			words = append(words, i.Kind.Words()+" from parley auth login")
		}
		if len(o.Certificates) > 0 {
			add("client certificate", "cert", len(a.net.certificates.own) == 0)
		}
		if a2a.IsMesh(agent.Saved.Ref) && len(o.Passwords) > 0 && o.Passwords[0] != "" {
			add("password of the broker", "mqtt-password", o.Passwords[0] != a.net.mqttPassword)
		}
		return strings.Join(words, ", ")
	}
}

// goesTo reports whether credentials for an agent go to an origin: that of its reference, that of an
// endpoint that the user chose, and those that the user allowed.
func goesTo(agent *engine.StartAgent, o *a2a.Options, origin string) bool {
	if origin == "" {
		return false
	}
	allowed := append([]string{agent.Saved.Ref, o.Pins.Endpoint, agent.Pins.Endpoint}, o.AllowOrigins...)
	return slices.ContainsFunc(append(allowed, o.UserAddresses...), func(address string) bool { return a2a.TypedOrigin(address) == origin })
}

// sourceOf names where the value of a flag comes from.
func (a *app) sourceOf(flag string, own bool, name string) string {
	switch v, ok := a.settings.Lookup(flag); {
	case own && name != "":
		return "the saved agent " + name
	case a.net.fromFlags[flag]:
		return "--" + flag
	case ok:
		return v.Place()
	case flag == "bearer-command":
		return "bearer-command in config.toml"
	default:
		return "the settings"
	}
}

// maxEndings is how many bytes of a session are read to find out how it ends.
const maxEndings = 256 << 20

// interrupted returns the newest session that was interrupted and does not go on in another
// file.
func interrupted(list []catalog.Session) (catalog.Session, bool) {
	for i := range list {
		s := &list[i]
		if s.Held || s.ContinuedIn != "" || s.Size > maxEndings {
			continue
		}
		if ending, err := journal.ReadEnding(s.Path); err == nil && ending.Open > 0 {
			return *s, true
		}
	}
	return catalog.Session{}, false
}
