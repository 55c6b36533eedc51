// Package composer is the pane in which the user writes a message.
//
// It is the text area of Bubbles without its limits, and a line above it that says what enter
// will do:
//
//	──────────────────────────────────────────────────────────
//	↩ reply to task 91c2  same task and context · ctrl+t new task, fork
//	❯ 10 to 17 October, one bag
//
// The text area stops at 10,000 lines, drops control characters and replaces a tab by four
// spaces. The composer must not lose anything that the user types or pastes, so it folds a
// large paste into one mark, and a private-use rune that is drawn as one cell stands for each
// character that the text area would change. [Composer.Value] returns exactly the text that was
// entered, except that line ends are normalized, because terminals paste a carriage return for
// each.
//
// A [Draft] is a message that is not sent yet: the text and further parts, each of which has a
// row below the text. The messages that wait until the current turn ends have rows above the
// target ([Queue]).
//
// A text that begins with a slash is a [Command]. The caller provides the commands; the
// composer completes words and arguments in a list that the caller draws above it
// ([Composer.Popup]), and replaces the target by what enter does. A [History] contains the
// previous messages to the agent; the user steps through it or searches it.
//
// A [Composer] sends nothing: [Composer.Key] returns an [Intent] that the caller carries out.
// The caller also provides the possible targets, as a list of [TargetChoice].
//
// Requests and JSON use package editor instead, which draws each line as one row and scrolls
// sideways; a message needs wrapping, clicks and movement by wrapped rows.
package composer
