package a2a

import (
	"net/http"
	"strings"
)

// nameByStatus names an error over HTTP+JSON whose body has neither a reason nor a code:
// specification 0.3.0 defines no statuses, its Python SDK uses these, and 1.0 maps each error
// to one (§5.4). A status with several errors gets no name. The word is that of a
// google.rpc.Status, empty if there is none.
func (d *decoder) nameByStatus(e *RPCError, word string) {
	if e.Name != "" || e.Code != 0 || d.call.Binding != BindingREST && d.call.Binding != BindingGRPC {
		return
	}
	if strings.EqualFold(e.Message, http.StatusText(http.StatusNotFound)) {
		return // a framework without a handler for that path
	}
	e.Code = d.codeOfStatus(e.HTTPStatus, word)
	if refused, _ := versionsIn(e.Message); len(refused) > 0 && strings.Contains(strings.ToLower(e.Message), "version") {
		e.Code = reasons["VERSION_NOT_SUPPORTED"] // in words alone
	}
	d.name(e)
}

// codeOfStatus returns the JSON-RPC code for an HTTP status or a gRPC status, 0 if it is
// ambiguous.
func (d *decoder) codeOfStatus(status int, word string) int64 {
	onGRPC := d.call.Binding == BindingGRPC
	switch {
	case onGRPC && word == "FAILED_PRECONDITION":
		return d.codeOfPrecondition()
	case status == http.StatusNotFound && (d.aboutTask() || onGRPC && (d.call.Op == OpSend || d.call.Op == OpStream)):
		return -32001
	case status == http.StatusNotFound && d.call.Op == OpExtendedCard:
		return -32007
	case status == http.StatusConflict && d.call.Op == OpCancel:
		return -32002
	case status == http.StatusNotImplemented && d.aboutPush():
		return -32003
	case status == http.StatusNotImplemented, word == "UNIMPLEMENTED":
		return -32004
	case status == http.StatusUnsupportedMediaType:
		return -32005
	case status == http.StatusUnprocessableEntity, word == "INVALID_ARGUMENT":
		return -32602
	case word == "INTERNAL":
		return -32603
	}
	return 0
}

// codeOfPrecondition returns the code for FAILED_PRECONDITION, by which gRPC says that an operation
// is not possible (specification 1.0 §5.4), 0 if it is ambiguous.
func (d *decoder) codeOfPrecondition() int64 {
	switch {
	case d.call.Op == OpCancel:
		return -32002
	case d.aboutPush():
		return -32003
	case d.call.Op == OpExtendedCard:
		return -32007
	}
	return 0
}

// aboutTask reports whether the call names a task that may not exist.
func (d *decoder) aboutTask() bool {
	switch d.call.Op {
	case OpGet, OpProbe, OpCancel, OpSubscribe, OpPushSet, OpPushList:
		return true
	}
	return false
}

func (d *decoder) aboutPush() bool {
	switch d.call.Op {
	case OpPushSet, OpPushGet, OpPushList, OpPushDelete:
		return true
	}
	return false
}
