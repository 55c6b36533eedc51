package main

import (
	"fmt"
	"io"
	"sync"
	"time"
)

// A queue hands out the targets that are left and counts those that have run.
type queue struct {
	end time.Time // when no more targets begin, once enough have begun; zero for never

	lock    sync.Mutex
	targets []target
	begun   int
	done    int
	err     error // of the first target that failed
}

// next returns the next target. There is none after an error, and none after the end if enough have begun.
func (q *queue) next() (target, bool) {
	q.lock.Lock()
	defer q.lock.Unlock()
	over := !q.end.IsZero() && time.Now().After(q.end) && q.begun >= atLeast
	if q.begun == len(q.targets) || q.err != nil || over {
		return target{}, false
	}
	q.begun++
	return q.targets[q.begun-1], true
}

// ended notes the end of a target and prints its line.
func (q *queue) ended(out io.Writer, t target, said string, err error) {
	q.lock.Lock()
	defer q.lock.Unlock()
	if err != nil {
		if q.err == nil {
			q.err = err
		}
		return
	}
	q.done++
	fmt.Fprintf(out, "ok %s: %s\n", t, said)
}
