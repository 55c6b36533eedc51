// Package markdown draws what agents write: Markdown that grows chunk by chunk,
// from a source that is not trusted, in lines that a list can show as they are.
//
// # Streams
//
// A [Stream] holds one text. Chunks go in with [Stream.Append], rows of at most w
// cells come out of [Stream.Lines]. Rendering is slow compared with a frame (about
// a millisecond per kilobyte), so Lines never renders: it returns what has been
// rendered, and the rest as plain wrapped text. Rendering is a [Job], run by
// whoever owns the Stream, away from the goroutine that draws:
//
//	if job, ok := stream.Job(w); ok {
//		return func() tea.Msg { return renderedMsg{id, job.Run()} }
//	}
//	...
//	case renderedMsg:
//		stream.Apply(msg.done)
//
// At most one Job of a Stream is out at a time; a Stream that offers none because
// its time has not come says so in [Stream.Due]. [Render] does it all at once for
// small texts.
//
// # Blocks
//
// The cost of a chunk must not depend on what came before it. As soon as a line is
// complete, the open end of the text is parsed for its block structure and cut
// before each top-level block that follows a blank line. What lies before the last
// cut can never change any more: each piece between two cuts is rendered once per
// width and kept. Only the open end is rendered again, and so seldom that it costs
// at most a sixth of the time. The result is the same for every way of cutting the
// text into chunks.
//
// One thing reaches back: a link reference may be defined after it was used. Every
// piece remembers the labels that it looked up in vain, so that a definition
// renders again the pieces that asked for it and no others.
//
// A fenced code block that is still open gets its lines as they come, unhighlighted
// and without any rendering; it is highlighted once, when it is closed.
//
// # Layout and guards
//
// Goldmark parses (CommonMark with tables, strikethrough, task lists and bare
// links), Glamour's node renderer draws what stands inside a block, Chroma's lexers
// find the words of code, and this package arranges blocks: hanging indents, quote
// bars, tables with hairlines. Arranging is ours because Glamour's own needs time
// exponential in the nesting depth and quadratic in the length of a list.
//
// A goroutine cannot be stopped from outside, so what could take long is refused
// before it starts and shown as plain text: pieces of more than 32 kB, nesting
// deeper than 16, more than 500 siblings. Text is sanitised before it is parsed,
// after entities were resolved, and again after rendering.
package markdown
