package tap

import (
	"crypto/sha256"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"parley/a2a"
	"parley/a2a/hostname"
	"parley/a2a/httphead"
	"parley/session/log"
	"parley/session/tap/relay"
)

// Limits of what is recorded of a delivery.
const (
	maxDelivery = 8 << 20  // bytes of its body
	maxReply    = 64 << 10 // bytes of the body of the webhook's answer
)

// A delivery is what an agent posts to the webhook of a client, as it passes.
type delivery struct {
	tap    *Tap
	hook   *hook // nil if there is none with this name
	client relay.Client
	head   relay.Head

	body    []byte
	omitted int
	record  a2a.RecordID // 0 until it is put
	made    *a2a.Delivery
	sent    []byte
	answer  relay.Head
	reply   []byte
	beyond  int // bytes after reply
}

var _ relay.Exchange = (*delivery)(nil)

// webhookName returns the name of the webhook that a request is for; ok is false if it is for none.
func webhookName(uri string) (name string, ok bool) {
	path, _, _ := strings.Cut(uri, "?")
	_, name, ok = strings.Cut(path, webhookPath)
	return name, ok
}

// beginDelivery observes a delivery.
func (t *Tap) beginDelivery(client relay.Client, head relay.Head, name string) (relay.Exchange, relay.Plan) {
	d := &delivery{tap: t, hook: t.hookOf(name), client: client, head: head}
	plan := relay.Plan{}
	if d.hook != nil {
		plan.Target = hookTarget(d.hook.url)
	}
	if plan.Target == nil || plan.Target.Host == "" {
		plan = relay.Plan{Fault: relay.Fault{Status: http.StatusNotFound}}
	}
	return d, plan
}

// hookTarget returns the address of a webhook with the host that is connected to, nil if there is
// none.
func hookTarget(address string) *url.URL {
	u, err := url.Parse(address)
	if err != nil {
		return nil
	}
	if u, ok := hostname.Mapped(u); ok {
		return u
	}
	return nil
}

// RequestBody takes the next bytes of the delivery.
func (d *delivery) RequestBody(_ time.Time, piece []byte) {
	kept := piece[:min(len(piece), maxDelivery-len(d.body))]
	d.body = append(d.body, kept...)
	d.omitted += len(piece) - len(kept)
}

// RequestEnd records the delivery.
func (d *delivery) RequestEnd(time.Time) { d.put(false) }

// put records the delivery, once.
func (d *delivery) put(torn bool) {
	if d.record != 0 {
		return
	}
	t := d.tap
	call := &a2a.Call{Agent: t.agent, Op: a2a.OpDelivery, Tapped: &a2a.Tapped{Tap: t.Name(), Client: t.clientName(d.client, d.head.Header), Connection: d.client.Connection}}
	call.Delivery = &a2a.DeliveryFacts{}
	if d.client.Addr != nil {
		call.Delivery.Remote = d.client.Addr.String()
	}
	at, sum := d.head.URI, sha256.Sum256(d.body)
	if d.hook == nil {
		call.Delivery.RefusalReason = "address"
	} else {
		t.mu.Lock()
		by := d.hook.call
		i := slices.IndexFunc(d.hook.sums, func(s deliverySum) bool { return s.sum == sum })
		if i >= 0 {
			call.Delivery.Repeats = d.hook.sums[i].record
		}
		t.mu.Unlock()
		call.Conversation, call.Turn, call.TaskID, call.PushID = by.Conversation, by.Turn, by.TaskID, by.PushID
		call.Dialect, call.Binding, call.Endpoint = by.Dialect, by.Binding, by.Endpoint
		at = d.hook.url
	}
	d.made = &a2a.Delivery{
		Call: call, Time: d.head.Time, Body: d.body, Torn: torn || d.omitted > 0, Codings: t.o.Codings, UserSecrets: t.observer.Secrets(),
		Head:    a2a.Head{Method: d.head.Method, URL: at, Proto: d.head.Proto, Header: withHost(d.head.Header, d.head.Host)},
		Message: httphead.Message{Head: d.head.Wire, Complete: true},
	}
	t.settle(nil)
	record, update := d.made.Record()
	record.Omitted = d.omitted
	d.record = t.o.Recorder.Put(record, update)
	d.body = nil
	t.mu.Lock()
	defer t.mu.Unlock()
	if d.hook != nil && call.Delivery.Repeats == 0 && !torn {
		if len(d.hook.sums) == maxSums {
			d.hook.sums = slices.Delete(d.hook.sums, 0, 1)
		}
		d.hook.sums = append(d.hook.sums, deliverySum{sum, d.record})
	}
}

