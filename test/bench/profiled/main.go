// Profiled is Parley, and writes a profile of what it computed when it is told to end:
// to what PARLEY_BENCH_PROFILE says, followed by the number of the process. Benchmarks
// that run the program run this one when somebody asks where its time goes.
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
	ctx, stop := cli.NotifyContext(context.Background())
	code := cli.Run(ctx, os.Args[1:], os.Environ(), cli.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr})
	stop()
	pprof.StopCPUProfile()
	file.Close()
	os.Exit(code)
}
