package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/a2aproject/a2a-go/v2/a2a"
	"github.com/a2aproject/a2a-go/v2/a2aclient"
)

// operations sends each text plainly and with a stream, and calls every other operation on the task. It
// prints the state or the error of each.
func operations(ctx context.Context, client *a2aclient.Client, texts []string) {
	for _, text := range texts {
		user := func() *a2a.SendMessageRequest {
			return &a2a.SendMessageRequest{Message: a2a.NewMessage(a2a.MessageRoleUser, a2a.NewTextPart(text))}
		}
		at := user()
		at.Config = &a2a.SendMessageConfig{ReturnImmediately: true}
		now, err := client.SendMessage(ctx, at)
		say("at once", err, kindOf(now))
		sent, err := client.SendMessage(ctx, user())
		say("send", err, outcome(sent))
		stream(ctx, client, "stream", user().Message)
		task, ok := sent.(*a2a.Task)
		if !ok {
			continue
		}
		got, err := client.GetTask(ctx, &a2a.GetTaskRequest{ID: task.ID})
		say("get", err, outcome(got))
		all, err := client.ListTasks(ctx, &a2a.ListTasksRequest{ContextID: task.ContextID})
		listed := ""
		if err == nil && len(all.Tasks) == 1 && all.Tasks[0].ID == task.ID {
			listed = state(all.Tasks[0].Status.State)
		}
		say("list", err, listed)
		for event, err := range client.SubscribeToTask(ctx, &a2a.SubscribeToTaskRequest{ID: task.ID}) {
			first, _ := event.(*a2a.Task)
			say("subscribe", err, outcome(first))
		}
		canceled, err := client.CancelTask(ctx, &a2a.CancelTaskRequest{ID: task.ID})
		say("cancel", err, outcome(canceled))
		_, err = client.CreateTaskPushConfig(ctx, &a2a.PushConfig{TaskID: task.ID, ID: "c", URL: "http://127.0.0.1:1/"})
		say("push set", err, "ok")
		_, err = client.GetTaskPushConfig(ctx, &a2a.GetTaskPushConfigRequest{TaskID: task.ID, ID: "c"})
		say("push get", err, "ok")
		_, err = client.ListTaskPushConfigs(ctx, &a2a.ListTaskPushConfigRequest{TaskID: task.ID})
		say("push list", err, "ok")
		say("push delete", client.DeleteTaskPushConfig(ctx, &a2a.DeleteTaskPushConfigRequest{TaskID: task.ID, ID: "c"}), "ok")
	}
	_, err := client.GetExtendedAgentCard(ctx, &a2a.GetExtendedAgentCardRequest{})
	say("card", err, "ok")
}

// kindOf says what came without its state, which depends on how fast the agent is.
func kindOf(r a2a.SendMessageResult) string {
	if _, ok := r.(*a2a.Task); ok {
		return "task"
	}
	return "message"
}

// outcome returns the state of a task and the text of its artifacts, or what a message says.
func outcome(r a2a.SendMessageResult) string {
	var text strings.Builder
	if m, ok := r.(*a2a.Message); ok {
		for _, p := range m.Parts {
			text.WriteString(p.Text())
		}
		return "message " + text.String()
	}
	task, _ := r.(*a2a.Task)
	if task == nil {
		return ""
	}
	for _, artifact := range task.Artifacts {
		for _, p := range artifact.Parts {
			text.WriteString(p.Text())
		}
	}
	return state(task.Status.State) + " " + text.String()
}

// say prints what came of an operation.
func say(name string, err error, what string) {
	for word, known := range map[string]error{
		"TaskNotCancelable": a2a.ErrTaskNotCancelable, "UnsupportedOperation": a2a.ErrUnsupportedOperation,
		"PushNotificationNotSupported": a2a.ErrPushNotificationNotSupported, "ExtendedCardNotConfigured": a2a.ErrExtendedCardNotConfigured,
	} {
		if errors.Is(err, known) {
			what, err = word, nil
		}
	}
	if err != nil {
		what = err.Error()
	}
	fmt.Println(strings.TrimSpace(name + " " + strings.TrimSpace(what)))
}
