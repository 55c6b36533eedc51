package a2a

// Why is the reason of a request that Parley made.
type Why string

// The reasons. The requests of [Why.Own] only repeat or replace one before them, so that nothing in them
// is the user's doing.
const (
	WhyFirst          Why = ""               // the user asked for it
	WhyNextInterface  Why = "next interface" // the interface before, which the card names too, was not reached, or nothing answered there
	WhyOtherDialect   Why = "other dialect"  // the agent did not know the method or the path in the way before
	WhyWithoutWebhook Why = "no webhook"     // the agent refused the webhook of the message
	WhyWithoutStream  Why = "no stream"      // the agent does not stream
	WhyCredentials    Why = "credentials"    // the server asked for credentials, which were kept back or too old
	WhyRedirected     Why = "redirected"     // the server named another address
	WhyAskedAgain     Why = "asked again"    // the answer before may have been a mistake
	WhyResubscribed   Why = "resubscribed"   // the stream of the task ended before the task
	WhyNewTask        Why = "new task"       // the agent does not know the task any more
)

// Own reports whether Parley made the request by itself, after another one for the same purpose.
func (w Why) Own() bool { return w != WhyFirst }

// sendsMessage reports whether the call gives the agent a message to work on.
func (c *Call) sendsMessage() bool { return c.Op == OpSend || c.Op == OpStream }

// onTask says what a request does that is about a task that is there, empty for another one and for a
// request that the user wrote: its failure is no reason to send the message again.
func (c *Call) onTask() string {
	switch {
	case c.Raw:
	case c.Op == OpGet, c.Op == OpSubscribe:
		return "ask for the task"
	case c.Op == OpCancel:
		return "cancel the task"
	}
	return ""
}
