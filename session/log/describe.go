package log

import (
	"bytes"
	"cmp"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"parley/a2a"
	"parley/a2a/hostname"
	"parley/a2a/jsontok"
	"parley/internal/units"
	"parley/session/problem"
	"parley/session/task"
)

// Describe describes a record in one line: "SendStreamingMessage", "200 text/event-stream",
// "task submitted", "artifact itinerary +64 B", "-32001 TaskNotFound", "end · closed by agent".
// It quotes agents, so it must be sanitised before it reaches a terminal; its own text is ASCII
// except for the middle dot between two parts.
func Describe(it *Item) string {
	if it.descriptions != nil {
		return string(Described(it))
	}
	what, tail := Words(it)
	return what + tail
}

// Described returns the text of [Describe] as bytes, which must not be changed. Many items of a
// [Scanner] share them.
func Described(it *Item) []byte {
	if said, ok := it.descriptions[it.text]; ok {
		return said
	}
	what, tail := Words(it)
	said := []byte(what + tail)
	if it.descriptions != nil {
		it.descriptions[it.text] = said
	}
	return said
}

// describe describes all records except those that only extend an artifact.
func describe(it *Item) string {
	r := &it.Record
	switch r.Kind {
	case a2a.KindRequest:
		return DescribeRequest(r)
	case a2a.KindHead:
		return describeHead(r)
	case a2a.KindEnd:
		if s := describeUpdate(it); s != "" {
			return s + " · " + describeEnd(r.End)
		}
		if r.Call != nil && r.Call.Op == a2a.OpDelivery && r.Head != nil {
			return "answered " + strconv.Itoa(r.Head.Status)
		}
		return "end · " + describeEnd(r.End) + describeStatusOf(r.End)
	case a2a.KindNote:
		return describeNote(r.Note)
	case a2a.KindSurplus:
		return "surplus after the answer"
	default:
		if s := describeForeign(it); s != "" {
			return s
		}
		if s := describeUpdate(it); s != "" {
			return s
		}
		if len(r.Raw) == 0 {
			return "empty body"
		}
		return "body"
	}
}

// describeForeign describes what is legal on the wire but not A2A: a file from a gateway, or a
// frame by its sender's name for it: "ping", "close · task ended", "[DONE]"; empty for others.
func describeForeign(it *Item) string {
	if len(it.Update.Events) != 1 || it.Update.Events[0].Kind != a2a.EventNotA2A {
		return ""
	}
	if name := downloadName(&it.Record); name != "" {
		return name + " " + units.Bytes(int64(len(it.Record.Raw)))
	}
	name, why := "", ""
	if it.Record.SSE != nil {
		name = it.Record.SSE.Event
	}
	var doc jsontok.Doc
	raw := bytes.TrimSpace(it.Update.Events[0].Raw)
	if len(raw) <= 4096 && doc.Parse(raw) == nil {
		why = doc.Root().GetAny("reason").Text()
		if name == "" || name == "message" {
			name = doc.Root().GetAny("type", "event").Text()
		}
	} else if name == "" {
		name = string(raw)
	}
	words := problem.Clip(cmp.Or(name, "keep-alive"))
	if why != "" {
		words += " · " + problem.Clip(why)
	}
	return words
}

// downloadName names what a call downloads, "artifact report.pdf" or "catalog"; empty for other
// calls.
func downloadName(r *a2a.Record) string {
	if r.Call != nil && r.Call.Op == a2a.OpCatalog && (r.Dir != a2a.Local || r.Kind != a2a.KindRequest) {
		return "catalog"
	}
	if r.Call == nil || r.Call.Op != a2a.OpArtifact {
		return ""
	}
	link, err := a2a.ParseArtifactURI(r.Call.URI)
	if u, bad := url.Parse(r.Call.URI); err != nil && bad == nil && hostname.OfLink(r.Call.URI) != "" {
		return "file at " + a2a.ShownHost(u)
	}
	if err != nil {
		return "artifact"
	}
	return "artifact " + problem.Clip(link.String())
}

