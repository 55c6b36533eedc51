// Package chat shows one conversation with one agent.
//
//	model.Conversation ─► outline.sync ─► rows ─► list.List ─► Pane.Lines
//	      turns, blocks,       only what        one per entry,     the window,
//	      entries, tasks       changed          with a version     cursor drawn in
//
// A turn is a coloured bar at the left edge: violet for the user, the colour of the agent for its answers. The
// user's message stands on a band, a ground of its own. Everything that can be selected is a row: the user's
// message, the head of an agent's block with its line of states, each message, artifact, problem and unknown
// event. A row draws itself for a width, caches the drawing and draws again when its content has a new version.
// Of a growing artifact only the end is drawn again: its text goes through a [markdown.Stream], and of the
// stream's lines only those that differ from the last ones get a new edge.
//
// The pane reads the session's model and never changes it. Keys and clicks come back as an
// [Intent]. Markdown is rendered elsewhere: [Pane.Jobs] returns the rendering jobs of the rows
// on the screen, [Pane.Apply] takes the results.
//
// Text of an agent is sanitised only where it is turned into lines, in the methods of renderer.
package chat
