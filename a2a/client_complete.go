package a2a

import (
	"context"
	"errors"
	"net/http"
	"strings"

	"parley/a2a/coding"
)

// conditional reports whether the request asked for an answer only if it has changed.
func (x *exchange) conditional() bool {
	h := x.out.header
	return h.Get("If-None-Match") != "" || h.Get("If-Modified-Since") != ""
}

// complete returns the end of an answer, of which the tail follows the last event. If the connection broke
// after the task was over, nothing is lost: the answer counts as complete, and [End.Break] says the rest.
// A break before that, or within another event, stays one.
func (x *exchange) complete(ctx context.Context, end End, tail []byte) End {
	fault, coded := errors.AsType[*coding.Error](x.cause)
	coded = coded && (fault.Torn || x.tally.Streamed) // a document with a wrong checksum may be another one
	broke := end.Reason == Cut && (end.Class == ClassCut || coded) || end.Reason == TimedOut && end.Class == ClassTimeout
	if !broke || ctx.Err() != nil || torn(tail) || !x.allThere() {
		return end
	}
	said := end.Sentence
	if rest, ok := strings.CutPrefix(said, "The "); ok {
		said = "the " + rest
	}
	if coded {
		said = "its content coding " + fault.Coding + " broke"
	}
	x.cause = nil
	return End{Reason: Ended, Break: strings.TrimSuffix(said, "."), Detail: end.Detail, Trailer: end.Trailer}
}

// allThere reports whether the answer so far says all there is to say.
func (x *exchange) allThere() bool {
	t := &x.tally
	if t.Streamed || !x.document || t.decodeErr != nil || t.rpcErr != nil || t.status < http.StatusOK || t.status > 299 {
		return t.over()
	}
	message := len(t.Last.Events) == 1 && t.Last.Events[0].Kind == EventMessage
	return message || t.task && t.settled()
}

// settled reports whether the task needs nothing more of the agent in this answer.
func (t *tally) settled() bool { return t.State.Terminal() || t.State.Interrupted() }

// over reports whether a stream reported that its task is over, or waits for the user, and did not say
// that another status follows.
func (t *tally) over() bool {
	return t.Streamed && t.task && t.settled() && (t.Final || !t.notFinal)
}
