package a2a

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"parley/a2a/jsontok"
)

// reasons are the reasons of a google.rpc.ErrorInfo in A2A, with the code that
// JSON-RPC has for each (specification 1.0 §5.4).
var reasons = map[string]int64{
	"TASK_NOT_FOUND":                     -32001,
	"TASK_NOT_CANCELABLE":                -32002,
	"PUSH_NOTIFICATION_NOT_SUPPORTED":    -32003,
	"UNSUPPORTED_OPERATION":              -32004,
	"CONTENT_TYPE_NOT_SUPPORTED":         -32005,
	"INVALID_AGENT_RESPONSE":             -32006,
	"EXTENDED_AGENT_CARD_NOT_CONFIGURED": -32007,
	"EXTENSION_SUPPORT_REQUIRED":         -32008,
	"VERSION_NOT_SUPPORTED":              -32009,
}

// privateErrors are codes that an SDK invented and no specification defines.
var privateErrors = map[int64]string{
	-31401: "UnauthenticatedError",
	-31403: "UnauthorizedError",
}

// name names the error: a reason identifies it, a code has the meaning of the agent's dialect,
// and a code that the dialect does not define may be that of another one.
func (d *decoder) name(e *RPCError) {
	if code, ok := reasons[e.Reason]; ok {
		e.Name = dialectV10.ErrorName(code)
		if e.Code == 0 {
			e.Code = code
		}
		return
	}
	if e.Code == 0 || e.Name != "" {
		return
	}
	if dialect, ok := LookupDialect(d.call.Dialect); ok {
		e.Name = dialect.ErrorName(e.Code)
	}
	for _, dialect := range dialects {
		e.Name = cmp.Or(e.Name, dialect.ErrorName(e.Code))
	}
	e.Name = cmp.Or(e.Name, privateErrors[e.Code])
}

// failure reads the error member of holder.
func (d *decoder) failure(holder, n jsontok.Node, rpc bool) {
	e := &RPCError{Raw: n.Raw(), HTTPStatus: d.errorStatus()}
	d.emit(EventError, holder).Err = e
	if n.Kind() != jsontok.Object {
		// Some servers put the error's class there and the text beside it.
		e.Name = className(n.Text())
		e.Message = cmp.Or(word(get(holder, "message")), word(get(holder, "error_description")), clip(word(n)))
		d.name(e)
		return
	}
	d.code(e, get(n, "code"), rpc)
	e.Message = cmp.Or(word(get(n, "message")), fallbackMessage(e, word(get(n, "status"))))
	data := get(n, "data")
	if !data.Exists() {
		data = get(n, "details")
	}
	if data.Exists() {
		e.Data = data.Raw()
		d.details(e, data)
	}
	d.name(e)
	d.nameByStatus(e, word(get(n, "status")))
	d.version(e, n)
	d.snakeCase(e)
}

// snakeCase notes that a message was refused because of a member in snake_case, which no version of A2A has.
func (d *decoder) snakeCase(e *RPCError) {
	invalid := e.Name == "InvalidParamsError" || e.Name == "InvalidRequestError" || e.Name == "" && (e.HTTPStatus == 400 || e.HTTPStatus == 422)
	if !invalid || !d.call.sendsMessage() || d.call.Dialect == SAMDoc || d.call.Binding == BindingMQTT {
		return
	}
	for _, name := range [...]string{"message_id", "context_id", "task_id"} {
		e.SnakeCase = e.SnakeCase || strings.Contains(e.Message, name) || strings.Contains(string(e.Data), `"`+name+`"`)
	}
}

func fallbackMessage(e *RPCError, status string) string {
	switch {
	case status != "":
		return status
	case e.HTTPStatus != 0:
		return statusLine(e.HTTPStatus)
	default:
		return "no message"
	}
}

// code reads an error code: of JSON-RPC, or an HTTP status in a google.rpc.Status.
func (d *decoder) code(e *RPCError, n jsontok.Node, rpc bool) {
	code, ok := n.Int()
	if !ok {
		var err error
		code, err = strconv.ParseInt(strings.TrimSpace(n.Text()), 10, 64)
		if rpc {
			d.note("ENV-007", Error, n, "The error's code is not an integer", "Write the code as an integer")
		}
		if err != nil {
			return
		}
	}
	if !rpc && code >= 100 && code <= 599 {
		e.HTTPStatus = int(code)
		return
	}
	e.Code = code
}

// details looks for the reason in the structured part of an error.
func (d *decoder) details(e *RPCError, n jsontok.Node) {
	for detail := range n.Elems() {
		if reason := word(get(detail, "reason")); reason != "" && strings.HasSuffix(word(get(detail, "@type")), "ErrorInfo") {
			e.Reason = reason
			return
		}
	}
}

// errorStatus returns the HTTP status if it is that of an error.
func (d *decoder) errorStatus() int {
	if d.in.Status >= 300 {
		return d.in.Status
	}
	return 0
}

// looksLikeError reports whether an object without an envelope is an error although
// the status does not say so: problem details, or a bare JSON-RPC error.
func (d *decoder) looksLikeError(n jsontok.Node) bool {
	return get(n, "code").Kind() == jsontok.Number && get(n, "message").IsText() ||
		get(n, "title").IsText() && get(n, "status").Kind() == jsontok.Number ||
		get(n, "detail").Exists() && n.Len() == 1
}

