package engine

import (
	"context"
	"encoding/json"
	"net/http"
	"sync"
	"time"

	"parley/a2a"
	"parley/a2a/webhook"
	"parley/internal/crash"
	"parley/session/log"
	"parley/session/task"
)

// An Engine owns the agents of a session. Its methods return at once; their results come only
// through the recorder's feed. It is safe for use by several goroutines.
type Engine struct {
	o    options
	ctx  context.Context
	stop context.CancelFunc
	work sync.WaitGroup
	// cards serializes card updates; lock it before mu.
	cards sync.Mutex
	// secrets are what the user marked as secret, for any agent.
	secrets  *a2a.Secrets
	registry pushRegistry
	probes   sync.Map // a2a.ProbeResult by endpoint
	heard    a2a.Heard

	mu     sync.Mutex
	closed bool
	agents map[a2a.AgentID]*remote
	meshes map[string]*meshWatch
	convs  map[a2a.ConversationID]*thread
	turns  map[a2a.TurnID]*run
	// streams are the open streams.
	streams    map[*follower]bool
	followers  uint64      // followers so far
	shownAgent a2a.AgentID // the agent on the screen
	last       struct {
		agent a2a.AgentID
		conv  a2a.ConversationID
		turn  a2a.TurnID
	}
}

// A remote is an agent as the engine knows it. The engine's lock guards its members.
type remote struct {
	id     a2a.AgentID
	ref    string
	index  int           // of its card among those at ref
	cards  int           // cards of ref that have an agent, if index is 0
	opened chan struct{} // closed when discovery is over
	// card, profile and client are set when the agent can be called.
	card    *a2a.Card
	profile a2a.Profile
	pins    a2a.Pins
	// pinned counts how often the pins were set, and applied the value of pinned when they were
	// last applied.
	pinned, applied int
	proven          provenWay // how the agent has answered a message, the zero value if it has not
	// streams says of the ways that were tried whether the agent streams.
	streams map[a2a.Way]a2a.Tri
	// extended is set while card is the extended card, which replaces public.
	extended bool
	public   *a2a.Card
	// extensions are requested by every request. The slice is replaced, never changed, and not
	// nil.
	extensions []string
	// metadata is sent with the requests about tasks, a JSON object or nil.
	metadata json.RawMessage
	// held says why the agent is not used: its card has to be approved first. Nothing is sent to
	// it then, whatever is pinned.
	held string
	// everywhere is set when the user wants a card from other addresses too.
	everywhere bool
	client     *a2a.Client
	aside      bool           // a copy that speaks in the way of one conversation
	substitute bool           // a copy that speaks over another interface than the one that was not reached
	found      *a2a.Discovery // the newest that found a card
	// origin is that of ref, and endpoint the URL in it that may be one; cardOrigin is that of a
	// card that a catalog names.
	origin, endpoint, cardOrigin string
	dial                         string             // URL that is dialled while the agent is not reachable
	unwatch                      context.CancelFunc // set while the agent is watched
	returns                      int                // how often it was away and came back
	tasks                        map[string]*knownTask
	tryNow                       chan struct{} // try it at once
	dismissed                    bool          // the user has closed it
	watched                      bool          // it was watched when it was closed
	meshAgent                    string        // its name on a mesh, empty elsewhere and until it is known
	meshAway                     bool          // it, or the broker of its mesh, cannot be reached
	meshGone                     bool          // it announces itself no longer
	meshLate                     bool          // it announces itself less often than before
	saved                        Saved         // options of its client; Client is nil for the zero options
	// An agent of a recorded session has the time of its recorded card until it has another one, the
	// origins that the user confirmed, and the sentence why it is not contacted. They never change,
	// except for seen.
	seen      time.Time
	confirmed map[string]bool
	withheld  string
	tapped    bool // other clients talk to it through a tap: it is watched, and never called
}

// A thread is a conversation as the engine knows it.
type thread struct {
	agent     a2a.AgentID
	contextID string // from the agent, or made here in dialects whose clients make it
	own       threadWay
}

// A run is the work in progress for a turn.
type run struct {
	ctx    context.Context
	cancel context.CancelFunc
	open   int // operations

	mu    sync.Mutex
	turn  task.Turn         // its attempts
	task  string            // the newest task in an answer
	noted map[string]string // the note about its outcome, nil before the first one
	// resting are the calls of those operations that only keep the stream of a task that waits for the
	// user. The turn is over without them.
	resting map[*a2a.Call]bool
}

// New returns an engine without agents, the only way to make one. Close it when done.
func New(base Base, use Use) *Engine { return newEngine(optionsFor(base, use)) }

