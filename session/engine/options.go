package engine

import (
	"io"
	"net/http"
	"time"

	"parley/a2a"
	"parley/a2a/webhook"
	"parley/session/card"
	"parley/session/journal"
)

// Options are the parameters of an engine. Time, randomness and every secret come from
// here.
type Options struct {
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
	// Saved returns the agent that the user saved under a name, false if there is none. Nil
	// knows no names. It must not block.
	Saved func(name string) (Saved, bool)
	// SinceLastRun compares a card with the one at the same reference and index in an earlier
	// run, and saves it for the next run. It returns nothing without an earlier card. Nil
	// compares with no earlier run.
	SinceLastRun func(ref string, index int, card card.Snapshot) (changes []card.Change, since time.Time)
	// Hold says in a sentence why an agent with this card, at a reference and index, is not used:
	// the card differs from the one that the user approved. It returns nothing for an agent that
	// is used, and nil holds none. It may read and write files.
	Hold func(ref string, index int, c *a2a.Card) string
	// WholeMesh opens every agent of a mesh whose address names none. Otherwise such an address is
	// refused, so that no message goes to an agent that nobody named.
	WholeMesh bool
	// Start is a recorded session that goes on, nil for a new one. The recorder continues its
	// numbers.
	Start *Start
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
	// Resubscribe is how often the engine resubscribes to a task whose stream ended before the task
	// did, with waits as between two gets; after that, or if it is 0, it polls the task.
	Resubscribe int
	// Extended requests the extended card of an agent that declares one, if there are
	// credentials.
	Extended bool
	// Idle is how long an open stream may bring no bytes before a signal reports it; 0 means
	// [a2a.StallAfter], a negative value never.
	Idle time.Duration
	// CheckStreams gets a task once after a stream of it that ended regularly, so that the
	// answer can be compared with the stream.
	CheckStreams bool
	// AuthPolls polls tasks that wait for credentials without being asked to, and follows those
	// that continue. Otherwise [Engine.StartAuthPoll] polls, and its caller follows.
	AuthPolls bool
	// Ahead is how many items may wait in the feed before streams are read more slowly;
	// 0 means any number.
	Ahead int
	// Stdin is read for the reference "-".
	Stdin io.Reader
	// Codings decode answers and deliveries in content codings that the standard library
	// has not.
	Codings a2a.Codings
	// JudgeDelivery verifies the signature of a delivery to a webhook of this address; nil
	// verifies none. It is called by several goroutines.
	JudgeDelivery func(address string, header http.Header, body []byte) webhook.Judgement
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
