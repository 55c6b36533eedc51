package tap

import (
	"cmp"
	"net/url"
	"strings"
	"sync"
	"time"

	"parley/a2a"
	"parley/a2a/coding"
	"parley/internal/crash"
	"parley/session/journal"
	"parley/session/log"
	"parley/session/tap/relay"
)

// Numbers gives the agents, conversations and turns behind taps their numbers in the session.
type Numbers interface {
	NextAgent() a2a.AgentID
	NextConversation(agent a2a.AgentID) a2a.ConversationID
	NextTurn() a2a.TurnID
}

// Options are the parameters of a tap.
type Options struct {
	// Name is what the user calls the tap and the agent; empty means the host of the agent.
	Name   string
	Target *url.URL // of the agent: scheme and host count
	// Recorder takes the records. Now is the time of notes.
	Recorder *journal.Recorder
	Now      func() time.Time
	// Numbers are shared by all that records in the session; nil counts from 1.
	Numbers Numbers
	// Secrets are shared by the taps of a run, so that equal credentials have equal hashes; nil is a
	// set of its own. SecretMembers and Public are as in [a2a.Options].
	Secrets       *a2a.Secrets
	SecretMembers []string
	Public        a2a.PublicNames
	Codings       coding.Codings
	Limits        a2a.Limits // of what is recorded; everything passes
	Format        a2a.Format // of gRPC
	// AfterFunc calls a function later, as [time.AfterFunc] does, until it is stopped; nil is that.
	AfterFunc func(time.Duration, func()) (stop func() bool)
	// Elsewhere returns the base of a tap for another origin, empty if there is none.
	Elsewhere func(origin string) string
}

// A Tap observes the exchanges between clients and one agent. It is safe for use by several
// goroutines.
type Tap struct {
	o        Options
	agent    a2a.AgentID
	origin   string // of the agent
	observer *a2a.Observer

	mu       sync.Mutex
	places   places
	open     map[*exchange]bool
	counts   Counts
	opened   bool               // the agent is known to the session
	cards    map[a2a.Op]cardSum // the newest by the operation that brought it
	profiles []a2a.Way          // how the agent's card says that it speaks, the best first
	rest     bool               // a request of HTTP+JSON was seen for certain
	base     string             // where clients reach the tap, empty until it is known
	hooks    hooks
	trials   []*trial // the oldest first

	faults Faults
}

var _ relay.Observer = (*Tap)(nil)

// Counts are what a tap has seen.
type Counts struct {
	Exchanges int // that began
	Open      int // that have not ended
	Other     int // that are no requests of A2A
}

// New returns a tap. [Tap.At] completes it.
func New(o Options) *Tap {
	if o.Numbers == nil {
		o.Numbers = &counter{}
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.AfterFunc == nil {
		o.AfterFunc = func(d time.Duration, f func()) func() bool { return time.AfterFunc(d, crash.Guarded(f)).Stop }
	}
	t := &Tap{o: o, agent: o.Numbers.NextAgent(), origin: o.Target.Scheme + "://" + o.Target.Host, open: map[*exchange]bool{}, cards: map[a2a.Op]cardSum{}}
	t.observer = a2a.NewObserver(a2a.ObserverOptions{
		Target: o.Target, Secrets: o.Secrets, SecretMembers: o.SecretMembers, Public: o.Public,
		Codings: o.Codings, Limits: o.Limits, Format: o.Format, Trace: o.Recorder.Trace(o.Now),
	})
	return t
}

// Name returns the name of the tap.
func (t *Tap) Name() string { return cmp.Or(t.o.Name, t.o.Target.Host) }

// At says where clients and the agent reach the tap, [relay.Relay.URL], and notes the agent in the
// session. It is called once, before the first exchange. The path of the address is the token of the
// tap, which is masked.
func (t *Tap) At(base string) {
	if u, err := url.Parse(base); err == nil {
		t.observer.Know(strings.Trim(u.Path, "/"))
	}
	t.mu.Lock()
	t.base = strings.TrimRight(base, "/")
	t.mu.Unlock()
	shown := t.observer.MaskText(base)
	t.note(log.NoteOpening, map[string]string{
		log.AttrRef: t.ref(), log.AttrName: t.o.Name, log.AttrTap: t.Name(), log.AttrTapAddress: shown,
		log.AttrSentence: "A tap at " + shown + " stands in front of " + t.ref() + ".",
	})
}

// Agent returns the number of the agent in the session.
func (t *Tap) Agent() a2a.AgentID { return t.agent }

// Close gives the verdicts that are missing. The relay must be closed before.
func (t *Tap) Close() { t.endTrials() }

// Counts returns what the tap has seen so far.
func (t *Tap) Counts() Counts {
	t.mu.Lock()
	defer t.mu.Unlock()
	c := t.counts
	c.Open = len(t.open)
	return c
}

// ref is how the session names the agent.
func (t *Tap) ref() string { return a2a.MaskReference(t.o.Target.String()) }

// note puts a note about the agent.
func (t *Tap) note(kind string, attrs map[string]string) {
	all := map[string]string{log.AttrAgent: log.IDText(t.agent)}
	for name, value := range attrs {
		if value != "" {
			all[name] = value
		}
	}
	t.o.Recorder.Put(a2a.Record{Kind: a2a.KindNote, Time: t.o.Now(), Note: &a2a.Note{Type: kind, Attrs: all}}, a2a.Update{})
}

// settle returns when everything that has passed is recorded.
func (t *Tap) settle(but *exchange) {
	t.mu.Lock()
	var waiting []*a2a.Observed
	for x := range t.open {
		if x != but && x.answering != nil {
			waiting = append(waiting, x.answering)
		}
	}
	t.mu.Unlock()
	for _, seen := range waiting {
		seen.Settle()
	}
}

// A counter numbers from 1.
type counter struct {
	mu    sync.Mutex
	agent a2a.AgentID
	conv  a2a.ConversationID
	turn  a2a.TurnID
}

// NextAgent returns the next number.
func (c *counter) NextAgent() a2a.AgentID {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.agent++
	return c.agent
}

// NextConversation returns the next number.
func (c *counter) NextConversation(a2a.AgentID) a2a.ConversationID {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.conv++
	return c.conv
}

// NextTurn returns the next number.
func (c *counter) NextTurn() a2a.TurnID {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.turn++
	return c.turn
}