func newEngine(o options) *Engine {
	e := &Engine{
		o:       o,
		secrets: o.Secrets,
		agents:  map[a2a.AgentID]*remote{},
		meshes:  map[string]*meshWatch{},
		convs:   map[a2a.ConversationID]*thread{},
		turns:   map[a2a.TurnID]*run{},
		streams: map[*follower]bool{},
	}
	e.ctx, e.stop = context.WithCancel(context.Background())
	if o.Start != nil {
		e.restore(o.Start)
	}
	e.registry.taskOf = e.taskOf
	e.registry.options = webhook.Options{Listen: o.Webhook.Listen, Public: o.Webhook.Public, NewKey: o.NewID, Now: o.Now, Take: e.receive}
	if judge := o.JudgeDelivery; judge != nil {
		e.registry.options.Judge = func(h *webhook.Hook, header http.Header, body []byte) webhook.Judgement {
			return judge(h.URL, header, body)
		}
	}
	return e
}

// Close cancels all work and waits until it has ended.
func (e *Engine) Close() {
	e.mu.Lock()
	e.closed = true
	e.mu.Unlock()
	e.stop()
	e.registry.close()
	e.work.Wait()
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, a := range e.agents {
		if a.client != nil {
			a.client.Close()
		}
	}
	for _, th := range e.convs {
		th.own.close()
	}
}

// Refusal says why the engine cannot send; a live engine always can, so it is empty.
func (e *Engine) Refusal() string { return "" }

// agent returns an agent, nil if there is none of that number.
func (e *Engine) agent(id a2a.AgentID) *remote {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.agents[id]
}

// start runs f in a goroutine that Close waits for.
func (e *Engine) start(f func()) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if !e.closed {
		e.work.Go(crash.Guarded(f))
	}
}

// NewConversation returns the number of a conversation that does not exist yet: a message
// creates it.
func (e *Engine) NewConversation(agent a2a.AgentID) a2a.ConversationID {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.newConversation(agent)
}

func (e *Engine) newConversation(agent a2a.AgentID) a2a.ConversationID {
	e.last.conv++
	e.convs[e.last.conv] = &thread{agent: agent}
	return e.last.conv
}

// Stop cancels all work for a turn. The agent may continue to work; to end its task, use
// Cancel.
func (e *Engine) Stop(turn a2a.TurnID) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if r := e.turns[turn]; r != nil {
		r.cancel()
	}
}

// beginTurn begins a new turn with a call. The caller holds the engine's lock.
func (e *Engine) beginTurn(call *a2a.Call) context.Context {
	e.last.turn++
	call.Turn = e.last.turn
	return e.begin(call.Turn)
}

// begin notes that an operation of a turn begins. The caller holds the engine's lock.
func (e *Engine) begin(turn a2a.TurnID) context.Context {
	r := e.turns[turn]
	if r == nil {
		r = &run{resting: map[*a2a.Call]bool{}}
		r.ctx, r.cancel = context.WithCancel(e.ctx)
		e.turns[turn] = r
	}
	r.open++
	return r.ctx
}

// finish notes that an operation of a turn is over, with the reason if it failed. After the
// last one it reports the end of the turn, once.
func (e *Engine) finish(c *a2a.Call, f failure) {
	e.mu.Lock()
	r := e.turns[c.Turn]
	rested := r.resting[c]
	delete(r.resting, c)
	r.open--
	over := !rested && r.open == len(r.resting)
	if r.open == 0 {
		r.cancel()
		delete(e.turns, c.Turn)
	}
	e.mu.Unlock()
	if over {
		r.over(e, c, f)
	}
}

// over reports the end of a turn, after its outcome.
func (r *run) over(e *Engine, c *a2a.Call, f failure) {
	var known *task.Lifecycle
	e.withTask(c.Agent, r.newestTask(), func(k *knownTask) { l := k.Lifecycle; known = &l })
	if attrs := r.outcome(c, known, f); attrs != nil {
		attrs[log.AttrTask], attrs[log.AttrSentence] = e.Mask(attrs[log.AttrTask]), e.Mask(attrs[log.AttrSentence])
		e.note(log.NoteOutcome, attrs)
	}
	sig := signalOf(log.SignalTurnOver, c)
	sig.Sentence, sig.Class, sig.Cause, sig.Page = f.sentence, f.class, f.cause, f.page
	e.signal(sig)
}

// runOf returns the work in progress for a turn, nil if there is none.
func (e *Engine) runOf(turn a2a.TurnID) *run {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.turns[turn]
}

// signalOf returns a signal about a call.
func signalOf(kind log.SignalKind, c *a2a.Call) log.Signal {
	return log.Signal{Kind: kind, Agent: c.Agent, Conversation: c.Conversation, Turn: c.Turn, TaskID: c.TaskID}
}

func (e *Engine) signal(s log.Signal) {
	s.Time = e.o.Now()
	e.o.Recorder.Signal(s)
}

// note records a decision.
func (e *Engine) note(kind string, attrs map[string]string) {
	for k, v := range attrs {
		if v == "" {
			delete(attrs, k)
		}
	}
	e.o.Recorder.Put(a2a.Record{Kind: a2a.KindNote, Time: e.o.Now(), Note: &a2a.Note{Type: kind, Attrs: attrs}}, a2a.Update{})
}

// A failure says why something failed; the zero value is success.
type failure struct {
	sentence, class string
	cause           string // the sentence without its advice, empty if that is not known apart from it
	page            bool   // the answer is a web page
}