// httpError reads an error body that is neither JSON-RPC nor google.rpc.Status: problem
// details, a bare message, or the format of a web framework.
func (d *decoder) httpError(n jsontok.Node) {
	e := &RPCError{Raw: n.Raw(), HTTPStatus: d.errorStatus()}
	d.emit(EventError, n).Err = e
	if d.call.Enveloped() && d.in.Status < 300 { // others may be the server's own, or of a proxy
		d.note("ENV-001", Error, n, "The error is not a JSON-RPC response", "Answer errors with a JSON-RPC error object")
	}
	if e.HTTPStatus == 0 {
		status, _ := get(n, "status").Int()
		e.HTTPStatus = int(max(0, min(status, 999)))
	}
	d.code(e, get(n, "code"), false)
	kind := word(get(n, "type"))
	if slug, ok := strings.CutPrefix(kind, "https://a2a-protocol.org/errors/"); ok {
		e.Reason = strings.ToUpper(strings.ReplaceAll(slug, "-", "_"))
	} else {
		e.Name = className(kind)
	}
	detail := get(n, "detail")
	e.Message = cmp.Or(word(detail), violations(detail), word(get(n, "message")), word(get(n, "title")), word(get(n, "error")),
		fallbackMessage(e, ""))
	d.name(e)
	d.nameByStatus(e, "")
	d.version(e, n)
	d.snakeCase(e)
}

// scalarError reads the body of an error status that is JSON but not an object.
func (d *decoder) scalarError(n jsontok.Node) {
	text := cmp.Or(firstLine([]byte(word(n))), "JSON that is not an A2A error")
	e := &RPCError{HTTPStatus: d.in.Status, Message: statusLine(d.in.Status) + ": " + text, Raw: n.Raw()}
	d.emit(EventError, n).Err = e
}

// className returns the name of an error class such as "TaskNotFoundError" or
// "io.a2a.spec.TaskNotFoundError", empty for anything else.
func className(s string) string {
	s = s[strings.LastIndexByte(s, '.')+1:]
	if len(s) > maxQuote || !strings.HasSuffix(s, "Error") || strings.ContainsAny(s, " /:\n") {
		return ""
	}
	return s
}

// violations joins what a validating framework reports about each field.
func violations(n jsontok.Node) string {
	var lines []string
	for v := range n.Elems() {
		msg := word(get(v, "msg"))
		if loc := words(get(v, "loc")); msg != "" && len(loc) > 0 {
			msg = strings.Join(loc, ".") + ": " + msg
		}
		if msg != "" {
			lines = append(lines, msg)
		}
		if len(lines) == 8 {
			break
		}
	}
	return strings.Join(lines, "; ")
}

// version turns the refusal of a version into evidence for detection: the versions that the agent says
// it speaks. If the version of the request is one of them, or another version was refused, then the
// agent did not read the version of the request.
func (d *decoder) version(e *RPCError, n jsontok.Node) {
	if e.Name != "VersionNotSupportedError" {
		return
	}
	offered := words(d.either(n, "supportedVersions", "supported_versions"))
	for detail := range get(n, "data").Elems() {
		offered = append(offered, words(get(get(detail, "metadata"), "supportedVersions"))...)
	}
	refused, expected := versionsIn(e.Message)
	offered = append(offered, expected...)
	sent, _ := d.call.Dialect.version()
	named := func(v string) bool {
		dialect, ok := dialectOfVersion(v)
		return ok && dialect == sent
	}
	// Only 1.0 has a header with the version, and only requests of Parley certainly have the header.
	if sent == V10 && d.call.Tapped == nil && !d.call.Raw {
		e.Unread = slices.ContainsFunc(offered, named) || len(offered) == 0 && len(refused) > 0 && !slices.ContainsFunc(refused, named)
	}
	for _, v := range offered {
		if dialect, ok := dialectOfVersion(v); ok && dialect != sent && !e.Unread {
			d.update.Saw = append(d.update.Saw, Evidence{
				Field: "dialect", Value: string(dialect), Confidence: Certain,
				Reason: "the agent refused the version and offers " + clip(v),
			})
		}
	}
}

// versionsIn returns the versions in the text of a refusal: those that it says are not supported, and
// those after a word which says that the agent speaks them.
func versionsIn(text string) (refused, expected []string) {
	const maxText, marks = 500, `'"“”‘’: (`
	low := strings.ToLower(text[:min(len(text), maxText)])
	speaks := len(low)
	for _, word := range [...]string{"expect", "supports", "supported version", "supported:"} {
		if i := strings.Index(low, word); i >= 0 && !strings.HasSuffix(low[:i], "un") {
			speaks = min(speaks, i)
		}
	}
	for start := 0; start < len(low); start++ {
		n := len(low[start:]) - len(strings.TrimLeft(low[start:], "0123456789."))
		v := strings.TrimRight(low[start:start+n], ".")
		if !strings.Contains(v, ".") {
			start += n
			continue
		}
		before := strings.TrimRight(low[:start], marks+"v")
		for _, word := range [...]string{"version", "protocol", "a2a"} {
			before = strings.TrimRight(strings.TrimSuffix(before, word), marks)
		}
		after := strings.TrimPrefix(strings.TrimLeft(low[start+len(v):], marks), "is ")
		switch {
		case start > speaks:
			expected = append(expected, v)
		case strings.HasSuffix(before, "unsupported"), strings.HasPrefix(after, "not supported"), strings.HasPrefix(after, "unsupported"):
			refused = append(refused, v)
		}
		start += n
	}
	return refused, expected
}
