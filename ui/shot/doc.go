// Package shot makes pictures of the screen: a PNG of one frame, and an animated GIF of several.
//
// [Read] turns the text of a frame, with its escape sequences, into cells; [Frame.PNG] and
// [Animation.GIF] draw the cells. Letters come from the Go Mono fonts. Lines, blocks, Braille
// and Parley's other signs are drawn here, for the exact size of a cell: the fonts lack most of
// them, and lines must meet. A character that nothing here can draw, such as an emoji, is a box
// with its code point.
//
// A picture has at most 256 colours, unless a frame shows a picture itself. The same frames make
// the same bytes.
package shot
