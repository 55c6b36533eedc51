package a2a

import "strings"

// The services of gRPC: the methods of an agent are below these paths (specification 0.3.0
// §3.2.2 and specification/grpc/a2a.proto, 1.0 §10).
const (
	serviceV10 = "/lf.a2a.v1.A2AService/"
	serviceV03 = "/a2a.v1.A2AService/"
)

// dialectV10GRPC is A2A 1.0 over gRPC. Its messages in the JSON of protocol buffers are the
// objects of 1.0, and its version header is metadata.
var dialectV10GRPC = Dialect{
	name:    V10GRPC,
	methods: methodsGRPC(serviceV10, dialectV10.methods),
	errors:  dialectV10.errors,
	headers: dialectV10.headers,
	params:  paramsV10,

	extensions: dialectV10.extensions,
}

// dialectV03GRPC is A2A 0.2.2 to 0.3 over gRPC. Its messages are those of the protocol buffer,
// which names tasks and configurations by paths: "tasks/1/pushNotificationConfigs/2".
var dialectV03GRPC = Dialect{
	name: V03GRPC,
	methods: methodsGRPC(serviceV03, map[Op]string{
		OpSend:         "SendMessage",
		OpStream:       "SendStreamingMessage",
		OpGet:          "GetTask",
		OpList:         "ListTasks", // in the stubs of the Go SDK alone
		OpCancel:       "CancelTask",
		OpSubscribe:    "TaskSubscription",
		OpPushSet:      "CreateTaskPushNotificationConfig",
		OpPushGet:      "GetTaskPushNotificationConfig",
		OpPushList:     "ListTaskPushNotificationConfig",
		OpPushDelete:   "DeleteTaskPushNotificationConfig",
		OpExtendedCard: "GetAgentCard",
	}),
	errors:     dialectV03.errors,
	params:     paramsGRPC03,
	extensions: dialectV03.extensions,
}

// methodsGRPC returns methods as gRPC calls them over HTTP/2: a POST to the service's path.
func methodsGRPC(service string, names map[Op]string) map[Op]string {
	methods := make(map[Op]string, len(names))
	for op, name := range names {
		methods[op] = "POST " + service + name
	}
	return methods
}

// namedP03 names a task or one of its configurations.
type namedP03 struct {
	Name          string `json:"name,omitempty"`
	Parent        string `json:"parent,omitempty"`
	HistoryLength *int   `json:"historyLength,omitempty"`
	PageSize      int    `json:"pageSize,omitempty"`
	PageToken     string `json:"pageToken,omitempty"`
}

// listP03 narrows a list of tasks.
type listP03 struct {
	ContextID        string `json:"contextId,omitempty"`
	Status           string `json:"status,omitempty"`
	PageSize         int    `json:"pageSize,omitempty"`
	PageToken        string `json:"pageToken,omitempty"`
	HistoryLength    *int   `json:"historyLength,omitempty"`
	LastUpdatedTime  string `json:"lastUpdatedTime,omitempty"`
	IncludeArtifacts bool   `json:"includeArtifacts,omitempty"`
}

// paramsGRPC03 returns the request message of an operation.
func paramsGRPC03(op Op, req *Request) (any, error) {
	switch op {
	case OpSend, OpStream:
		return sendP03Of(op, req)
	case OpPushSet:
		return pushSetP03Of(req)
	case OpExtendedCard:
		return struct{}{}, nil
	case OpList:
		return listP03Of(req), nil
	}
	id, err := req.needTask()
	if err != nil {
		return nil, err
	}
	task := "tasks/" + id
	switch op {
	case OpPushGet, OpPushDelete:
		if req.PushID == "" {
			return nil, encodeErrorf("The request names no push configuration; choose one first")
		}
		return namedP03{Name: task + "/pushNotificationConfigs/" + req.PushID}, nil
	case OpPushList:
		return namedP03{Parent: task, PageSize: req.List.PageSize, PageToken: req.List.PageToken}, nil
	case OpGet, OpProbe:
		return namedP03{Name: task, HistoryLength: req.HistoryLength}, nil
	default:
		return namedP03{Name: task}, nil
	}
}

func listP03Of(req *Request) listP03 {
	w := listP03{
		ContextID: req.List.ContextID, PageSize: req.List.PageSize, PageToken: req.List.PageToken,
		HistoryLength: req.HistoryLength, LastUpdatedTime: req.List.StatusTimestampAfter,
		IncludeArtifacts: req.List.IncludeArtifacts == True,
	}
	if req.List.State != StateUnknown {
		w.Status = Word(req.List.State, V03GRPC)
	}
	return w
}

// overGRPC returns the gRPC dialect of a version. 0.2.2 added gRPC in the shapes of 0.3.
func overGRPC(name DialectName) DialectName {
	switch name {
	case V10:
		return V10GRPC
	case V03, V02:
		return V03GRPC
	default:
		return name
	}
}

// RPC returns the name of a method without its service: "SendMessage" of
// "POST /lf.a2a.v1.A2AService/SendMessage"; any other method is returned unchanged.
func RPC(method string) string {
	_, path, routed := route(method)
	if !routed {
		return method
	}
	for _, service := range [...]string{serviceV10, serviceV03} {
		if name, ok := strings.CutPrefix(path, service); ok {
			return name
		}
	}
	return method
}