// Sent takes the head as it went to the webhook.
func (d *delivery) Sent(head relay.Head) { d.sent = append(d.sent, head.Wire...) }

// Response takes the head of the webhook's answer.
func (d *delivery) Response(head relay.Head) {
	d.put(false)
	head.Header = head.Header.Clone()
	d.answer = head
}

// ResponseBody takes the next bytes of the webhook's answer.
func (d *delivery) ResponseBody(_ time.Time, piece []byte) {
	kept := piece[:min(len(piece), maxReply-len(d.reply))]
	d.reply = append(d.reply, kept...)
	d.beyond += len(piece) - len(kept)
}

// End records the answer.
func (d *delivery) End(end relay.End) {
	d.put(end.Cause == relay.ClientBroke && d.answer.Status == 0)
	t := d.tap
	raw := []byte(t.observer.MaskText(string(d.reply)))
	over := d.over(&end)
	over.Sent = t.observer.MaskHead(d.sent)
	r := d.made.Answer(0, over, end.Time)
	r.Exchange, r.Raw, r.Omitted = d.record, raw, d.beyond
	switch {
	case d.answer.Status != 0:
		r.Head = &a2a.Head{Status: d.answer.Status, Proto: d.answer.Proto, Wire: t.observer.MaskHead(d.answer.Wire)}
		r.Head.Header, r.Redactions = t.observer.MaskHeader(d.answer.Header)
	case d.hook == nil:
		r.Head = &a2a.Head{Status: http.StatusNotFound}
	}
	t.o.Recorder.Put(r, a2a.Update{})
	if d.hook == nil {
		t.note(log.NoteTap, map[string]string{
			log.AttrTap: t.Name(), log.AttrExchange: log.IDText(d.record),
			log.AttrSentence: "The agent delivered to a webhook that this tap does not know, perhaps from an earlier run: it got the status 404.",
		})
	}
}

// over says how a delivery ended.
func (d *delivery) over(end *relay.End) a2a.End {
	host := "the webhook of the client"
	if u, err := url.Parse(d.at()); err == nil && u.Host != "" {
		host += " at " + a2a.ShownHost(u)
	}
	detail := ""
	if end.Err != nil {
		detail = d.tap.observer.MaskText(end.Err.Error())
	}
	switch {
	case d.hook == nil:
		return a2a.End{Reason: a2a.Ended, Class: "address", Sentence: "No webhook of this tap has this address; the delivery was rejected."}
	case end.Cause == relay.Complete && d.answer.Status/100 == 2:
		return a2a.End{Reason: a2a.Ended}
	case end.Cause == relay.Complete:
		return a2a.End{Reason: a2a.Ended, Class: a2a.ClassStatus, Sentence: fmt.Sprintf("It reached %s, which answered %d.", host, d.answer.Status)}
	case end.Cause == relay.Unreachable:
		over := unreached(end.Err)
		over.Sentence = fmt.Sprintf("It did not reach %s: %s. The agent got the status 502 from the tap.", host, over.Detail)
		return over
	case end.Cause == relay.ClientBroke:
		return a2a.End{Reason: a2a.Cut, Class: a2a.ClassClient, Detail: detail, Sentence: "The agent closed the connection before " + host + " had answered."}
	case end.Cause == relay.AgentBroke:
		return a2a.End{Reason: a2a.Cut, Class: a2a.ClassCut, Detail: detail, Sentence: fmt.Sprintf("%s broke the connection before its answer was complete.", strings.ToUpper(host[:1])+host[1:])}
	case end.Cause == relay.Closed:
		return a2a.End{Reason: a2a.Cancelled, Class: a2a.ClassTap, Sentence: "The tap was closed before " + host + " had answered."}
	default:
		return a2a.End{Reason: a2a.Refused, Class: a2a.ClassTap, Detail: detail, Sentence: "The tap answered in place of " + host + "."}
	}
}

// at returns where the delivery goes.
func (d *delivery) at() string {
	if d.hook == nil {
		return ""
	}
	return d.hook.url
}
