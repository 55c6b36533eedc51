// Package markdown renders Markdown that grows chunk by chunk and comes from an untrusted
// source, as lines that a list can show directly.
//
// # Streams
//
// A [Stream] contains one text. Chunks are added with [Stream.Append]; [Stream.Lines] returns
// rows of at most w cells. Rendering is slow compared with a frame (about a millisecond per
// kilobyte), so Lines never renders: it returns the rendered rows, and the rest as plain
// wrapped text. A [Job] renders; the owner of the Stream runs it outside of the goroutine that
// draws:
//
//	if job, ok := stream.Job(w); ok {
//		return func() tea.Msg { return renderedMsg{id, job.Run()} }
//	}
//	...
//	case renderedMsg:
//		stream.Apply(msg.done)
//
// A Stream has at most one Job at a time. When a Stream delays its next Job, [Stream.Due]
// returns the time. [Render] renders a small text at once.
//
// # Blocks
//
// The cost of a chunk must not depend on the text before it. As soon as a line is complete, the
// open end of the text is parsed for its block structure and cut before each top-level block
// that follows a blank line. Text before the last cut never changes again: each piece between
// two cuts is rendered once per width and cached. Only the open end is rendered again, and so
// seldom that this takes at most a sixth of the time. The result does not depend on how the
// text was cut into chunks.
//
// There is one exception: a link reference may be defined after its use. Every piece records
// the labels that it could not resolve, so that a definition renders again only the pieces that
// need it.
//
// The lines of a fenced code block that is still open are shown as they arrive, without
// rendering. The block is highlighted once, when it is closed.
//
// # Layout and guards
//
// Goldmark parses (CommonMark with tables, strikethrough, task lists and bare links), Glamour's
// node renderer draws the content of a block, Chroma's lexers find the tokens of code, and this
// package lays out blocks: hanging indents, quote bars, tables with hairlines. Glamour's own
// layout is not used because it takes time exponential in the nesting depth and quadratic in
// the length of a list.
//
// A goroutine cannot be stopped from outside, so slow input is refused before rendering begins
// and shown as plain text: pieces of more than 32 kB, nesting deeper than 16, more than 500
// siblings. Text is sanitised before it is parsed, after entities were resolved, and again
// after rendering.
package markdown
