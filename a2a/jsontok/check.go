package jsontok

import (
	"bytes"
	"unicode/utf8"
)

// Check says why src is not exactly one JSON value, nil if it is.
func Check(src []byte) *SyntaxError {
	var d Doc
	err := d.Parse(src)
	if bad, ok := err.(*SyntaxError); ok {
		return bad
	}
	switch at, invalid := d.InvalidUTF8(); {
	case err != nil:
		return &SyntaxError{Msg: err.Error()}
	case d.BOM():
		return &SyntaxError{Msg: "a byte order mark"}
	case d.Root().End() < len(bytes.TrimRight(src, " \t\r\n")):
		return &SyntaxError{Offset: d.Root().End(), Msg: "more text after the end of the value"}
	case invalid:
		return &SyntaxError{Offset: at, Msg: "bytes that are not UTF-8"}
	}
	return nil
}

// Position returns the line and the column of the mistake in src, both from 1; columns
// count characters.
func (e *SyntaxError) Position(src []byte) (line, column int) {
	before := src[:max(0, min(e.Offset, len(src)))]
	line = bytes.Count(before, []byte("\n")) + 1
	return line, utf8.RuneCount(before[bytes.LastIndexByte(before, '\n')+1:]) + 1
}
