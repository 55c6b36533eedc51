package session

import (
	"context"
	"encoding/json"
	"io"
	"sync"
	"time"

	"parley/a2a"
)

// EngineOptions are the parameters of an engine. Time, randomness and every secret come from
// here.
type EngineOptions struct {
	Recorder *Recorder        // required
	Now      func() time.Time // required
	// After returns a channel that receives once after d, as [time.After] does.
	// Required.
	After func(d time.Duration) <-chan time.Time
	// NewID makes the ids that a client makes: random, never the same twice.
	// Required.
	NewID func() string
	// Client returns the options of a client for an agent opened by ref: credentials, headers,
	// allowed origins. The engine fills in Trace, NewID and Stdin. Nil means the zero options
	// for every agent. Like NewID it is called from several goroutines.
	Client func(ref string) a2a.Options
	// Saved returns the agent that the user saved under a name, false if there is none. Nil
	// knows no names. It must not block.
	Saved func(name string) (Saved, bool)
	// SinceLastRun compares a card with the one at the same reference and index in an earlier
	// run, and saves it for the next run. It returns nothing without an earlier card. Nil
	// compares with no earlier run.
	SinceLastRun func(ref string, index int, card CardSnapshot) (changes []CardChange, since time.Time)
	// PollMin and PollMax bound the wait between two gets of a task that is not
	// streamed; the wait doubles. 0 means 1 s and 30 s.
	PollMin, PollMax time.Duration
	// Patient continues to poll a task although the agent does not report its state. Otherwise
	// two such answers in a row end the polling.
	Patient bool
	// WatchEvery is the wait before an unreachable agent is dialled; the wait doubles up to 30
	// times its value. 0 means 1 s, a negative value never.
	WatchEvery time.Duration
	// Grace is how long a stream may be silent after its task is over before Parley closes it,
	// since some agents never close; 0 means 10 s.
	Grace time.Duration
	// ResultWait is how long Parley waits for an answer that completes an event or a delivery
	// of a task; 0 means 30 s.
	ResultWait time.Duration
	// AskGrace is how long a stream may be silent after its task asked the user for
	// something before its turn is over; the stream stays open. 0 means Grace.
	AskGrace time.Duration
	// Attach is how often the engine resubscribes to a task whose stream ended before the task
	// did, with waits as between two gets; after that, or if it is 0, it polls the task.
	Attach int
	// Extended requests the extended card of an agent that declares one, if there are
	// credentials.
	Extended bool
	// Idle is how long an open stream may bring no bytes before a signal reports it; 0 means
	// [StallAfter], a negative value never.
	Idle time.Duration
	// CheckStreams gets a task once after a stream of it that ended regularly, so that the
	// answer can be compared with the stream.
	CheckStreams bool
	// AuthPolls polls tasks that wait for credentials, see [Engine.StartAuthPoll].
	AuthPolls bool
	// Ahead is how many items may wait in the feed before streams are read more slowly;
	// 0 means any number.
	Ahead int
	// Stdin is read for the reference "-".
	Stdin io.Reader
	// Codings decode answers and deliveries in content codings that the standard library
	// has not.
	Codings a2a.Codings
	// Webhook says where push notifications are received. Nothing listens before the
	// first webhook is registered.
	Webhook WebhookOptions
}

// Saved is an agent that the user saved under a name.
type Saved struct {
	Name string // as the user wrote it, empty for an agent without one
	Ref  string // its file
	// Client returns the options of its client; nil means those that the engine's options give
	// for the reference.
	Client func() a2a.Options
	// Warnings describe faults of the saved agent, for the agent's profile.
	Warnings []string
}

// SendOptions say how a message is sent.
type SendOptions struct {
	Config a2a.SendConfig
	// Stream asks for a stream (True) or for a plain answer (False); Absent
	// streams if the agent's card declares it.
	Stream a2a.Tri
	// Webhook also registers a webhook of Parley for the task.
	Webhook bool
	// Secret is set when the message must not be readable in any record, and Secrets are parts
	// of it to which this applies. No record and no sentence of the engine contains them, even
	// if an agent repeats them.
	Secret  bool
	Secrets []string
	// Extensions are the URIs of extensions that the requests of the turn ask for; nil means
	// those chosen for the agent, see [Engine.SetExtensions].
	Extensions []string
	// Async does not poll a task that is still working when the exchange has ended: the turn is
	// over then.
	Async bool
}

