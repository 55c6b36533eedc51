package engine

import (
	"cmp"
	"io"
	"net/http"
	"time"

	"parley/a2a"
	"parley/a2a/coding"
	"parley/a2a/webhook"
	"parley/session/card"
	"parley/session/journal"
)

// A Base is what an engine works with. Time, randomness and every secret come from here; nothing in
// it decides how the engine behaves.
type Base struct {
	Recorder *journal.Recorder // required
	Now      func() time.Time  // required
	// After returns a channel that receives once after d, as [time.After] does.
	// Required.
	After func(d time.Duration) <-chan time.Time
	// NewID makes the ids that a client makes: random, never the same twice.
	// Required.
	NewID func() string
	// Secrets are those of the session, which all that shows something of it shares; nil for new ones.
	Secrets *a2a.Secrets
	// Client returns the options of a client for an agent opened by ref: credentials, headers,
	// allowed origins. The engine fills in Trace, NewID and Stdin. Nil means the zero options
	// for every agent. Like NewID it is called from several goroutines. It must not block: the
	// screen waits for it.
	Client func(ref string) a2a.Options
	// Prepare reads what Client needs for a reference, such as secrets in a keyring, before an
	// agent is discovered. It may block. Nil reads nothing.
	Prepare func(ref string)
	// Saved returns what is known of a reference: the agent that the user saved under a name, or
	// one inside Parley; false if it is neither. Nil knows none. It must not block.
	Saved func(name string) (Saved, bool)
	// SinceLastRun compares a card with the one at the same reference and index in an earlier
	// run, and saves it for the next run. It returns nothing without an earlier card. Nil
	// compares with no earlier run.
	SinceLastRun func(ref string, index int, card card.Snapshot) (changes []card.Change, since time.Time)
	// LastCard returns the card at a reference and index that the user approved in an earlier run, with the
	// time of the approval; nil if there is none. It names the endpoint where the card cannot be read now.
	// A nil function knows none. It may read files.
	LastCard func(ref string, index int) (*a2a.Card, time.Time)
	// Hold says in a sentence why an agent with this card, at a reference and index, is not used:
	// the card differs from the one that the user approved. It returns nothing for an agent that
	// is used, and nil holds none. It may read and write files.
	Hold func(ref string, index int, c *a2a.Card) string
	// Stdin is read for the reference "-".
	Stdin io.Reader
	// Codings decode answers and deliveries in content codings that the standard library
	// has not.
	Codings coding.Codings
	// JudgeDelivery verifies the signature of a delivery to a webhook of this address; nil
	// verifies none. It is called by several goroutines.
	JudgeDelivery func(address string, header http.Header, body []byte) webhook.Judgement
	// Webhook says where push notifications are received. Nothing listens before the
	// first webhook is registered.
	Webhook WebhookOptions
}

// A Use is all in which two engines may differ, each member with its reason. The zero value is the
// workbench. Everything else is the same for the screen, scripts, commands and tests: a test of the
// module's root lists every engine with its Use.
type Use struct {
	// Ends is set if the process ends with a turn, as that of a command does. The engine then does
	// not begin what goes on beyond a turn, because nobody would see how it ends: it does not dial
	// agents that are away, polls no task that waits for credentials before it is asked to, gets no
	// extended card and checks no stream. A task that asks for something ends its turn as for a
	// script: the answer belongs to the next process.
	Ends bool
	// Scripted is set if a script answers, which needs no time to read: the turn of a task that asks
	// for something is over once the agent has sent what belongs to the question.
	Scripted bool
	// Poll is the longest wait between two gets of a task, and four times the shortest: the user's
	// value, that of those who wait for the next state and nothing else, or that of a test, whose
	// agents are fast. 0 begins with half a second, and goes to half a minute, because a task may
	// stay on the screen for a day.
	Poll time.Duration
	// Unchecked is set if the user wants no request that they did not ask for: no task is got after
	// its stream for a comparison.
	Unchecked bool
	// Whole opens every agent of a mesh whose address names none, which the user then sees in a
	// list. Otherwise such an address is refused, so that no message goes to an agent that nobody
	// named.
	Whole bool
	// Ahead is how many items may wait in the feed before streams are read more slowly: the screen
	// catches up in bursts, and a command writes at the pace of what reads its output. 0 means any
	// number.
	Ahead int
	// Start is a recorded session that goes on, nil for a new one. The recorder continues its
	// numbers.
	Start *Start
}

