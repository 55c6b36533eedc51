package session

// signal applies what is true only now.
func (s *State) signal(sig *Signal) Change {
	ch := Change{Agent: sig.Agent, Conversation: sig.Conversation, Turn: sig.Turn, Agents: true}
	task := s.Task(sig.Agent, sig.TaskID)
	turn := s.turns[sig.Turn]
	switch sig.Kind {
	case SignalPolling:
		s.polling(turn, task, sig)
	case SignalPollEnded:
		s.polling(turn, task, nil)
	case SignalTurnOver:
		if turn != nil && turn.Pending {
			turn.polling, turn.Pending = false, false
			s.touchTurn(turn)
		}
	case SignalWatching:
		if a := s.agents[sig.Agent]; a != nil && a.Phase == Ready { // its connections only broke
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

// polling notes that the engine asks for a task again and again, or no longer.
func (s *State) polling(turn *Turn, task *Task, sig *Signal) {
	if task != nil {
		task.Poll = sig
		task.Version++
		task.Conversation.Version++
	}
	if turn != nil {
		turn.polling = sig != nil
		turn.settle()
		s.touchTurn(turn)
	}
}