// An Engine owns the agents of a session. Its methods return at once; their results come only
// through the recorder's feed. It is safe for use by several goroutines.
type Engine struct {
	o    EngineOptions
	ctx  context.Context
	stop context.CancelFunc
	work sync.WaitGroup
	// cards serializes card updates; lock it before mu.
	cards sync.Mutex
	// secrets are what the user marked as secret, for any agent.
	secrets a2a.Secrets

	mu     sync.Mutex
	closed bool
	agents map[a2a.AgentID]*remote
	probed map[string]a2a.Probing // by endpoint
	convs  map[a2a.ConversationID]*thread
	turns  map[a2a.TurnID]*run
	// streams are the open streams.
	streams map[*follower]bool
	begun   uint64 // followers so far
	desk    pushDesk
	looked  a2a.AgentID // the agent on the screen
	last    struct {
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
	spoke           answered // how the agent has answered a message, the zero value if it has not
	// extended is set while card is the extended card, which replaces public.
	extended bool
	public   *a2a.Card
	// extensions are requested by every request. The slice is replaced, never changed, and not
	// nil.
	extensions []string
	// metadata is sent with the requests about tasks, a JSON object or nil.
	metadata json.RawMessage
	// everywhere is set when the user wants a card from other addresses too.
	everywhere bool
	client     *a2a.Client
	found      *a2a.Discovery // the newest that found a card
	// origin is that of ref, and endpoint the URL in it that may be one.
	origin, endpoint string
	dial             string             // URL that is dialled while the agent is not reachable
	unwatch          context.CancelFunc // set while the agent is watched
	returns          int                // how often it was away and came back
	tasks            map[string]*known
	look             chan struct{} // try it at once
	dismissed        bool          // the user has closed it
	watched          bool          // it was watched when it was closed
	saved            Saved         // options of its client; Client is nil for the zero options
}

// A thread is a conversation as the engine knows it.
type thread struct {
	agent     a2a.AgentID
	contextID string // from the agent, or made here in dialects whose clients make it
}

// A run is the work in progress for a turn.
type run struct {
	ctx    context.Context
	cancel context.CancelFunc
	open   int // operations
}

// NewEngine returns an engine without agents. Close it when done.
func NewEngine(o EngineOptions) *Engine {
	def := func(d *time.Duration, v time.Duration) {
		if *d == 0 {
			*d = v
		}
	}
	def(&o.PollMin, time.Second)
	def(&o.PollMax, 30*time.Second)
	def(&o.WatchEvery, time.Second)
	def(&o.Grace, 10*time.Second)
	def(&o.AskGrace, o.Grace)
	def(&o.ResultWait, 30*time.Second)
	def(&o.Idle, StallAfter)
	e := &Engine{
		o:      o,
		agents: map[a2a.AgentID]*remote{},
		probed: map[string]a2a.Probing{},
		convs:  map[a2a.ConversationID]*thread{},
		turns:  map[a2a.TurnID]*run{},

		streams: map[*follower]bool{},
	}
	e.ctx, e.stop = context.WithCancel(context.Background())
	return e
}

// Close cancels all work and waits until it has ended.
func (e *Engine) Close() {
	e.mu.Lock()
	e.closed = true
	e.mu.Unlock()
	e.stop()
	e.desk.close()
	e.work.Wait()
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, a := range e.agents {
		if a.client != nil {
			a.client.Close()
		}
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
		e.work.Go(f)
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

// begin notes that an operation of a turn begins.
func (e *Engine) begin(turn a2a.TurnID) context.Context {
	r := e.turns[turn]
	if r == nil {
		r = &run{}
		r.ctx, r.cancel = context.WithCancel(e.ctx)
		e.turns[turn] = r
	}
	r.open++
	return r.ctx
}

// finish notes that an operation of a turn is over, with the reason if it failed. After the
// last one it reports the end of the turn.
func (e *Engine) finish(c *a2a.Call, f failure) {
	e.mu.Lock()
	r := e.turns[c.Turn]
	r.open--
	last := r.open == 0
	if last {
		r.cancel()
		delete(e.turns, c.Turn)
	}
	e.mu.Unlock()
	if last {
		e.over(c, f)
	}
}

// over reports the end of a turn.
func (e *Engine) over(c *a2a.Call, f failure) {
	e.signal(Signal{
		Kind: SignalTurnOver, Agent: c.Agent, Conversation: c.Conversation, Turn: c.Turn,
		TaskID: c.TaskID, Sentence: f.sentence, Class: f.class,
	})
}

func (e *Engine) signal(s Signal) {
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
type failure struct{ sentence, class string }
