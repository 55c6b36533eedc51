package a2a

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"parley/a2a/jsontok"
)

// KindStatus is the type of the message that describes an error of gRPC.
const KindStatus = "google.rpc.Status"

// grpcCodes are the status codes of gRPC with the HTTP status that google.rpc.Code gives each
// (specification 1.0 §5.4 and §10.6 use the same pairs).
var grpcCodes = [...]struct {
	word   string
	status int
}{
	{"OK", http.StatusOK},
	{"CANCELLED", 499},
	{"UNKNOWN", http.StatusInternalServerError},
	{"INVALID_ARGUMENT", http.StatusBadRequest},
	{"DEADLINE_EXCEEDED", http.StatusGatewayTimeout},
	{"NOT_FOUND", http.StatusNotFound},
	{"ALREADY_EXISTS", http.StatusConflict},
	{"PERMISSION_DENIED", http.StatusForbidden},
	{"RESOURCE_EXHAUSTED", http.StatusTooManyRequests},
	{"FAILED_PRECONDITION", http.StatusBadRequest},
	{"ABORTED", http.StatusConflict},
	{"OUT_OF_RANGE", http.StatusBadRequest},
	{"UNIMPLEMENTED", http.StatusNotImplemented},
	{"INTERNAL", http.StatusInternalServerError},
	{"UNAVAILABLE", http.StatusServiceUnavailable},
	{"DATA_LOSS", http.StatusInternalServerError},
	{"UNAUTHENTICATED", http.StatusUnauthorized},
}

// GRPCStatus returns the name of a status code of gRPC and the HTTP status that corresponds to it.
// An unknown code has a number for a name.
func GRPCStatus(code int64) (word string, status int) {
	if code < 0 || code >= int64(len(grpcCodes)) {
		return fmt.Sprintf("code %d", code), http.StatusInternalServerError
	}
	return grpcCodes[code].word, grpcCodes[code].status
}

// grpcError reads a google.rpc.Status: its code says what HTTP+JSON says by its status.
func (d *decoder) grpcError(n jsontok.Node) {
	code, _ := get(n, "code").Int()
	word, status := GRPCStatus(code)
	e := &RPCError{Raw: n.Raw(), HTTPStatus: status, Message: cmp.Or(content(get(n, "message")), word)}
	d.emit(EventError, n).Err = e
	if details := get(n, "details"); details.Len() > 0 {
		e.Data = details.Raw()
		d.details(e, details)
	}
	if status == http.StatusNotImplemented && lacksMethod(e) {
		e.Code = -32601
	}
	d.name(e)
	d.nameByStatus(e, word)
	d.version(e, n)
}

// lacksMethod reports whether an error without a reason says that the server has no such method:
// the texts of gRPC for Go, Node, Java and Python. An operation that an agent refuses has the same
// code.
func lacksMethod(e *RPCError) bool {
	said := strings.ToLower(e.Message)
	unset := strings.HasPrefix(said, "method ") && strings.HasSuffix(said, "not implemented") // a stub that is not filled
	return e.Reason == "" && (unset || slices.ContainsFunc([]string{"unknown service", "unknown method", "does not implement the method", "method not found"}, func(text string) bool {
		return strings.Contains(said, text)
	}))
}

// broken reports the break of a message that is not JSON, unless something worse is known.
func (d *decoder) broken() {
	if f := d.in.Fault; f != nil && d.update.Err == nil {
		d.update.Err = &DecodeError{Sentence: asSentence(f.Sentence), Offset: -1, Cause: f}
	}
}
