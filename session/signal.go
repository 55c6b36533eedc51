package session

// signal applies a signal.
func (s *State) signal(sig *Signal) Change {
	ch := Change{Agent: sig.Agent, Conversation: sig.Conversation, Turn: sig.Turn, Agents: true}
	task := s.Task(sig.Agent, sig.TaskID)
	turn := s.turns[sig.Turn]
	switch sig.Kind {
	case SignalPolling:
		s.polling(turn, task, sig)
	case SignalPollEnded:
		s.polling(turn, task, nil)
	case SignalAttaching:
		s.attaching(turn, task, sig)
	case SignalAttachEnded:
		s.attaching(turn, task, nil)
	case SignalVigil:
		s.vigil(task, sig)
	case SignalVigilOver:
		s.vigil(task, nil)
	case SignalStalled:
		s.stalled(turn, sig)
	case SignalFlowing:
		s.stalled(turn, nil)
	case SignalBytes:
		s.incomplete(turn, sig)
	case SignalTurnOver:
		if turn != nil && turn.Pending {
			turn.polling, turn.Pending, turn.Stalled = false, false, nil
			s.touchTurn(turn)
		}
		if turn != nil && turn.refused {
			turn.refused = false
			ch.Refused = turn
		}
	case SignalWatching, SignalAway:
		a := s.agents[sig.Agent]
		if a != nil {
			a.Pulse.Every = sig.After
		}
		if a != nil && a.Phase == Ready { // only its connections broke, or it answered just before it died
			a.Phase, a.Problem = Unreachable, sig.Sentence
		}
	case SignalBack:
		if a := s.agents[sig.Agent]; a != nil && a.Phase == Unreachable && a.Card != nil {
			a.Phase, a.Problem = Ready, ""
		}
	case SignalOpening, SignalOpened, SignalTaskForgotten, SignalJournal:
		// The state of these follows from the records; the screens show the sentence.
	}
	return ch
}

// polling notes whether the engine polls a task.
func (s *State) polling(turn *Turn, task *Task, sig *Signal) {
	if task != nil {
		task.Poll = sig
	}
	s.trying(turn, task, sig != nil)
}

// attaching notes whether the engine resubscribes to a task.
func (s *State) attaching(turn *Turn, task *Task, sig *Signal) {
	if task != nil {
		task.Attach = sig
	}
	s.trying(turn, task, sig != nil)
}

// vigil notes whether there is an auth poll of a task. Nobody waits for it.
func (s *State) vigil(task *Task, sig *Signal) {
	if task != nil {
		task.Vigil = sig
		task.Version++
		task.Conversation.Version++
	}
}

// trying notes whether the engine will request a task again without the user.
func (s *State) trying(turn *Turn, task *Task, on bool) {
	if task != nil {
		task.Version++
		task.Conversation.Version++
	}
	if turn != nil {
		turn.polling = on
		turn.settle()
		s.touchTurn(turn)
	}
}

// incomplete notes how many bytes of something incomplete have come.
func (s *State) incomplete(turn *Turn, sig *Signal) {
	if turn != nil {
		turn.Incomplete = sig.Bytes
		s.touchTurn(turn)
	} else if a := s.agents[sig.Agent]; a != nil {
		a.Incomplete = sig.Bytes
	}
}

// stalled notes whether an open stream brings no bytes.
func (s *State) stalled(turn *Turn, sig *Signal) {
	if turn == nil {
		return
	}
	turn.Stalled = sig
	s.touchTurn(turn)
	for id, x := range s.exchanges {
		if st := s.Log.Stream(id); st != nil && x.turn == turn && x.streams {
			st.Stalled = sig
		}
	}
}
