package filter

import (
	"slices"
	"strings"

	"parley/a2a"
	"parley/session/log"
)

// A field is a property of a record with a name.
type field struct {
	name     string
	compares bool // takes > and its like
	is       bool // takes ":"
	equals   bool // takes "="
	wants    string
	note     string // one line for the user who searches for a field
	choices  []choice
	words    []choice  // those behind ":" of a field that compares, whose choices stand behind ">"
	values   valueKind // values in records, for completion

	compile func(op string, v value) (node, *Error)
	// flag is the meaning of the bare name, nil if it has none.
	flag *node
}

// A choice is a word that a field knows.
type choice struct {
	word, note string
	match      match
}

// fields are in the order in which completion offers them.
var fields = [...]field{
	{name: "dir", is: true, wants: "in, out or local", note: "direction of the bytes", choices: directions, compile: oneOf("dir", directions, "in, out or local")},
	{name: "kind", is: true, wants: "a kind of record or of event, such as request or artifact", note: "kind of record or event",
		choices: kinds, compile: oneOf("kind", kinds, "a kind of record or of event, such as request or artifact")},
	{name: "method", is: true, equals: true, wants: "a method, or a part of its name", note: "method of a request, and its answers", values: methodValues, compile: names(methods, 0)},
	{name: "state", is: true, wants: "a task's state, such as completed", note: "state of a task", choices: states, values: stateValues, compile: inState},
	{name: "task", is: true, equals: true, wants: "a task's id, or a part of it", note: "task, and the exchanges about it", values: taskValues, compile: names(tasks, UsesTasks)},
	{name: "ctx", is: true, equals: true, wants: "a context's id, or a part of it", note: "context, and the exchanges in it", values: contextValues, compile: names(contexts, UsesTasks)},
	{name: "agent", is: true, equals: true, wants: "an agent's name, or a part of it", note: "records of an agent", values: agentValues, compile: names(agents, 0)},
	{name: "artifact", is: true, equals: true, wants: "an artifact's name or id, or a part of it", note: "content of an artifact", values: artifactValues, compile: names(artifacts, 0)},
	{name: "status", is: true, equals: true, compares: true, wants: "an HTTP status: 404, 4xx or 400-499", note: "HTTP status of an answer", values: statusValues, compile: withStatus},
	{name: "error", note: "failures; \"error\" in quotation marks searches the text", flag: &node{match: failed}},
	{name: "end", is: true, wants: "ended, cut, refused, cancelled or timeout", note: "how an exchange ended", choices: endings, compile: oneOf("end", endings, "ended, cut, refused, cancelled or timeout")},
	{name: "finding", is: true, equals: true, wants: "a rule's name, error, warning or info", note: "records with findings",
		choices: severities, values: ruleValues, compile: withFinding, flag: &node{match: hasFindings, uses: UsesMutes}},
	{name: "size", equals: true, compares: true, wants: "a size such as 10k or 1.5MB", note: "length of the body or frame", choices: sizes, compile: ofSize},
	{name: "gap", is: true, equals: true, compares: true, wants: "a time such as gap>500ms or gap>2s, or gap:max", note: "time since the previous record of the exchange, or since a cut",
		choices: spans, words: longest, compile: afterGap},
	{name: "since", is: true, wants: "14:02, 2m before the newest, +2m from the start, or #120", note: "records since a time", choices: moments, compile: sinceMoment},
	{name: "until", is: true, wants: "14:05, 1m before the newest, +3m from the start, or #240", note: "records up to a time", choices: moments, compile: untilMoment},
	{name: "comment", is: true, equals: true, wants: "what you wrote about a record, or a part of it", note: "records that you commented",
		compile: names(comments, UsesMarks), flag: &node{match: isCommented, uses: UsesMarks}},
	{name: "marked", note: "records that you marked", flag: &node{match: isMarked, uses: UsesMarks}},
}

// findField returns the field of a name in any case, nil if there is none.
func findField(name string) *field {
	for i := range fields {
		if strings.EqualFold(fields[i].name, name) {
			return &fields[i]
		}
	}
	return nil
}

// unknownField says that there is no such field, and suggests others.
func unknownField(name string) string {
	var near []string
	for i := range fields {
		if f := &fields[i]; f.compile != nil && akin(f.name, strings.ToLower(name)) {
			near = append(near, f.form())
		}
	}
	if len(near) > 0 {
		return "there is no field " + name + "; " + strings.Join(near, " or ") + " may be meant"
	}
	return "there is no field " + name + "; put text that contains this in quotation marks"
}

// akin reports whether one of two words abbreviates the other, or they differ in one letter.
func akin(a, b string) bool {
	if strings.HasPrefix(a, b) || strings.HasPrefix(b, a) {
		return true
	}
	if len(a) > len(b) {
		a, b = b, a
	}
	if len(b)-len(a) > 1 || len(a) < 3 {
		return false
	}
	i := 0
	for i < len(a) && a[i] == b[i] {
		i++
	}
	if len(a) == len(b) {
		return i+1 <= len(a) && a[i+1:] == b[i+1:] || i+2 <= len(a) && a[i] == b[i+1] && a[i+1] == b[i] && a[i+2:] == b[i+2:]
	}
	return a[i:] == b[i+1:]
}

