// Command decoder decodes JSON of A2A 0.3 with the types of the official Go SDK 0.3.3
// and encodes it again, for comparison with another decoder. Each line of the input is
// a question {"as": TYPE, "json": VALUE}; each answer, in the same order, is
// {"json": VALUE} or {"error": TEXT}. Answers of agents are written in the shapes of
// 1.0, requests as the SDK encodes them.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"log"
	"os"

	"github.com/a2aproject/a2a-go/a2a"
)

type question struct {
	As   string          `json:"as"`
	JSON json.RawMessage `json:"json"`
}

type answer struct {
	JSON  any    `json:"json,omitempty"`
	Error string `json:"error,omitempty"`
}

func decode(q question) (any, error) {
	switch q.As {
	case "event":
		ev, err := a2a.UnmarshalEventJSON(q.JSON)
		if err != nil {
			return nil, err
		}
		return event(ev), nil
	case "task":
		var v a2a.Task
		return then(q.JSON, &v, func() any { return task(&v) })
	case "push":
		var v a2a.TaskPushConfig
		return then(q.JSON, &v, func() any { return push(v) })
	case "pushes":
		var v []a2a.TaskPushConfig
		return then(q.JSON, &v, func() any { return object{"configs": each(v, push)} })
	case "card":
		var v a2a.AgentCard
		return then(q.JSON, &v, func() any { return card(&v) })
	default:
		return request(q)
	}
}

// request decodes the parameters of an operation.
func request(q question) (any, error) {
	var v any
	switch q.As {
	case "send", "stream":
		v = &a2a.MessageSendParams{}
	case "get":
		v = &a2a.TaskQueryParams{}
	case "cancel", "subscribe":
		v = &a2a.TaskIDParams{}
	case "push-set":
		v = &a2a.TaskPushConfig{}
	case "push-get":
		v = &a2a.GetTaskPushConfigParams{}
	case "push-list":
		v = &a2a.ListTaskPushConfigParams{}
	case "push-delete":
		v = &a2a.DeleteTaskPushConfigParams{}
	default:
		return nil, fmt.Errorf("no type is called %q", q.As)
	}
	return then(q.JSON, v, func() any { return v })
}

// then decodes a value and passes it on. The comparison finds members that are lost
// here.
func then(from []byte, into any, result func() any) (any, error) {
	if err := json.Unmarshal(from, into); err != nil {
		return nil, err
	}
	return result(), nil
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
		var a answer
		value, err := decode(q)
		if a.JSON = value; err != nil {
			a = answer{Error: err.Error()}
		}
		if err := out.Encode(a); err != nil {
			log.Fatal(err)
		}
	}
}
