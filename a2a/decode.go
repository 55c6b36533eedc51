package a2a

// Input is one payload to decode and what is known about where it came from.
// The [Update] made from it aliases Body, which must not change afterwards.
type Input struct {
	// Body is a whole response body, or the data of one stream frame.
	Body []byte
	// Status is the HTTP status, 0 if unknown.
	Status int
	// ContentType is that of the response, empty if unknown.
	ContentType string
	// Stream is set when Body is one frame of a stream. It is not set when a
	// streaming call was answered by a plain body.
	Stream bool
	// Torn is set when the connection ended inside Body.
	Torn bool
	// Unprefixed is set when lines without a field name were joined to the data.
	Unprefixed bool
	// Event is the SSE event name, empty if there was none.
	Event string
	// RPCID is the JSON text of the request's id (`"c41f-1"`), empty if it is
	// not to be compared.
	RPCID string
}

// Decode reads one payload of an answer to call, which may be nil.
func Decode(call *Call, in Input) Update {
	return Update{Err: &DecodeError{Sentence: "The decoder is not there yet", Offset: -1}}
}
