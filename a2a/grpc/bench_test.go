package grpc_test

import (
	"context"
	"fmt"
	"net"
	"testing"
	"time"

	pb10 "github.com/a2aproject/a2a-go/v2/a2apb/v1"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"

	"parley/a2a"
	"parley/a2a/grpc/grpctest"
)

// chunks answers with so many chunks of an artifact.
func chunks(n int) func(*grpctest.Call) error {
	return func(c *grpctest.Call) error {
		if err := c.Answer(working); err != nil {
			return err
		}
		for i := range n {
			text := fmt.Sprintf(`{"artifactUpdate":{"taskId":"t1","contextId":"c1","append":true,"artifact":{"artifactId":"a","parts":[{"text":"chunk number %d of the answer"}]}}}`, i)
			if i < 16 || i%97 == 0 {
				if err := c.Answer(text); err != nil {
					return err
				}
				continue
			}
			if err := c.Send(prepared); err != nil {
				return err
			}
		}
		return c.Answer(`{"statusUpdate":{"taskId":"t1","contextId":"c1","status":{"state":"TASK_STATE_COMPLETED"}}}`)
	}
}

// prepared is a chunk, so that the server costs little.
var prepared = func() []byte {
	b, err := format.Rebuild("lf.a2a.v1.StreamResponse", []byte(`{"artifactUpdate":{"taskId":"t1","contextId":"c1","append":true,"artifact":{"artifactId":"a","parts":[{"text":"some words of the answer "}]}}}`))
	if err != nil {
		panic(err)
	}
	return b.Bytes
}()

const streamed = 20_000

// BenchmarkStream reads a stream with Parley's client, and with the official stubs as the floor.
func BenchmarkStream(b *testing.B) {
	server := grpctest.Start(b, chunks(streamed))
	b.Run("parley", func(b *testing.B) {
		events := 0
		o := a2a.Options{
			Carriers: carriers(), NewID: func() string { return "id" },
			Trace: a2a.Trace{Now: time.Now, Put: func(a2a.Record, a2a.Update) a2a.RecordID { events++; return 1 }},
		}
		c := a2a.NewClient(a2a.Profile{Dialect: a2a.V10, Binding: a2a.BindingGRPC, Endpoint: "grpc://" + server.Address}, nil, o)
		defer c.Close()
		for b.Loop() {
			if out := c.Do(b.Context(), request(a2a.OpStream), a2a.Hooks{}); out.Err != nil {
				b.Fatal(out.Err)
			}
		}
		b.ReportMetric(float64(events)/b.Elapsed().Seconds(), "events/s")
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(events), "ns/event")
	})
	b.Run("bare", func(b *testing.B) {
		conn, err := grpc.NewClient("passthrough:///"+server.Address, grpc.WithTransportCredentials(insecure.NewCredentials()),
			grpc.WithContextDialer(func(ctx context.Context, at string) (net.Conn, error) {
				return (&net.Dialer{}).DialContext(ctx, "tcp", at)
			}))
		if err != nil {
			b.Fatal(err)
		}
		defer conn.Close()
		events := 0
		for b.Loop() {
			stream, err := pb10.NewA2AServiceClient(conn).SendStreamingMessage(b.Context(), &pb10.SendMessageRequest{Message: &pb10.Message{MessageId: "m"}})
			if err != nil {
				b.Fatal(err)
			}
			for {
				if _, err := stream.Recv(); err != nil {
					break
				}
				events++
			}
		}
		b.ReportMetric(float64(events)/b.Elapsed().Seconds(), "events/s")
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(events), "ns/event")
	})
}
