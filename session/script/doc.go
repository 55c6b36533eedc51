// Package script is the language of scripts: files that say what Parley opens, sends, waits for,
// shows and expects, one step per line. docs/scripts.md is its reference.
//
//	file ─► Parse ─► Script: its steps ─► Play.Next(View, now) ─► Move: do a step, wait, or stop
//	                                            ▲                   │
//	          session/model.State ─► View ──────┘                   └─► the runner carries it out
//
// [Parse] reads a file, or returns an [*Error] with line and column that says what is allowed
// there. [Script.Format] writes it again. A [Step] has its verb, its place and what the verb
// takes. A [Condition] is what Wait and Expect are about; [Condition.Judge] judges it over a
// [View], which is a state of the session and the turn that is under discussion.
//
// A [Play] goes through a script. It decides what comes next and when something failed; it has
// no clock, no engine and no screen, so the runner on the screen and the one without share it.
// A runner repeats:
//
//	switch move := play.Next(view, now); move.Kind {
//	case script.MoveDo:   // carry out move.Step: open, send, show …; then call
//	        play.Did("")  // or play.Did("The sentence that says why it was not possible.")
//	case script.MoveWait: // ask again when the state changes, at move.Until at the latest
//	case script.MoveOver: // all steps are done
//	case script.MoveFail: // move.Failure says where and why
//	}
//
// While a user pauses a script, the clock of the runner stands still: it passes an earlier now.
package script
