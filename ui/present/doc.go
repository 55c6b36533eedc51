// Package present draws what presenter mode adds to the screen. It knows finished rows alone, so
// that one place, the root model, gives it all that is drawn, and no pane has to know the mode:
//
//	rows of a pane ─► Spot.Rows (all but the line under discussion is dim)
//	               ─► Mask.Rows (no secret, no home, no long id)
//	               ─► Page      (margins instead of a frame)
//
// Rows are masked where they are drawn, because any text can contain a secret: of an agent, of a
// file, of the user, or divided among the chunks of a stream. A frame costs the rows of the
// window, and of these only those that changed since the last one.
//
// [Strokes] are the keys that were pressed last.
package present
