// Package preview shows one file whole, in the way that suits it: a table, a tree of JSON,
// Markdown, highlighted code, a picture, or its bytes.
//
//	Pane.Show ─► Job: read the file ─► Pane.Apply ─► Job: draw it for this width ─► Pane.Apply
//
// Reading, parsing, highlighting and drawing happen in a [Job], which may run in any
// goroutine; [Pane.Job] hands out one at a time. What is drawn of a frame costs its height:
// of a table the rows that are seen are read, of a tree and of bytes the lines.
//
// A file may be there in several versions, of which the last one counts: they are stepped
// through. The pane knows nothing about where files come from and go to; what the user
// wants comes back as an [Intent].
package preview
