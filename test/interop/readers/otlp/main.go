// Command otlpreader reads traces in the JSON of OTLP with the reader of the OpenTelemetry
// collector, for the tests, and prints a line for each span: its ids, its parent's id, its name,
// its kind, its status and how many events it has.
package main

import (
	"fmt"
	"io"
	"os"

	"go.opentelemetry.io/collector/pdata/ptrace"
)

func main() {
	b, err := io.ReadAll(os.Stdin)
	if err != nil {
		fail(err)
	}
	var reader ptrace.JSONUnmarshaler
	traces, err := reader.UnmarshalTraces(b)
	if err != nil {
		fail(err)
	}
	for _, resource := range traces.ResourceSpans().All() {
		for _, scope := range resource.ScopeSpans().All() {
			for _, s := range scope.Spans().All() {
				fmt.Printf("%s %s %q %q %s %s %d %d\n", s.TraceID(), s.SpanID(), s.ParentSpanID().String(), s.Name(), s.Kind(), s.Status().Code(), s.Events().Len(), s.EndTimestamp()-s.StartTimestamp())
			}
		}
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}
