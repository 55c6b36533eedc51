// Package preview shows one file in its best form: a table, a tree of JSON, Markdown,
// highlighted code, a picture, or bytes.
//
//	Pane.Show ─► Job: read the file ─► Pane.Apply ─► Job: draw it for this width ─► Pane.Apply
//
// A [Job] reads, parses, highlights and draws in any goroutine; [Pane.Job] returns one at a
// time. A frame costs its height: only visible rows of a table and visible lines of a tree or
// of bytes are drawn.
//
// A file may have several versions, of which the last one is current; the user can step through
// them. The pane does not know where files come from; it returns an [Intent].
package preview