// What is the same for all engines.
const (
	// shortestPoll and longestPoll bound the wait between two gets of a task; the wait doubles.
	shortestPoll, longestPoll = time.Second / 2, 30 * time.Second
	// pollGrowth is how often [Use.Poll] has the shortest wait in it.
	pollGrowth = 4
	// resubscribeTries is how often the engine resubscribes to a task whose stream ended before the
	// task did, with waits as between two gets; after that, it polls the task.
	resubscribeTries = 5
	// watchEvery is the wait before an unreachable agent is dialled; the wait doubles.
	watchEvery = time.Second
	// grace is how long a stream may be silent after its task is over before Parley closes it,
	// since some agents never close.
	grace = 2 * time.Second
	// askGrace is how long a stream may be silent after its task asked for something, if nobody
	// reads the question for a while: enough for what the agent sends together with it.
	askGrace = 100 * time.Millisecond
	// resultWait is how long Parley waits for an answer that completes an event or a delivery of a
	// task.
	resultWait = 6 * time.Second
)

// options are what a [Base] and a [Use] come to. The tests of this package set them one by one.
type options struct {
	Base
	Use
	PollMin, PollMax time.Duration // between two gets of a task
	// WatchEvery is the wait before an unreachable agent is dialled; a negative value never dials.
	WatchEvery  time.Duration
	Grace       time.Duration // of a stream whose task is over
	AskGrace    time.Duration // of a turn whose task asked for something; the stream stays open
	ResultWait  time.Duration // for an answer that completes an event or a delivery of a task
	Resubscribe int           // how often
	Extended    bool          // the extended card is requested, if there are credentials
	// Idle is how long an open stream may bring no bytes before a signal reports it; a negative
	// value never reports.
	Idle time.Duration
	// CheckStreams gets a task once after a stream of it that ended regularly, so that the
	// answer can be compared with the stream.
	CheckStreams bool
	// AuthPolls polls tasks that wait for credentials without being asked to, and follows those
	// that continue. Otherwise [Engine.StartAuthPoll] polls, and its caller follows.
	AuthPolls bool
}

// optionsFor returns the options of an engine.
func optionsFor(base Base, use Use) options {
	o := options{
		Base: base, Use: use,
		PollMin: shortestPoll, PollMax: longestPoll, WatchEvery: watchEvery,
		Grace: grace, AskGrace: grace, ResultWait: resultWait, Resubscribe: resubscribeTries, Idle: a2a.StallAfter,
		Extended: !use.Ends, CheckStreams: !use.Ends && !use.Unchecked, AuthPolls: !use.Ends,
	}
	if use.Poll > 0 {
		o.PollMin = max(use.Poll/pollGrowth, time.Millisecond)
		o.PollMax = max(use.Poll, o.PollMin)
	}
	if use.Ends {
		o.WatchEvery = -1
	}
	if use.Ends || use.Scripted {
		o.AskGrace = askGrace
	}
	o.Secrets = cmp.Or(o.Secrets, &a2a.Secrets{})
	return o
}

// Saved is an agent that the user saved under a name, or one inside Parley.
type Saved struct {
	Name string // as the user wrote it, empty for an agent without one
	Ref  string // its file
	// Client returns the options of its client; nil means those that the engine's options give
	// for the reference.
	Client func() a2a.Options
	// Warnings describe faults of the saved agent, for the agent's profile.
	Warnings []string
	// Embedded says that the agent is one of those inside Parley, and ends with it.
	Embedded bool
}
