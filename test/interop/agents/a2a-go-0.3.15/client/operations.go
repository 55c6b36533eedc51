package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/a2aproject/a2a-go/a2a"
	"github.com/a2aproject/a2a-go/a2aclient"
)

// operations sends each text plainly and with a stream, and calls every other operation on the task. It
// prints the state or the error of each.
func operations(ctx context.Context, client *a2aclient.Client, texts []string) {
	for _, text := range texts {
		user := func() *a2a.MessageSendParams {
			return &a2a.MessageSendParams{Message: a2a.NewMessage(a2a.MessageRoleUser, a2a.TextPart{Text: text})}
		}
		at := user()
		blocking := false
		at.Config = &a2a.MessageSendConfig{Blocking: &blocking}
		now, err := client.SendMessage(ctx, at)
		say("at once", err, kindOf(now))
		sent, err := client.SendMessage(ctx, user())
		say("send", err, outcome(sent))
		stream(ctx, client, "stream", user().Message)
		task, ok := sent.(*a2a.Task)
		if !ok {
			continue
		}
		got, err := client.GetTask(ctx, &a2a.TaskQueryParams{ID: task.ID})
		say("get", err, outcome(got))
		for event, err := range client.ResubscribeToTask(ctx, &a2a.TaskIDParams{ID: task.ID}) {
			first, _ := event.(*a2a.Task)
			say("subscribe", err, outcome(first))
		}
		canceled, err := client.CancelTask(ctx, &a2a.TaskIDParams{ID: task.ID})
		say("cancel", err, outcome(canceled))
		_, err = client.SetTaskPushConfig(ctx, &a2a.TaskPushConfig{TaskID: task.ID, Config: a2a.PushConfig{ID: "c", URL: "http://127.0.0.1:1/"}})
		say("push set", err, "ok")
		_, err = client.GetTaskPushConfig(ctx, &a2a.GetTaskPushConfigParams{TaskID: task.ID, ConfigID: "c"})
		say("push get", err, "ok")
		_, err = client.ListTaskPushConfig(ctx, &a2a.ListTaskPushConfigParams{TaskID: task.ID})
		say("push list", err, "ok")
		say("push delete", client.DeleteTaskPushConfig(ctx, &a2a.DeleteTaskPushConfigParams{TaskID: task.ID, ConfigID: "c"}), "ok")
	}
	_, err := client.GetAgentCard(ctx)
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
			text.WriteString(textOf(p))
		}
		return "message " + text.String()
	}
	task, _ := r.(*a2a.Task)
	if task == nil {
		return ""
	}
	for _, artifact := range task.Artifacts {
		for _, p := range artifact.Parts {
			text.WriteString(textOf(p))
		}
	}
	return string(task.Status.State) + " " + text.String()
}

// textOf returns the text of a part.
func textOf(p a2a.Part) string {
	t, _ := p.(a2a.TextPart)
	return t.Text
}

// say prints what came of an operation.
func say(name string, err error, what string) {
	for word, known := range map[string]error{
		"TaskNotCancelable": a2a.ErrTaskNotCancelable, "UnsupportedOperation": a2a.ErrUnsupportedOperation,
		"PushNotificationNotSupported": a2a.ErrPushNotificationNotSupported, "ExtendedCardNotConfigured": a2a.ErrAuthenticatedExtendedCardNotConfigured,
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
