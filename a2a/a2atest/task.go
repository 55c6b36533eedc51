package a2atest

import (
	"maps"
	"sync"
)

// A task is what an agent remembers between requests.
type task struct {
	id, context string // never change

	mu           sync.Mutex
	state        string
	moves        int           // how often the state was set
	stateChanged chan struct{} // closed at the next move
	values       values
	sentBytes    map[string]int // bytes streamed, by file
	hooks        []*webhook
	hasHook      chan struct{} // closed while there is a webhook
}

func newTask(id, context string) *task {
	return &task{id: id, context: context, state: stateNew, stateChanged: make(chan struct{}), hasHook: make(chan struct{}), values: values{}, sentBytes: map[string]int{}}
}

// at returns the state, the number of moves that led to it, and a channel that
// closes at the next one.
func (t *task) at() (state string, moves int, changed <-chan struct{}) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.state, t.moves, t.stateChanged
}

// change calls do with the task locked, unless the task was moved since the given number of
// moves to a state that the caller handles. It reports whether do was called, and the number of
// moves that the caller knows of afterwards.
func (t *task) change(moves int, attends func(state string) bool, do func(*task)) (int, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.moves != moves && attends(t.state) {
		return moves, false
	}
	before := t.moves
	do(t)
	if t.moves != before {
		moves = t.moves
	}
	return moves, true
}

// The following methods are called with the task locked, by way of change.

func (t *task) move(state string) {
	t.state = state
	t.moves++
	close(t.stateChanged)
	t.stateChanged = make(chan struct{})
}

func (t *task) set(name, s string) { t.values[name] = value{s: s} }

func (t *task) add(name, s string) {
	if old := t.values[name].s; old != "" {
		s = old + "," + s
	}
	t.set(name, s)
}

func (t *task) value(name string) (value, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	v, ok := t.values[name]
	return v, ok
}

func (t *task) learn(caught values) {
	t.mu.Lock()
	defer t.mu.Unlock()
	maps.Copy(t.values, caught)
}

// progress returns how many bytes of a file were streamed.
func (t *task) progress(file string) int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.sentBytes[file]
}

func (t *task) addProgress(file string, to int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.sentBytes[file] = max(t.sentBytes[file], to)
}