// describeDelivery describes a delivery to a webhook, and why it changed nothing if so:
// "delivery task completed", "delivery status working" and " · late". On a broker it is a message
// that belongs to no open answer.
func describeDelivery(it *Item) (what, tail string) {
	what = "delivery"
	if h := it.Record.Head; h != nil && a2a.IsMesh(h.URL) {
		what = "stray"
	}
	if s := describeUpdate(it); s != "" {
		what += " " + s
	}
	if why := it.Fate.String(); why != "" {
		tail = " · " + why
	}
	return what, tail
}

// DescribeRequest names the method of a request, or its line if the body names none.
func DescribeRequest(r *a2a.Record) string {
	switch called := describeCalled(r); {
	case r.Call == nil:
		return called
	case r.Call.Check:
		return called + " · check"
	case r.Call.AuthPoll:
		return called + " · signed in?"
	case r.Call.Rest:
		return called + " · result"
	case r.Call.EditedFrom != 0:
		return called + " · edited from #" + IDText(r.Call.EditedFrom)
	case r.Call.Why.Own() && r.Call.Guess:
		return called + " · " + string(r.Call.Why) + ", a guess"
	case r.Call.Why.Own():
		return called + " · " + string(r.Call.Why)
	default:
		return called
	}
}

// describeCalled names the called method.
func describeCalled(r *a2a.Record) string {
	if name := downloadName(r); name != "" {
		return "GET " + name
	}
	if m := named(r); m != "" {
		return m
	}
	if r.Head == nil {
		return "request"
	}
	path := r.Head.URL
	if u, err := url.Parse(r.Head.URL); err == nil {
		path = u.RequestURI()
	}
	return problem.Clip(r.Head.Method + " " + path)
}

func describeHead(r *a2a.Record) string {
	if r.Head == nil {
		return "response"
	}
	if r.Head.Status == 0 {
		return "no HTTP head"
	}
	s := strconv.Itoa(r.Head.Status)
	if strings.HasPrefix(r.Head.Proto, "MQTT") {
		return problem.Clip(strings.Join(append([]string{r.Head.Proto}, r.Head.Header[":puback"]...), " · "))
	}
	if strings.HasPrefix(r.Head.Proto, "gRPC") {
		return problem.Clip(r.Head.Proto) // its status comes at the end
	}
	ct, _, _ := strings.Cut(r.Head.Header.Get("Content-Type"), ";")
	if ct = strings.TrimSpace(ct); ct != "" {
		s += " " + problem.Clip(ct)
	}
	if coding := r.Head.Header.Get("Content-Encoding"); coding != "" && !strings.EqualFold(coding, "identity") {
		s += " · " + problem.Clip(coding)
	}
	return s
}

func describeEnd(e *a2a.End) string {
	if e == nil {
		return "without a reason"
	}
	switch e.Reason {
	case a2a.Ended:
		if e.Break != "" {
			return "complete, then broken"
		}
		return "closed by agent"
	case a2a.Cut:
		switch e.Class {
		case a2a.ClassSevered:
			return "cut by you"
		case a2a.ClassUnrecorded:
			return "recording ends"
		case a2a.ClassLimit:
			return "cut at a limit"
		}
		return "cut off"
	case a2a.Cancelled:
		return "closed by Parley"
	case a2a.TimedOut:
		if e.Class == a2a.ClassGivenUp {
			return "given up"
		}
		return "timed out"
	case a2a.Refused:
		switch e.Class {
		case "", a2a.ClassRefused:
			return "refused"
		case a2a.ClassOrigin, a2a.ClassUnencrypted, a2a.ClassUnsupported:
			return "not sent (" + e.Class + ")"
		}
		return "refused (" + problem.Clip(e.Class) + ")"
	default:
		return problem.Clip(string(e.Reason))
	}
}

// describeStatusOf describes the status of gRPC at the end of an exchange: " · NOT_FOUND"; empty
// for a success and over other bindings.
func describeStatusOf(e *a2a.End) string {
	if e == nil || e.Trailer == nil {
		return ""
	}
	code, err := strconv.ParseInt(e.Trailer.Header.Get("Grpc-Status"), 10, 64)
	if err != nil || code == 0 {
		return ""
	}
	word, _ := a2a.GRPCStatus(code)
	return " · " + word
}

