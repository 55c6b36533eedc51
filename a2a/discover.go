package a2a

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"time"

	"parley/a2a/aicatalog"
	"parley/a2a/foreign"
)

// cardTimeout bounds one attempt to get a card, if Options say nothing.
const cardTimeout = 15 * time.Second

// A Discovery is the result of a search for cards.
type Discovery struct {
	Card    *Card   // the first of Cards, nil if none was found
	Cards   []*Card // several if the address returns an array of cards
	Profile Profile // of Card
	// Record is the body that contains the cards.
	Record RecordID
	// Origin is the origin of the reference, which the user thereby named. It belongs in
	// Options.UserAddresses of the agent's Client. Empty for files.
	Origin string
	// CardOrigin is the origin of the card if the user did not name it: a catalog did, or a redirect
	// led there. It is empty otherwise.
	CardOrigin string
	// Endpoint is the URL that was given, to be tried as an endpoint if there is no
	// card. Empty for files and for URLs that can only be a card's.
	Endpoint string
	Attempts []Lookup // every place that was tried, the last one is the card's
	// Announced are the names of the agents of a mesh that announced themselves, if the address
	// names none of them.
	Announced []string
	// Warnings are about where the card was found; Profile.Warnings has them too.
	Warnings []string
	// Sentence and Class say why no card was found, both empty if one was.
	Sentence, Class string

	// cause is the first part of Sentence, see [Discovery.Cause], unread that of the first fault of an address.
	cause, unread string
	// place is the address of the cards and etag their version there.
	place, etag string
	// asked says that place asks for credentials.
	asked bool
}

// tell says why no card was found.
func (d *Discovery) tell(w wording) { d.Sentence, d.cause = w.sentence(), w.cause }

// Cause says in a clause why no card was found, without the advice of the sentence.
func (d *Discovery) Cause() string { return cmp.Or(d.cause, strings.TrimSuffix(d.Sentence, ".")) }

// Unread says in a clause what came in place of a card that is known to be there.
func (d *Discovery) Unread() string { return cmp.Or(d.unread, d.Cause()) }

// Discover finds the card of anything a user can paste: a host, a base URL, a URL below a path,
// a card's own URL, a file, or "-" for Options.Stdin (specification 0.3 §5.3, 1.0 §8.2). All
// requests belong to call and ask for a 1.0 card. The user named the origin of the reference.
func Discover(ctx context.Context, ref string, call *Call, o Options, hooks Hooks) Discovery {
	d := discoverer{options: &o, hooks: hooks}
	if call != nil {
		d.call = *call
	}
	d.call.Op = OpCard
	if o.Secrets == nil {
		o.Secrets = &Secrets{} // also of the sources that make no client
	}
	ref, whole := o.Secrets.Restore(ref)
	r, problem := parseReference(ref)
	switch {
	case !whole:
		return Discovery{Sentence: unknownMask("address"), Class: ClassNoCard}
	case problem != "":
		return Discovery{Sentence: problem, Class: ClassNoCard}
	case r.stdin && o.Stdin == nil:
		return Discovery{Sentence: "There is no standard input from which to read a card: give a file or a URL.", Class: ClassNoCard}
	case r.entry != "":
		d.entry(ctx, &r)
	case r.stdin:
		d.file("stdin", io.NopCloser(o.Stdin), nil)
	case r.file != "":
		f, err := os.Open(r.file)
		d.file(r.file, f, err)
	case r.mesh.Broker != "":
		d.mesh(ctx, r.mesh)
	case r.rpc != "":
		d.rpc(ctx, r.rpc)
	default:
		d.web(ctx, r.url)
	}
	if d.result.Card != nil {
		d.result.Profile.Warnings = append(d.result.Profile.Warnings, d.result.Warnings...)
	}
	return d.result
}

