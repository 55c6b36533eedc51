package a2atest

import "strconv"

// A fault is an error object of JSON-RPC.
type fault struct {
	code    int
	message string
	reason  string // ErrorInfo reason of dialect 1.0, else empty
}

// body returns the whole error response to the request with the given id.
func (f fault) body(id []byte) []byte {
	b := append([]byte(`{"jsonrpc":"2.0","id":`), id...)
	b = append(b, `,"error":{"code":`...)
	b = strconv.AppendInt(b, int64(f.code), 10)
	b = append(b, `,"message":"`+f.message+`"`...)
	if f.reason != "" {
		b = append(b, `,"data":[{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"`+
			f.reason+`","domain":"a2a-protocol.org"}]`...)
	}
	return append(b, "}}\n"...)
}

var (
	parseError     = fault{code: -32700, message: "Invalid JSON payload"}
	invalidRequest = fault{code: -32600, message: "Request payload validation error"}
	methodNotFound = fault{code: -32601, message: "Method not found"}
	invalidParams  = fault{code: -32602, message: "Invalid parameters"}
)

// invalid returns the error for a parameter that is missing or has no value that the dialect
// allows.
func invalid(param string) *fault {
	f := invalidParams
	f.message += ": params." + param + " is missing or wrong"
	return &f
}

// A dialect is what the engine needs to know about a version of A2A.
type dialect struct {
	send, stream, subscribe string
	aboutTask               []string // methods that name a task
	roles                   []string // of a message
	contents                []string // of a part, one of them
	// clientIDs is set if the client makes the task's id.
	clientIDs bool
	// flat is set if a push configuration has no wrapper.
	flat bool
	push pushes
	list string // the method that lists tasks, empty if there is none
	// extensions is the header in which requests ask for extensions and answers repeat them.
	extensions string
	notFound   fault
	// refused returns a method's error when no scene takes the request.
	refused map[string]fault
}

// dialects returns what is known about the dialect that a script names.
func dialects(name string) (*dialect, bool) {
	switch name {
	case "0.1":
		return legacy(&dialect{send: "tasks/send", stream: "tasks/sendSubscribe", clientIDs: true},
			"tasks/pushNotification/set", "tasks/pushNotification/get"), true
	case "0.2", "0.3":
		d := legacy(&dialect{send: "message/send", stream: "message/stream"},
			"tasks/pushNotificationConfig/set", "tasks/pushNotificationConfig/get",
			"tasks/pushNotificationConfig/list", "tasks/pushNotificationConfig/delete")
		if name == "0.3" {
			d.refused["agent/getAuthenticatedExtendedCard"] = fault{code: -32007, message: "Authenticated Extended Card is not configured"}
		}
		return d, true
	case "1.0":
		return current(), true
	default:
		return nil, false
	}
}

func legacy(d *dialect, push ...string) *dialect {
	unsupported := fault{code: -32004, message: "This operation is not supported"}
	d.extensions = "X-A2A-Extensions"
	d.subscribe = "tasks/resubscribe"
	d.aboutTask = []string{"tasks/get", "tasks/cancel", d.subscribe}
	d.roles, d.contents = []string{"user", "agent"}, []string{"text", "file", "data"}
	d.notFound = fault{code: -32001, message: "Task not found"}
	d.refused = map[string]fault{
		d.send:         invalidParams,
		d.stream:       invalidParams,
		"tasks/get":    d.notFound,
		"tasks/cancel": {code: -32002, message: "Task cannot be canceled"},
		d.subscribe:    unsupported,
	}
	d.push = pushes{set: push[0], get: push[1]}
	if len(push) > 2 {
		d.push.list, d.push.remove = push[2], push[3]
	}
	for _, method := range push {
		d.refused[method] = fault{code: -32003, message: "Push Notification is not supported"}
	}
	return d
}

func current() *dialect {
	unsupported := fault{-32004, "This operation is not supported", "UNSUPPORTED_OPERATION"}
	d := &dialect{
		send: "SendMessage", stream: "SendStreamingMessage", subscribe: "SubscribeToTask",
		notFound: fault{-32001, "Task not found", "TASK_NOT_FOUND"},
	}
	d.aboutTask = []string{"GetTask", "CancelTask", d.subscribe}
	d.roles, d.contents = []string{"ROLE_USER", "ROLE_AGENT"}, []string{"text", "raw", "url", "data"}
	d.flat, d.list, d.extensions = true, "ListTasks", "A2A-Extensions"
	d.push = pushes{"CreateTaskPushNotificationConfig", "GetTaskPushNotificationConfig", "ListTaskPushNotificationConfigs", "DeleteTaskPushNotificationConfig"}
	d.refused = map[string]fault{
		d.send:                 unsupported,
		d.stream:               unsupported,
		"GetTask":              d.notFound,
		"ListTasks":            unsupported,
		"CancelTask":           {-32002, "Task cannot be canceled", "TASK_NOT_CANCELABLE"},
		d.subscribe:            unsupported,
		"GetExtendedAgentCard": {-32007, "Extended agent card is not configured", "EXTENDED_AGENT_CARD_NOT_CONFIGURED"},
	}
	for _, method := range []string{d.push.set, d.push.get, d.push.list, d.push.remove} {
		d.refused[method] = fault{-32003, "Push notifications are not supported", "PUSH_NOTIFICATION_NOT_SUPPORTED"}
	}
	return d
}
