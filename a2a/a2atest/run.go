package a2atest

import (
	"context"
	"errors"
	"strconv"
	"time"
)

// Why a scene stops before its last step.
var (
	errTaskChanged  = errors.New("another request moved the task")
	errClosed       = errors.New("the agent is closed")
	errDisconnected = errors.New("the client left")
	errAnswered     = errors.New("the answer ends and the scene goes on")
)

// A run is one scene answering one call.
type run struct {
	agent  *Agent
	scene  *scene
	call   *call
	task   *task
	moves  int             // of the task, as far as this run knows
	pauses int             // how many were made
	life   context.Context // ends when the agent closes or restarts
	client context.Context // ends when the client leaves
	out    output
	answer func([]byte) // takes the answer file, once; nil if none is expected
}

// play runs the scene's steps, and those for a state that another request causes meanwhile.
func (r *run) play() {
	r.takeAll(r.scene.steps)
	r.answerNow()
}

// takeAll runs steps, and then those for the states that other requests cause.
func (r *run) takeAll(steps []step) {
	for errors.Is(r.take(steps), errTaskChanged) {
		var state string
		state, r.moves, _ = r.task.at()
		steps = r.scene.interruptions[state]
	}
}

func (r *run) take(steps []step) error {
	for i, do := range steps {
		if err := r.wait(0); err != nil {
			return err
		}
		switch err := do(r); {
		case err == errAnswered:
			r.leave(steps[i+1:])
			return err
		case err != nil:
			return err
		}
	}
	return nil
}

// leave ends the answer and runs the remaining steps hidden.
func (r *run) leave(rest []step) {
	r.answerNow()
	on := *r
	on.out = unseen{}
	r.agent.work.Go(func() { on.takeAll(rest) })
}

func (r *run) answerNow() {
	if r.answer != nil && r.life.Err() == nil {
		r.answer(r.expand(nil, r.agent.script.files[r.scene.answer], nil, false))
	}
	r.answer = nil
}

func (r *run) send(b []byte) {
	r.out.write(b)
	if !r.call.waits {
		r.answerNow()
	}
}

// attends reports whether the scene has steps for a state.
func (r *run) attends(state string) bool {
	_, ok := r.scene.interruptions[state]
	return ok
}

// change changes the task, unless another request has moved it.
func (r *run) change(do func(*task)) error {
	moves, ok := r.task.change(r.moves, r.attends, do)
	if !ok {
		return errTaskChanged
	}
	r.moves = moves
	return nil
}

// wait lets d pass at the agent's pace.
func (r *run) wait(d time.Duration) error {
	over, stop := context.WithTimeout(r.life, time.Duration(float64(d)*r.agent.options.Pace))
	defer stop()
	return r.until(over.Done(), nil)
}

// hang waits for the gate, however long it takes.
func (r *run) hang(gate string) error {
	return r.until(r.agent.gate(gate), r.client.Done())
}

// until returns when over closes, or earlier with the reason to stop.
func (r *run) until(over, left <-chan struct{}) error {
	for {
		state, moves, changed := r.task.at()
		if moves != r.moves && r.attends(state) {
			return errTaskChanged
		}
		select {
		case <-r.life.Done():
			return errClosed
		case <-left:
			return errDisconnected
		case <-changed:
		case <-over:
			if r.life.Err() != nil {
				return errClosed
			}
			return nil
		}
	}
}

// known returns the value of the engine's own placeholders.
func (r *run) known(name string) (value, bool) {
	switch name {
	case "id":
		return value{s: string(r.call.id)}, true
	case "task":
		return value{s: r.task.id, text: true}, true
	case "context":
		return value{s: r.task.context, text: true}, true
	case "text":
		return value{s: r.call.text, text: true}, true
	case "message":
		return value{s: string(r.call.message)}, true
	case "uuid":
		return value{s: r.agent.options.NewID()}, true
	case "now":
		return value{s: r.agent.options.Now().UTC().Format("2006-01-02T15:04:05.000Z")}, true
	case "origin":
		return value{s: r.agent.URL}, true
	case "restarts":
		return value{s: strconv.Itoa(r.agent.Restarts())}, true
	}
	return value{}, false
}
