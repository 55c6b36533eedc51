package main

import (
	"fmt"
	"io"
	"net"
	"os"
	"runtime"
	"time"

	"parley/internal/units"
)

// every is the interval between two samples of the memory.
const every = 10 * time.Second

// A watch measures what must not grow during a run.
type watch struct {
	out        io.Writer
	goroutines int
	files      int
	start      time.Time
	next       time.Time
	samples    []sample
	took       time.Duration
	growth     growth
}

// growth is the growth from the beginning to the end.
type growth struct{ goroutines, files int }

// A sample is the memory in use after a garbage collection.
type sample struct {
	at    time.Duration
	bytes uint64
}

func newWatch(out io.Writer) *watch {
	if l, err := net.Listen("tcp", "127.0.0.1:0"); err == nil {
		l.Close() // the runtime opens its own network handles here
	}
	return &watch{out: out, goroutines: runtime.NumGoroutine(), files: openFiles()}
}

// begin starts the clock when everything is set up.
func (w *watch) begin() {
	w.start = time.Now()
	w.next = w.start
}

// sample measures the memory when the interval has passed.
func (w *watch) sample(l *listener) {
	now := time.Now()
	if now.Before(w.next) {
		return
	}
	w.next = now.Add(every)
	s := sample{now.Sub(w.start), live()}
	w.samples = append(w.samples, s)
	fmt.Fprintf(w.out, "%8s  %12s events  %6s cuts  %8s live  %4d goroutines  %3d files\n", s.at.Round(time.Second),
		units.Count(int(l.events)), units.Count(int(l.cuts)), units.Bytes(int64(s.bytes)), runtime.NumGoroutine(), openFiles())
}

// live returns the memory in use after a garbage collection.
func live() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc + m.StackInuse
}

// slope returns the growth of the memory per minute, by least squares over the last three
// fifths of the time. It is zero for too few samples.
func (w *watch) slope() float64 {
	late := w.samples[len(w.samples)*2/5:]
	if len(late) < 6 {
		return 0
	}
	var n, sx, sy, sxx, sxy float64
	for _, s := range late {
		x, y := s.at.Minutes(), float64(s.bytes)
		n, sx, sy, sxx, sxy = n+1, sx+x, sy+y, sxx+x*x, sxy+x*y
	}
	return (n*sxy - sx*sy) / (n*sxx - sx*sx)
}

// verdict returns the result and the faults.
func (w *watch) verdict(l *listener) (faults []string) {
	settle := time.Now().Add(time.Minute)
	for time.Now().Before(settle) && (runtime.NumGoroutine() > w.goroutines || openFiles() > w.files) {
		time.Sleep(50 * time.Millisecond)
	}
	took := time.Since(w.start)
	w.took, w.growth = took, growth{max(0, runtime.NumGoroutine()-w.goroutines), max(0, openFiles()-w.files)}
	fmt.Fprintf(w.out, "%s events in %s, %s of them a second; %s bodies compared, %s of them cut; memory grows by %.2f MB a minute\n",
		units.Count(int(l.events)), units.Duration(took), units.Count(int(float64(l.events)/took.Seconds())),
		units.Count(int(l.bodies)), units.Count(int(l.cuts)), w.slope()/(1<<20))
	if n := w.growth.goroutines; n > 0 {
		faults = append(faults, fmt.Sprintf("%d goroutines are left over, %d were there before", n, w.goroutines))
	}
	if n := w.growth.files; n > 0 {
		faults = append(faults, fmt.Sprintf("%d files are left open, %d were before", n, w.files))
	}
	if slope := w.slope(); slope > 1<<20 {
		faults = append(faults, fmt.Sprintf("memory grows by %.2f MB a minute", slope/(1<<20)))
	}
	if l.events == 0 || l.bodies == 0 || l.cuts == 0 {
		faults = append(faults, "nothing was streamed, compared or cut")
	}
	return faults
}

// openFiles counts the open file handles of this process, 0 if they cannot be counted.
func openFiles() int {
	entries, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		return 0
	}
	return len(entries)
}
