// Command client talks to an agent with the client of the official Go SDK 2.4.0: it streams a count,
// answers a question, gets the task and sends without a stream. It prints what came of each.
// Its arguments are the base URL of the agent and the binding; with a text as the third one it
// prints the agent's skills, sends the text and prints what came of it; with -operations and texts it calls
// every operation for each.
package main

import (
	"context"
	"fmt"
	"log"
	"os"
	"strings"

	"github.com/a2aproject/a2a-go/v2/a2a"
	"github.com/a2aproject/a2a-go/v2/a2aclient"
	"github.com/a2aproject/a2a-go/v2/a2aclient/agentcard"
	v1 "github.com/a2aproject/a2a-go/v2/a2agrpc/v1"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
)

func main() {
	ctx := context.Background()
	card, err := agentcard.DefaultResolver.Resolve(ctx, os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	client, err := a2aclient.NewFromCard(ctx, card,
		v1.WithGRPCTransport(grpc.WithTransportCredentials(insecure.NewCredentials())),
		a2aclient.WithConfig(a2aclient.Config{PreferredTransports: []a2a.TransportProtocol{a2a.TransportProtocol(os.Args[2])}}))
	if err != nil {
		log.Fatal(err)
	}
	user := func(text string) *a2a.Message { return a2a.NewMessage(a2a.MessageRoleUser, a2a.NewTextPart(text)) }
	if len(os.Args) > 3 && os.Args[3] == "-operations" {
		operations(ctx, client, os.Args[4:])
		return
	}
	if len(os.Args) > 3 {
		fmt.Print("skills")
		for _, s := range card.Skills {
			fmt.Print(" ", s.ID)
		}
		fmt.Println()
		stream(ctx, client, "say", user(os.Args[3]))
		return
	}
	stream(ctx, client, "count", user("count 5"))
	asked := stream(ctx, client, "ask", user("ask"))
	stream(ctx, client, "reply", a2a.NewMessageForTask(a2a.MessageRoleUser, asked, a2a.NewTextPart("blue")))
	task, err := client.GetTask(ctx, &a2a.GetTaskRequest{ID: asked.TaskID})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("get", state(task.Status.State))
	sent, err := client.SendMessage(ctx, &a2a.SendMessageRequest{Message: user("count 3")})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("send", state(sent.(*a2a.Task).Status.State))
}

// state returns a state in the words of all versions.
func state(s a2a.TaskState) string {
	return strings.ReplaceAll(strings.ToLower(strings.TrimPrefix(string(s), "TASK_STATE_")), "_", "-")
}

// stream sends a message and prints the last state and the text of the artifacts.
func stream(ctx context.Context, client *a2aclient.Client, name string, m *a2a.Message) (of a2a.TaskInfo) {
	var last a2a.TaskState
	var text strings.Builder
	for event, err := range client.SendStreamingMessage(ctx, &a2a.SendMessageRequest{Message: m}) {
		if err != nil {
			log.Fatal(name, ": ", err)
		}
		of = event.TaskInfo()
		switch e := event.(type) {
		case *a2a.Task:
			last = e.Status.State
		case *a2a.TaskStatusUpdateEvent:
			last = e.Status.State
		case *a2a.TaskArtifactUpdateEvent:
			for _, p := range e.Artifact.Parts {
				text.WriteString(p.Text())
			}
		}
	}
	fmt.Println(strings.TrimSpace(name + " " + state(last) + " " + strings.TrimSpace(text.String())))
	return of
}
