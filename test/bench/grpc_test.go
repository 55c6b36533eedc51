package bench

import (
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	pb "github.com/a2aproject/a2a-go/v2/a2apb/v1"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
)

// grpcEnv makes the test binary an agent over gRPC.
const grpcEnv = "PARLEY_BENCH_GRPC"

// A grpcAgent streams chunks of one artifact.
type grpcAgent struct {
	pb.UnimplementedA2AServiceServer
	address string
}

func (a *grpcAgent) GetExtendedAgentCard(context.Context, *pb.GetExtendedAgentCardRequest) (*pb.AgentCard, error) {
	return &pb.AgentCard{
		Name: "Bench", Description: "Streams chunks.", Version: "1", Capabilities: &pb.AgentCapabilities{Streaming: new(true)},
		SupportedInterfaces: []*pb.AgentInterface{{Url: a.address, ProtocolBinding: "GRPC", ProtocolVersion: "1.0"}},
	}, nil
}

func (a *grpcAgent) SendStreamingMessage(_ *pb.SendMessageRequest, stream grpc.ServerStreamingServer[pb.StreamResponse]) error {
	task := &pb.Task{Id: "t1", ContextId: "c1", Status: &pb.TaskStatus{State: pb.TaskState_TASK_STATE_WORKING}}
	if err := stream.Send(&pb.StreamResponse{Payload: &pb.StreamResponse_Task{Task: task}}); err != nil {
		return err
	}
	for i := range events {
		part := &pb.Part{Content: &pb.Part_Text{Text: fmt.Sprintf("word %d of many ", i)}}
		chunk := &pb.TaskArtifactUpdateEvent{TaskId: "t1", ContextId: "c1", Append: i > 0, Artifact: &pb.Artifact{ArtifactId: "a1", Parts: []*pb.Part{part}}}
		if err := stream.Send(&pb.StreamResponse{Payload: &pb.StreamResponse_ArtifactUpdate{ArtifactUpdate: chunk}}); err != nil {
			return err
		}
	}
	over := &pb.TaskStatusUpdateEvent{TaskId: "t1", ContextId: "c1", Status: &pb.TaskStatus{State: pb.TaskState_TASK_STATE_COMPLETED}}
	return stream.Send(&pb.StreamResponse{Payload: &pb.StreamResponse_StatusUpdate{StatusUpdate: over}})
}

// serveGRPC serves until its input ends.
func serveGRPC() {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	server := grpc.NewServer()
	pb.RegisterA2AServiceServer(server, &grpcAgent{address: listener.Addr().String()})
	fmt.Println(listener.Addr())
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		os.Exit(0)
	}()
	fmt.Fprintln(os.Stderr, server.Serve(listener))
}

// BenchmarkGRPC receives a stream over gRPC from another process: with parley send, from exec to
// exit, and with the official stubs.
func BenchmarkGRPC(b *testing.B) {
	program, address := build(b, "parley", releaseEnv), process(b, grpcEnv).url
	b.Run("headless-100k", func(b *testing.B) {
		least := time.Hour
		for b.Loop() {
			home := b.TempDir()
			cmd := exec.Command(program, "send", "-a", "grpc://"+address, "--stream", "hello")
			cmd.Dir, cmd.Env = home, environment(home)
			began := time.Now()
			out, err := cmd.Output()
			if err != nil || strings.Count(string(out), "of many") != events {
				b.Fatalf("%v: got %d chunks", err, strings.Count(string(out), "of many"))
			}
			least = min(least, time.Since(began))
		}
		b.ReportMetric(events/least.Seconds(), "events/s")
		b.ReportMetric(float64(least.Nanoseconds())/events, perEventUnit)
	})
	b.Run("bare-100k", func(b *testing.B) {
		conn, err := grpc.NewClient("passthrough:///"+address, grpc.WithTransportCredentials(insecure.NewCredentials()))
		if err != nil {
			b.Fatal(err)
		}
		defer conn.Close()
		least := time.Hour
		for b.Loop() {
			began := time.Now()
			stream, err := pb.NewA2AServiceClient(conn).SendStreamingMessage(b.Context(), &pb.SendMessageRequest{Message: &pb.Message{MessageId: "m"}})
			if err != nil {
				b.Fatal(err)
			}
			for err == nil {
				_, err = stream.Recv()
			}
			if err != io.EOF {
				b.Fatal(err)
			}
			least = min(least, time.Since(began))
		}
		b.ReportMetric(events/least.Seconds(), "events/s")
		b.ReportMetric(float64(least.Nanoseconds())/events, perEventUnit)
	})
}
