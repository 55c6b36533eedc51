package a2a

import "errors"

// Bytes returns the content of a file part that came inline.
func (p *Part) Bytes() ([]byte, error) { return nil, errors.New("no bytes") }

// Size returns the decoded size of the inline content without decoding it.
func (p *Part) Size() int64 { return 0 }
