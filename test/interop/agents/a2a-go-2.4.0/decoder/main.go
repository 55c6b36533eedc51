// Command decoder decodes JSON with the types of the official Go SDK 2.4.0 and encodes
// it again, for comparison with another decoder. Each line of the input is a question
// {"as": TYPE, "json": VALUE}, with "bridge": true for JSON of 0.3 over HTTP+JSON; each
// answer, in the same order, is {"json": VALUE} or {"error": TEXT}.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"os"

	"github.com/a2aproject/a2a-go/v2/a2a"
	"github.com/a2aproject/a2a-go/v2/a2apb/v0/pbjson"
)

type question struct {
	As     string          `json:"as"`
	Bridge bool            `json:"bridge"`
	JSON   json.RawMessage `json:"json"`
}

type answer struct {
	JSON  json.RawMessage `json:"json,omitempty"`
	Error string          `json:"error,omitempty"`
}

// fresh returns a pointer to a new value of a type.
func fresh(as string) (any, error) {
	switch as {
	case "event":
		return &a2a.StreamResponse{}, nil
	case "task":
		return &a2a.Task{}, nil
	case "tasks":
		return &a2a.ListTasksResponse{}, nil
	case "push":
		return &a2a.PushConfig{}, nil
	case "pushes":
		return &a2a.ListTaskPushConfigResponse{}, nil
	case "card":
		return &a2a.AgentCard{}, nil
	case "send", "stream":
		return &a2a.SendMessageRequest{}, nil
	case "get":
		return &a2a.GetTaskRequest{}, nil
	case "list":
		return &a2a.ListTasksRequest{}, nil
	case "cancel":
		return &a2a.CancelTaskRequest{}, nil
	case "subscribe":
		return &a2a.SubscribeToTaskRequest{}, nil
	case "push-set":
		return &a2a.PushConfig{}, nil
	case "push-get":
		return &a2a.GetTaskPushConfigRequest{}, nil
	case "push-list":
		return &a2a.ListTaskPushConfigRequest{}, nil
	case "push-delete":
		return &a2a.DeleteTaskPushConfigRequest{}, nil
	case "extended-card":
		return &a2a.GetExtendedAgentCardRequest{}, nil
	default:
		return nil, fmt.Errorf("no type is called %q", as)
	}
}

// strict decodes a value of a type.
func strict(q question) (any, error) {
	value, err := fresh(q.As)
	if err != nil {
		return nil, err
	}
	dec := json.NewDecoder(bytes.NewReader(q.JSON))
	dec.DisallowUnknownFields()
	return value, dec.Decode(value)
}

// bridged decodes JSON of 0.3's protocol buffer like the SDK's bridge to agents of
// that version.
func bridged(q question) (any, error) {
	switch q.As {
	case "event":
		ev, err := pbjson.FromProtoStreamEvent(q.JSON)
		return a2a.StreamResponse{Event: ev}, err
	case "result":
		ev, err := pbjson.FromProtoSendMessageResponse(q.JSON)
		return a2a.StreamResponse{Event: ev}, err
	case "task":
		return pbjson.FromProtoTask(q.JSON)
	case "tasks":
		return pbjson.FromProtoListTasksResponse(q.JSON)
	case "push":
		return pbjson.FromProtoPushConfigResponse(q.JSON)
	case "pushes":
		configs, err := pbjson.FromProtoListPushConfigsResponse(q.JSON, "")
		return a2a.ListTaskPushConfigResponse{Configs: configs}, err
	case "send", "stream":
		return pbjson.FromProtoSendMessageRequest(q.JSON)
	default:
		return nil, fmt.Errorf("no message is called %q", q.As)
	}
}

func decode(q question) answer {
	read := strict
	if q.Bridge {
		read = bridged
	}
	value, err := read(q)
	if err != nil {
		return answer{Error: err.Error()}
	}
	again, err := json.Marshal(value)
	if err != nil {
		return answer{Error: err.Error()}
	}
	return answer{JSON: again}
}

func main() {
	in, out := json.NewDecoder(os.Stdin), json.NewEncoder(os.Stdout)
	for {
		var q question
		if err := in.Decode(&q); err == io.EOF {
			return
		} else if err != nil {
			log.Fatal(err)
		}
		if err := out.Encode(decode(q)); err != nil {
			log.Fatal(err)
		}
	}
}
