package cli

import (
	"context"
	"errors"
	"io"

	"parley/session/log"
)

// until takes items until a signal satisfies the condition. Meanwhile a terminal shows the
// bytes of incomplete answers.
func (op *operation) until(waited func(*log.Signal) bool) (*log.Signal, error) {
	defer op.counter.erase()
	for {
		select {
		case <-op.interrupted:
			switch err := op.askInterrupted(); {
			case err == nil:
			case op.goesOn && op.ctx.Err() == nil:
				op.left = true
				op.engine.Stop(op.answer.turn) // the end of the turn follows
			default:
				return nil, op.detached()
			}
		default:
		}
		items, err := op.next()
		if errors.Is(err, errTick) {
			op.counter.idle++
			if op.drawing != nil && op.drawing.due() {
				op.counter.erase()
				op.flush()
			}
			if !op.inLine() {
				op.counter.draw()
			}
			continue
		}
		op.counter.idle = 0
		if err != nil && op.ctx.Err() != nil && context.Cause(op.ctx) == errNotAwaited {
			return &log.Signal{}, nil
		}
		if err != nil {
			return nil, op.stopError(err)
		}
		if found := op.takeAll(items, waited); found != nil {
			return found, nil
		}
		if op.answer.over {
			return &log.Signal{}, nil
		}
		if s, gone := errors.AsType[exitStatus](op.broken); gone { // nobody reads the rest
			op.drain()
			return nil, s
		}
		op.counter.draw()
	}
}

// errTick says that nothing came for a tick.
var errTick = errors.New("nothing came")

// next takes the next items. On a terminal it returns errTick if none come, so that the line at
// the bottom moves.
func (op *operation) next() ([]log.Item, error) {
	wait := op.tickOf()
	if wait == 0 {
		return op.feed.Next(op.ctx, log.OneBlock)
	}
	ctx, cancel := context.WithTimeoutCause(op.ctx, wait, errTick)
	defer cancel()
	items, err := op.feed.Next(ctx, log.OneBlock)
	if err != nil && op.ctx.Err() == nil && errors.Is(context.Cause(ctx), errTick) {
		err = errTick
	}
	return items, err
}

// inLine reports whether standard output is in the middle of a line of the same terminal.
func (op *operation) inLine() bool {
	return op.app.beforeErr != nil && (op.live != nil && op.live.text.open && !op.live.text.start || op.words != nil && op.words.inLine)
}

// stopError returns the reason for the end of a wait, and closes everything.
func (op *operation) stopError(err error) error {
	op.drain()
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return &fault{code: codeTimeout, message: "The time allowed by --timeout (" + op.flags.timeout.String() + ") is over" + op.answer.stillAt() + "."}
	case errors.Is(err, context.Canceled):
		f := internal("Stopped %s%s.", stopper(op.ctx), op.answer.stillAt())
		if !op.answer.sent && op.answer.task() == "" {
			f.hint = "Run the command again to continue."
		}
		return f
	case errors.Is(err, io.EOF):
		return internal("The command ended before its answer.")
	default:
		return internal("Waiting for the agent failed.")
	}
}

// aheadOfOutput is how many items the engine may be ahead of the output, so that they do not
// pile up here if the reader is slower than the agent.
const aheadOfOutput = 1024

// drain stops the engine and takes the remaining items.
func (op *operation) drain() {
	op.engine.Close()
	op.app.net.hub.Close()
	op.feed.Close()
	for {
		items, err := op.feed.Next(context.Background(), log.OneBlock)
		if err != nil {
			return
		}
		op.takeAll(items, func(*log.Signal) bool { return false })
	}
}
