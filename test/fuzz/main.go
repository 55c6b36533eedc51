// Fuzz runs the fuzz targets of the module, each for a time and from its seeds. It takes the
// time of each:
//
//	go run ./test/fuzz -time 10s
//
// With -since, it chooses: the targets of the packages that changed in so many commits, and four more
// that the last commit's hash picks, so that every target has its turn. With -within, it starts no more
// targets when that time is over and four have run, and says which were left. The compilation counts.
package main

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"strings"
	"sync"
	"time"
)

// A plan is what to fuzz, and for how long.
type plan struct {
	dir    string        // of the module
	each   time.Duration // of a target
	since  int           // commits; 0 for all targets
	within time.Duration // 0 for no limit
	atOnce int           // targets; 0 for one per processor
}

// atLeast is how many targets run whatever has changed, and however long they take.
const atLeast = 4

func main() {
	p := plan{dir: "."}
	flag.DurationVar(&p.each, "time", 2*time.Second, "fuzz each target for this `duration`")
	flag.IntVar(&p.since, "since", 0, "fuzz what changed in so many `commits`, and four more targets; 0 for all")
	flag.DurationVar(&p.within, "within", 0, "start no target after this `duration`; 0 for no limit")
	flag.IntVar(&p.atOnce, "at-once", 0, "fuzz so many targets at once; 0 for one per processor")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := p.run(ctx, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// run runs the plan and prints a line per target.
func (p plan) run(ctx context.Context, out io.Writer) error {
	all, err := find(p.dir)
	if err != nil {
		return err
	}
	chosen := all
	if p.since > 0 {
		if chosen, err = p.choose(all); err != nil {
			return err
		}
	}
	fmt.Fprintf(out, "%d of %d targets, %v each\n", len(chosen), len(all), p.each)
	done, err := p.fuzzAll(ctx, out, chosen)
	if err != nil {
		return err
	}
	if left := chosen[done:]; len(left) > 0 {
		fmt.Fprintf(out, "%v are over; %d targets were left for another time: %s\n", p.within, len(left), names(left))
	}
	if done < min(atLeast, len(all)) || done == 0 {
		return fmt.Errorf("%d targets were fuzzed, which is too few: the search for targets is wrong", done)
	}
	fmt.Fprintf(out, "%d targets fuzzed\n", done)
	return nil
}

// fuzzAll fuzzes targets in order, several at once, builds each package once, and returns how many targets
// have run. After an error it starts no more.
func (p plan) fuzzAll(ctx context.Context, out io.Writer, chosen []target) (int, error) {
	tmp, err := os.MkdirTemp("", "parley-fuzz-") // also for what is found: each run starts from the seeds
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(tmp)
	q := queue{targets: chosen}
	if p.within > 0 {
		q.end = time.Now().Add(p.within)
	}
	b := builder{dir: p.dir, tmp: tmp}
	var wait sync.WaitGroup
	for range cmp.Or(max(p.atOnce, 0), runtime.GOMAXPROCS(0)) {
		wait.Go(func() {
			for t, ok := q.next(); ok; t, ok = q.next() {
				said, err := p.fuzzOne(ctx, &b, t)
				q.ended(out, t, said, err)
			}
		})
	}
	wait.Wait()
	return q.done, q.err
}

// fuzzOne fuzzes a target and returns its progress, or an error with all that it printed.
func (p plan) fuzzOne(ctx context.Context, b *builder, t target) (string, error) {
	program, err := b.build(ctx, t.pkg)
	if err != nil {
		return "", err
	}
	said, err := fuzz(ctx, p.dir, program, t, p.each)
	if err != nil {
		return "", fmt.Errorf("%s%s: %w\nrepeat it with: go test ./%s -run '^$' -fuzz '^%s$' -fuzztime 1m", said, t, err, t.pkg, t.name)
	}
	return last(said), nil
}

// names joins the names of targets.
func names(targets []target) string {
	var all []string
	for _, t := range targets {
		all = append(all, t.String())
	}
	return strings.Join(all, ", ")
}
