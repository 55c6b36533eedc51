// Profiled is Parley with a CPU profile, which it writes when it is asked to end: to the path
// in PARLEY_BENCH_PROFILE, followed by the process id. Benchmarks run this program instead of
// Parley when a profile is requested.
package main

import (
	"context"
	"fmt"
	"os"
	"runtime/pprof"
	"strconv"

	"parley/internal/cli"
)

func main() {
	file, err := os.Create(os.Getenv("PARLEY_BENCH_PROFILE") + strconv.Itoa(os.Getpid()))
	if err == nil {
		err = pprof.StartCPUProfile(file)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	cli.DiscardLogs()
	ctx, stop := cli.NotifyContext(context.Background())
	code := cli.Run(ctx, os.Args[1:], os.Environ(), cli.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr})
	stop()
	pprof.StopCPUProfile()
	file.Close()
	os.Exit(code)
}