func describeNote(n *a2a.Note) string {
	if n == nil {
		return "note"
	}
	if n.Type == NoteOutcome {
		return describeOutcome(n.Attrs)
	}
	for _, attr := range []string{AttrSentence, AttrRef} {
		if v := n.Attrs[attr]; v != "" {
			return problem.Clip(n.Type + " · " + v)
		}
	}
	return problem.Clip(n.Type)
}

// describeOutcome describes what a turn came to.
func describeOutcome(attr map[string]string) string {
	words := NoteOutcome + " · " + attr[AttrKind]
	if delivery := attr[AttrDelivery]; delivery == task.Unknown.String() {
		words += " · delivery " + delivery
	}
	if n := attr[AttrTried]; n != "" && n != "1" {
		words += " · " + n + " attempts"
	}
	return problem.Clip(words)
}

// describeUpdate describes the meaning of a body; empty if it has none.
func describeUpdate(it *Item) string {
	var parts []string
	u := &it.Update
	for i := range u.Events {
		parts = append(parts, describeEvent(&u.Events[i], it))
		if i == 2 && len(u.Events) > 4 {
			parts = append(parts, fmt.Sprintf("%d more", len(u.Events)-3))
			break
		}
	}
	if e := u.Err; e != nil {
		parts = append(parts, "unreadable")
		if e.Cause != nil {
			where, _, _ := strings.Cut(e.Cause.Error(), ": ")
			parts = append(parts, problem.Clip(where))
		}
	}
	return strings.Join(parts, " · ")
}

// describeEvent describes one event of an item.
func describeEvent(ev *a2a.Event, it *Item) string {
	switch ev.Kind {
	case a2a.EventTask, a2a.EventStatus:
		if st := task.StatusOf(ev); st != nil {
			return ev.Kind.String() + " " + task.StateWord(st.State, st.Word)
		}
	case a2a.EventMessage:
		if ev.Message != nil {
			return describeMessage(ev.Message)
		}
	case a2a.EventArtifact:
		if ev.Artifact != nil {
			what, tail := describeArtifact(ev, it)
			return what + tail
		}
	case a2a.EventError:
		if ev.Err != nil {
			return describeError(ev.Err)
		}
	case a2a.EventCard:
		if ev.Card != nil {
			return problem.Clip("card " + ev.Card.Name)
		}
	case a2a.EventUnknown:
		return "unknown event"
	case a2a.EventEmpty:
		return "no content"
	case a2a.EventTaskList:
		return fmt.Sprintf("tasks [%d]", len(ev.Tasks))
	case a2a.EventPushConfig:
		return fmt.Sprintf("push configs [%d]", len(ev.PushConfigs))
	}
	return ev.Kind.String()
}

func describeMessage(m *a2a.Message) string {
	const most, look = 40, 64
	text := ""
	for i := range m.Parts[:min(len(m.Parts), look)] {
		if text = m.Parts[i].Text; text != "" {
			break
		}
	}
	if text == "" {
		return "message" + describeParts(m.Parts)
	}
	words := strings.Join(strings.Fields(problem.Clip(text)), " ")
	if r := []rune(words); len(r) > most {
		words = string(r[:most]) + "..."
	}
	return "message " + words
}

func describeError(e *a2a.RPCError) string {
	name := strings.TrimSuffix(e.Name, "Error")
	if name == "" {
		name = e.Message
	}
	switch {
	case e.Code == 0 && e.HTTPStatus != 0:
		return problem.Clip(describeStatus(e.HTTPStatus, name))
	case e.Code == 0:
		return problem.Clip("error " + name)
	}
	return problem.Clip(strconv.FormatInt(e.Code, 10) + " " + name)
}

// describeStatus describes an error that is an HTTP status with a message, which may begin with
// the status: "404 page not found".
func describeStatus(status int, said string) string {
	code := strconv.Itoa(status)
	rest := strings.TrimPrefix(said, "HTTP "+code+" "+http.StatusText(status))
	if rest = strings.TrimLeft(rest, ":, "); rest == "" {
		rest = http.StatusText(status)
	}
	if strings.HasPrefix(rest, code) {
		return rest
	}
	return code + " " + rest
}