// A discoverer tries one address after the other.
type discoverer struct {
	options   *Options
	hooks     Hooks
	call      Call
	reference *url.URL // what the user gave
	result    Discovery
	worst     int    // how informative result.Sentence is
	page      string // the first web page at an address of a card, a clause
}

// web tries the possible addresses of the card of a URL.
func (d *discoverer) web(ctx context.Context, u *url.URL) {
	o := *d.options
	o.UserAddresses = append(slices.Clone(o.UserAddresses), u.String())
	w := newWire(&o, o.Card)
	w.creds.apiKey = "" // a public card says where a key goes, and does not require one
	defer w.close()
	w = d.reserved(w, originOf(u))
	d.reference, d.result.Origin, d.result.Endpoint = u, originOf(u), endpointIn(u)
	for _, place := range locations(u) {
		if d.try(ctx, w, place) {
			break
		}
	}
	if d.result.Class == ClassAuth && !slices.ContainsFunc(d.result.Attempts, func(a Lookup) bool { return a.Status != http.StatusUnauthorized }) {
		d.result.Sentence += fmt.Sprintf(" It answers so at each address that was asked (%d).", len(d.result.Attempts))
	}
	if d.result.Card == nil && d.result.Sentence == "" {
		d.result.Class = ClassNoCard
		d.result.tell(wording{fmt.Sprintf("There is no agent card at %s: %s", hostPort(u), attemptsClause(d.result.Attempts)+d.page),
			". Check the address, or give the URL of the card itself."})
		if w.reserve != nil {
			d.result.Sentence += " Credentials were not sent, because no answer asked for them: --svc-param sends a header all the same."
		}
	}
}

// reserved returns a wire that keeps credentials back until the server of a card asks for them,
// unless it did so before.
func (d *discoverer) reserved(w *wire, origin string) *wire {
	if d.known(origin) {
		return w
	}
	return w.reserved(d.options.Card)
}

// known reports whether an earlier request for a card at an origin was asked for credentials.
func (d *discoverer) known(origin string) bool {
	before := d.options.Previous
	return before != nil && before.asked && Origin(before.place) == origin
}

// try requests one address and reports whether the search is over.
func (d *discoverer) try(ctx context.Context, w *wire, place location) (over bool) {
	limited, cancel := d.withTimeout(ctx)
	defer cancel()
	call := d.call
	call.Endpoint, _ = w.mask.url(place.url)
	header := http.Header{"Accept": {"application/json"}}
	if newest, ok := LookupDialect(V10); ok {
		maps.Copy(header, newest.Headers(OpCard)) // without it some agents hide their 1.0 interfaces
	}
	known := d.options.Previous
	if known != nil && (known.Card == nil || known.etag == "" || known.place != place.url) {
		known = nil
	}
	if known != nil {
		header.Set("If-None-Match", known.etag)
	}
	out := w.exchange(call, d.hooks).perform(limited, outgoingRequest{method: http.MethodGet, url: place.url, header: header}, byUser)

	attempt := Lookup{URL: call.Endpoint, Record: out.Exchange, Status: out.Status}
	d.forgive(&out)
	if known != nil && out.Status == http.StatusNotModified {
		d.result.Attempts = append(d.result.Attempts, attempt)
		d.take(known.Cards, known.Record)
		d.result.Warnings = known.Warnings
		d.result.place, d.result.etag, d.result.asked = known.place, known.etag, known.asked || out.asked
		return true
	}
	if cards := cardsIn(out.Last); out.Status == http.StatusOK && out.End.Reason == Ended && len(cards) > 0 {
		d.result.Attempts = append(d.result.Attempts, attempt)
		d.take(cards, out.record)
		if from := Origin(out.target); from != originOf(d.reference) {
			d.result.CardOrigin = from
		}
		d.result.place, d.result.etag, d.result.asked = place.url, out.etag, out.asked || w.reserve == nil && d.known(originOf(d.reference))
		if place.elsewhere && !declares(cards[0], d.reference) {
			d.result.Warnings = append(d.result.Warnings, fmt.Sprintf(
				"The card of %s was found at %s, not below the given address: check that it is the agent you mean.",
				cards[0].Name, call.Endpoint))
		}
		return true
	}
	sentence, cause, class := noCard(&out, attempt.URL)
	if attempt.Sentence, attempt.Class = sentence, class; out.Said != "" && out.Status != http.StatusOK {
		from, _ := w.mask.url(out.target)
		cause = from + " answered " + out.Said
	}
	if attempt.Class == ClassBody && out.page != "" && d.page == "" {
		cause = attempt.URL + " answered with " + out.page
		d.page = "; " + cause
	}
	if d.result.unread == "" && attempt.IsFault() {
		d.result.unread = cause
	}
	d.result.Attempts = append(d.result.Attempts, attempt)
	return d.weigh(&out, attempt, cause, place.given)
}

