package model

import (
	"time"

	"parley/session/log"
)

// signal applies a signal.
func (s *State) signal(sig *log.Signal) Change {
	ch := Change{Agent: sig.Agent, Conversation: sig.Conversation, Turn: sig.Turn, Agents: true}
	task := s.Task(sig.Agent, sig.TaskID)
	turn := s.turns[sig.Turn]
	switch sig.Kind {
	case log.SignalPoll:
		s.setPoll(turn, task, sig)
	case log.SignalPollEnded:
		s.setPoll(turn, task, nil)
	case log.SignalResubscribe:
		s.setResubscribe(turn, task, sig)
	case log.SignalResubscribeEnded:
		s.setResubscribe(turn, task, nil)
	case log.SignalAuthPoll:
		s.setAuthPoll(task, sig)
	case log.SignalAuthPollEnded:
		s.setAuthPoll(task, nil)
	case log.SignalStall:
		turn.setStall(sig)
	case log.SignalStallEnded:
		turn.setStall(nil)
		s.touchStreams(turn, sig.Time)
	case log.SignalBytes:
		s.setIncomplete(turn, sig)
	case log.SignalTurnOver:
		s.ended[sig.Turn] = true
		if turn != nil {
			turn.over, turn.polling, turn.Stalled = true, false, nil
			turn.settle()
			turn.touch()
			if turn.noted == nil {
				ch.Over = turn
			}
		}
	case log.SignalWatch, log.SignalAway:
		a := s.agents[sig.Agent]
		if a != nil {
			a.Pulse.Every, a.Late = sig.After, ""
		}
		if a != nil && a.Phase == Ready { // only its connections broke, or it answered just before it died
			a.Phase, a.Problem = Unreachable, sig.Sentence
		}
	case log.SignalLate:
		if a := s.agents[sig.Agent]; a != nil {
			a.Late = sig.Sentence
		}
	case log.SignalBack:
		if a := s.agents[sig.Agent]; a != nil && a.Phase == Unreachable && a.Card != nil {
			a.Phase, a.Problem = Ready, ""
		}
	case log.SignalOpening, log.SignalOpened, log.SignalTaskForgotten, log.SignalReplayed, log.SignalJournal:
		// The state of these follows from the records; the screens show the sentence.
	}
	return ch
}

// setPoll notes whether the engine polls a task.
func (s *State) setPoll(turn *Turn, task *Task, sig *log.Signal) {
	if task != nil {
		task.Poll = sig
	}
	s.setRetry(turn, task, sig != nil)
}

// setResubscribe notes whether the engine resubscribes to a task.
func (s *State) setResubscribe(turn *Turn, task *Task, sig *log.Signal) {
	if task != nil {
		task.Resubscribe = sig
	}
	s.setRetry(turn, task, sig != nil)
}

// setAuthPoll notes whether there is an auth poll of a task. Nobody waits for it.
func (s *State) setAuthPoll(task *Task, sig *log.Signal) {
	if task != nil {
		task.AuthPoll = sig
		task.touch()
	}
}

// setRetry notes whether the engine will request a task again without the user.
func (s *State) setRetry(turn *Turn, task *Task, on bool) {
	if task != nil {
		task.touch()
	}
	if turn != nil {
		turn.polling = on
		turn.settle()
		turn.touch()
	}
}

// setIncomplete notes how many bytes of something incomplete have come.
func (s *State) setIncomplete(turn *Turn, sig *log.Signal) {
	if turn != nil {
		turn.Incomplete = sig.Bytes
		turn.touch()
		s.touchStreams(turn, sig.Time)
	} else if a := s.agents[sig.Agent]; a != nil {
		a.Incomplete = sig.Bytes
	}
}

// setStall notes whether an open stream brings no bytes.
func (t *Turn) setStall(sig *log.Signal) {
	if t != nil {
		t.Stalled = sig
		t.touch()
	}
}

// touchStreams notes that bytes came at a time on the streams of a turn.
func (s *State) touchStreams(turn *Turn, at time.Time) {
	for id, x := range s.exchanges {
		if st := s.Log.Stream(id); st != nil && x.turn == turn && x.streams {
			st.Touch(at)
		}
	}
}
