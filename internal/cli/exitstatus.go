package cli

import (
	"encoding/json"
	"errors"
	"strconv"
)

// envelope is a failure in JSON (A2A CLI specification 0.2, Appendix B).
type envelope struct {
	Error struct {
		Code    string  `json:"code"`
		Message string  `json:"message"`
		Hint    *string `json:"hint"`
		A2ACode any     `json:"a2aCode"`
	} `json:"error"`
}

// An exitStatus ends a command that did its job with another exit status than 0.
type exitStatus int

// Error is never shown.
func (s exitStatus) Error() string { return "exit status " + strconv.Itoa(int(s)) }

// report prints a failure and returns the exit status.
func (a *app) report(err error) int {
	if err == nil {
		return 0
	}
	if s, ok := errors.AsType[exitStatus](err); ok {
		return int(s)
	}
	f := asFault(err)
	if a.json {
		_, _ = a.streams.Out.Write(f.document()) // the exit status still tells
		return f.exit()
	}
	var p page
	p.field("Error", f.message)
	p.field("Code", f.code)
	p.field("Hint", f.hint)
	_, _ = a.streams.Err.Write(p.b.Bytes())
	return f.exit()
}

// document returns the failure as one line of JSON.
func (f *fault) document() []byte {
	var e envelope
	e.Error.Code, e.Error.Message = f.code, f.message
	if f.hint != "" {
		e.Error.Hint = &f.hint
	}
	if f.rpcCode != 0 {
		e.Error.A2ACode = f.rpcCode
	}
	raw, err := json.Marshal(e)
	if err == nil {
		raw, err = compact(raw)
	}
	if err != nil { // strings and a number cannot fail
		return nil
	}
	return append(raw, '\n')
}