// takes reports whether a field is written with op.
func (f *field) takes(op string) bool {
	switch op {
	case ":":
		return f.is
	case "=":
		return f.equals
	default:
		return f.compares
	}
}

// form returns the beginning of a field: "size>", "kind:", "error".
func (f *field) form() string {
	switch {
	case f.is && f.words == nil:
		return f.name + ":"
	case f.compares:
		return f.name + ">"
	default:
		return f.name
	}
}

// oneOf compares with one of a field's words.
func oneOf(name string, choices []choice, wants string) func(string, value) (node, *Error) {
	return func(_ string, v value) (node, *Error) {
		if v.re == nil {
			for _, c := range choices {
				if strings.EqualFold(c.word, v.text) {
					return node{match: c.match}, nil
				}
			}
		}
		return node{}, &Error{v.off, v.end, name + " needs " + wants}
	}
}

// names compares with names of a record, for which each calls its function until one matches.
func names(each func(it *log.Item, env *Env, is func(string) bool) bool, uses Uses) func(string, value) (node, *Error) {
	return func(op string, v value) (node, *Error) {
		is := v.in
		if op == "=" {
			is = v.equals
		}
		return node{cost: costsName, uses: uses, match: func(it *log.Item, env *Env) bool { return each(it, env, is) }}, nil
	}
}

// in reports whether a name contains the value.
func (v value) in(name string) bool {
	if v.re != nil {
		return v.re.re.MatchString(name)
	}
	return strings.Contains(strings.ToLower(name), strings.ToLower(v.text))
}

// equals reports whether a name is the value, in any case.
func (v value) equals(name string) bool {
	if v.re != nil {
		at := v.re.re.FindStringIndex(name)
		return at != nil && at[0] == 0 && at[1] == len(name)
	}
	return strings.EqualFold(name, v.text)
}

var directions = []choice{
	{"in", "from the agent", towards(a2a.In)},
	{"out", "to the agent", towards(a2a.Out)},
	{"local", "never on the wire", towards(a2a.Local)},
}

func towards(d a2a.Direction) match {
	return func(it *log.Item, _ *Env) bool { return it.Record.Dir == d }
}

var kinds = []choice{
	{"request", "head and body of a request", recordKind(a2a.KindRequest)},
	{"response", "status and headers of an answer", recordKind(a2a.KindHead)},
	{"body", "an answer without a stream", recordKind(a2a.KindBody)},
	{"event", "one frame of a stream", recordKind(a2a.KindEvent)},
	{"end", "the end of an exchange", recordKind(a2a.KindEnd)},
	{"delivery", "what an agent sent to a webhook", recordKind(a2a.KindDelivery)},
	{"surplus", "what came after a complete answer", recordKind(a2a.KindSurplus)},
	{"note", "a local decision", recordKind(a2a.KindNote)},
	{"task", "contains a task", eventKind(a2a.EventTask)},
	{"message", "contains a message", eventKind(a2a.EventMessage)},
	{"status", "contains a status", eventKind(a2a.EventStatus)},
	{"artifact", "contains artifact content", eventKind(a2a.EventArtifact)},
	{"error", "an error that the agent reports", eventKind(a2a.EventError)},
	{"card", "contains an agent card", eventKind(a2a.EventCard)},
	{"tasks", "a list of tasks", eventKind(a2a.EventTaskList)},
	{"push", "a push notification config", eventKind(a2a.EventPushConfig)},
	{"unknown", "an unknown event", eventKind(a2a.EventUnknown)},
	{"foreign", "not A2A: a ping, a close notice", eventKind(a2a.EventNotA2A)},
}

func recordKind(k a2a.RecordKind) match {
	return func(it *log.Item, _ *Env) bool { return it.Record.Kind == k }
}

func eventKind(k a2a.EventKind) match {
	return func(it *log.Item, _ *Env) bool {
		return slices.ContainsFunc(it.Update.Events, func(ev a2a.Event) bool { return ev.Kind == k })
	}
}

var endings = []choice{
	{"ended", "closed after a complete answer", endedBy(a2a.Ended)},
	{"cut", "broke off in the middle", endedBy(a2a.Cut)},
	{"refused", "nothing was sent or accepted", endedBy(a2a.Refused)},
	{"cancelled", "closed by Parley", endedBy(a2a.Cancelled)},
	{"timeout", "no answer in time", endedBy(a2a.TimedOut)},
}

func endedBy(why a2a.EndReason) match {
	return func(it *log.Item, _ *Env) bool { return it.Record.End != nil && it.Record.End.Reason == why }
}
