// Package composer is the place where a user writes the next message.
//
// It is bubbles' textarea with its limits lifted, and one line above it that
// always tells what enter will do, before it is pressed:
//
//	──────────────────────────────────────────────────────────
//	↩ reply to task 91c2  same task and context · ctrl+t new task, fork
//	❯ 10 to 17 October, one bag
//
// The textarea stops at 10,000 lines, drops control characters and turns a tab
// into four spaces. Nothing that was typed or pasted may get lost, so a large
// paste is folded into one mark of the text, and every character that the
// textarea would change stands in it as a private-use rune that is drawn as one
// visible cell. [Composer.Value] gives back exactly what came in; only line
// ends are made equal, because terminals paste a carriage return for each.
//
// What is written is a [Draft], a value: the text and what goes with it, each such part
// in a row of its own below the text. What waits behind a turn that is under way stands
// in rows above the target ([Queue]).
//
// A text that begins with a slash is a [Command]. Its user says which there are; the
// composer completes words and arguments in a list that its user draws above it
// ([Composer.Popup]), and says in place of the target what enter does. What was written
// before is a [History], which is walked through or searched.
//
// A [Composer] sends nothing. [Composer.Key] returns an [Intent] and its user
// acts on it. Where a message may go is decided elsewhere and handed in as a
// list of [TargetChoice].
package composer