// withTimeout bounds one attempt.
func (d *discoverer) withTimeout(ctx context.Context) (context.Context, context.CancelFunc) {
	timeout := d.options.AnswerTimeout
	if timeout <= 0 {
		timeout = cardTimeout
	}
	return context.WithTimeoutCause(ctx, timeout, &timeoutError{after: timeout})
}

// take accepts cards.
func (d *discoverer) take(cards []*Card, record RecordID) {
	d.result.Card, d.result.Cards, d.result.Record = cards[0], cards, record
	d.result.Profile = DetectAs(cards[0], d.options.Pins)
	d.result.Sentence, d.result.Class = "", ""
}

// weigh keeps the most informative failure and reports whether further attempts are useless:
// the host does not exist, requires credentials, or must not get them. What stands at the given
// address, which is no card's own, is often meant for browsers.
func (d *discoverer) weigh(out *Answer, a Lookup, cause string, given bool) (over bool) {
	rank := 0
	switch {
	case out.End.Reason == Refused || out.End.Reason == TimedOut || out.End.Reason == Cancelled:
		rank, over = 6, true
	case a.Class == ClassLimit, // the next card may be as long
		a.Class == ClassCatalog:
		rank, over = 6, true
	case a.Class == ClassNoCredentials || a.Class == ClassAuth:
		rank, over = 6, !d.options.Everywhere
	case a.Class == ClassBadCard && !given:
		rank = 5
	case out.Status >= 500 && !given:
		rank = 4
	case a.Class == ClassStatus && refusesMore(out.Status):
		rank = 3
		a.Sentence, a.Class = "There is no agent card: "+a.Sentence, ClassNoCard
	case a.Class == ClassBadCard, out.Status >= 500:
		rank = 2
	case out.End.Reason == Cut, a.Class == ClassRedirect:
		rank = 1
	}
	if rank > d.worst {
		d.worst = rank
		d.result.Sentence, d.result.cause, d.result.Class = a.Sentence, cause, a.Class
	}
	return over
}

// refusesMore reports whether a status refuses a request for another reason than that there is nothing at
// its address.
func refusesMore(status int) bool {
	switch status {
	case http.StatusNotFound, http.StatusMethodNotAllowed, http.StatusGone:
		return false
	}
	return status >= 400 && status < 500
}

