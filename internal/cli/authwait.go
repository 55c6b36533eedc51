package cli

import (
	"parley/a2a"
	"parley/session/log"
)

// awaitAuth polls the task of a turn while it waits for credentials, which the user gives elsewhere,
// as in a browser, and then follows it to its end. Each time it asks again, nothing is assumed of
// what was given before (specification 1.0 §7.6.4). It returns the signal of the last turn.
func (op *operation) awaitAuth(sig *log.Signal) (*log.Signal, error) {
	for {
		id := op.answer.task()
		task := op.state.Task(op.agent, id)
		if task == nil || task.State != a2a.StateAuthRequired {
			return sig, nil
		}
		asks := "The task waits for credentials"
		if t := op.task(); t != nil && t.Status.Message != nil && t.Status.Message.Text() != "" {
			asks += ": " + line(t.Status.Message.Text())
		}
		op.app.note("Waiting", "%s", asks)
		op.app.note("Note", "Give them where the agent says; Parley asks for the task until it goes on. Ctrl+c ends the waiting.")
		if !op.engine.StartAuthPoll(op.agent, id) {
			op.app.note("Warning", "Parley cannot ask for task %s: get it again when you have given them.", line(id))
			return sig, nil
		}
		over, err := op.until(func(s *log.Signal) bool { return s.Kind == log.SignalAuthPollEnded && s.TaskID == id })
		if err != nil {
			return nil, err
		}
		if over.Class != log.AuthPollContinued {
			if over.Sentence != "" {
				op.app.note("Warning", "%s", line(over.Sentence))
			}
			return sig, nil
		}
		if sig, err = op.turn(func() a2a.TurnID { return op.engine.Await(op.agent, id, 0, nil) }); err != nil {
			return nil, err
		}
	}
}