// noCard says why an answer is not a card, and the same without advice. What came from an address instead
// of one is quoted.
func noCard(out *Answer, place string) (sentence, cause, class string) {
	if out.End.Class != "" {
		return out.End.Sentence, out.End.Cause(), out.End.Class
	}
	if doc, ok := aicatalog.Parse(out.body, httpURL(out.target)); ok {
		w := catalogWording(doc)
		return w.sentence(), w.cause, ClassCatalog
	}
	_, _, failure := ParseCard(out.body, "")
	if failure == nil {
		cause = "The answer is a card, but Parley cannot use it with " + statusText(out.Status)
		return cause + ".", cause, ClassBadCard
	}
	sentence, cause = asSentence(failure.Sentence), failure.what
	body := bytes.TrimSpace(out.body)
	said := firstLine([]byte(foreign.Words(body)))
	switch {
	case place == "" || said == "":
	case failure.Cause == nil:
		cause = fmt.Sprintf("%s answered %s with “%s”", place, statusText(out.Status), said)
		sentence = cause + ". " + sentence
	case !startsJSON(body) && !foreign.IsHTML(body):
		cause = fmt.Sprintf("%s answered %s with “%s”, which is no agent card", place, statusText(out.Status), said)
		sentence = cause + ": check the address."
	}
	return sentence, cause, ClassBadCard
}

// declares reports whether a card names the URL that a user gave as an endpoint.
func declares(c *Card, u *url.URL) bool {
	return slices.ContainsFunc(c.Interfaces, func(i Interface) bool {
		return strings.TrimRight(i.URL, "/") == strings.TrimRight(u.String(), "/")
	})
}

// cardsIn returns the cards of an update.
func cardsIn(u Update) []*Card {
	var cards []*Card
	for i := range u.Events {
		if u.Events[i].Kind == EventCard && u.Events[i].Card != nil {
			cards = append(cards, u.Events[i].Card)
		}
	}
	return cards
}

// attemptsClause counts attempts for a sentence.
func attemptsClause(attempts []Lookup) string {
	same := true
	for _, a := range attempts {
		same = same && a.Status == attempts[0].Status
	}
	switch {
	case len(attempts) == 1:
		return "the one address tried answers " + statusText(attempts[0].Status)
	case same:
		return fmt.Sprintf("all %d addresses tried answer %s", len(attempts), statusText(attempts[0].Status))
	default:
		return fmt.Sprintf("none of the %d addresses tried has one", len(attempts))
	}
}

// file reads a card from an opened file. The trace gets it as an exchange that never crossed
// the wire, so that a recording holds the card too.
func (d *discoverer) file(name string, f io.ReadCloser, err error) {
	d.call.Endpoint = name
	attempt := d.local(name, shownFile(name), f, err, d.card)
	d.result.Attempts = append(d.result.Attempts, attempt)
	if d.result.Card == nil {
		d.result.Sentence, d.result.Class = attempt.Sentence, attempt.Class
	}
}

// local reads a file as an exchange that never crossed the wire, and passes its content to use.
func (d *discoverer) local(name, shown string, f io.ReadCloser, err error, use func(*exchange, []byte, *Lookup)) Lookup {
	x := newWire(d.options, nil).exchange(d.call, Hooks{})
	x.id = x.put(Record{Kind: KindRequest, Dir: Local, Head: &Head{Method: "READ", URL: shown}}, Update{})
	var raw []byte
	if err == nil {
		raw, err = readAtMost(nil, f, d.options.Limits.at(LimitCard))
		_ = f.Close() // no request was written
	}
	attempt := Lookup{URL: shown, Record: x.id}
	end := End{Reason: Ended}
	if err != nil {
		end = End{Reason: Refused, Class: ClassNoCard, Sentence: fileSentence(name, err), Detail: innermost(err)}
	} else {
		use(x, raw, &attempt)
	}
	if end.Class != "" {
		attempt.Sentence, attempt.Class = end.Sentence, end.Class
	}
	x.put(Record{Kind: KindEnd, Dir: Local, End: &end}, Update{})
	return attempt
}

// card decodes the content of a file.
func (d *discoverer) card(x *exchange, raw []byte, attempt *Lookup) {
	u := Decode(x.call, Input{Body: raw})
	record := x.put(Record{Kind: KindBody, Dir: Local, Raw: raw}, u)
	if cards := cardsIn(u); len(cards) > 0 {
		d.take(cards, record)
		return
	}
	attempt.Sentence, _, attempt.Class = noCard(&Answer{body: raw}, "")
}
