// Package har writes sessions as HTTP archives (HAR 1.2), which browsers and other tools open,
// and reads archives that contain A2A as sessions.
//
// An exchange is an entry. What HAR has no member for stands in members whose names begin with an
// underscore, which other tools skip: the events of a stream with their times, the messages of
// gRPC with their exact bytes, and what Parley knows of the exchange. docs/export.md lists them.
package har

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"parley/a2a"
)

// An entry is an exchange. The members in HAR's order are those of the specification.
type entry struct {
	Page      string    `json:"pageref,omitempty"`
	Started   time.Time `json:"startedDateTime"`
	Time      float64   `json:"time"` // milliseconds, as all times
	Request   request   `json:"request"`
	Cache     struct{}  `json:"cache"`
	Timings   timings   `json:"timings"`
	Server    string    `json:"serverIPAddress,omitempty"`
	Comment   string    `json:"comment,omitempty"`
	Direction string    `json:"_direction,omitempty"` // "in" for what an agent posted to a webhook
	Resource  string    `json:"_resourceType,omitempty"`
	Error     string    `json:"_error,omitempty"`
	Parley    subject   `json:"_parley"`
	End       *ending   `json:"_end,omitempty"`

	Response *response `json:"response,omitempty"` // written apart from the others
	Events   []event   `json:"_events,omitempty"`  // likewise
}

type request struct {
	Method      string    `json:"method"`
	URL         string    `json:"url"`
	Version     string    `json:"httpVersion"`
	Cookies     []pair    `json:"cookies"`
	Headers     []pair    `json:"headers"`
	Query       []pair    `json:"queryString"`
	Post        *postData `json:"postData,omitempty"`
	HeadersSize int       `json:"headersSize"`
	BodySize    int       `json:"bodySize"`
}

type postData struct {
	MediaType string  `json:"mimeType"`
	Text      string  `json:"text"`
	Encoding  string  `json:"_encoding,omitempty"` // "base64" if the text is
	Binary    *binary `json:"_proto,omitempty"`
}

// A binary is a message that is not JSON; the text beside it is its rendering.
type binary struct {
	Type  string `json:"type"`
	Bytes []byte `json:"bytes,omitempty"`
}

type response struct {
	Status      int     `json:"status"`
	StatusText  string  `json:"statusText"`
	Version     string  `json:"httpVersion"`
	Cookies     []pair  `json:"cookies"`
	Headers     []pair  `json:"headers"`
	Redirect    string  `json:"redirectURL"`
	HeadersSize int     `json:"headersSize"`
	BodySize    int     `json:"bodySize"`
	Content     content `json:"content"`
}

type content struct {
	Size      int    `json:"size"`
	MediaType string `json:"mimeType"`
	Encoding  string `json:"encoding,omitempty"`
	Text      string `json:"text"`
}

// timings are phases in milliseconds; -1 is a phase that does not apply.
type timings struct {
	Blocked float64 `json:"blocked"`
	DNS     float64 `json:"dns"`
	Connect float64 `json:"connect"`
	Send    float64 `json:"send"`
	Wait    float64 `json:"wait"`
	Receive float64 `json:"receive"`
	TLS     float64 `json:"ssl"`
}

// A subject is what Parley knows of an exchange.
type subject struct {
	Record       a2a.RecordID       `json:"record,omitempty"` // of the request
	Agent        string             `json:"agent,omitempty"`
	Conversation a2a.ConversationID `json:"conversation,omitempty"`
	Turn         a2a.TurnID         `json:"turn,omitempty"`
	Op           a2a.Op             `json:"operation,omitempty"`
	Dialect      a2a.DialectName    `json:"dialect,omitempty"`
	Binding      a2a.Binding        `json:"binding,omitempty"`
	Task         string             `json:"taskId,omitempty"`
}

// An ending is how an exchange ended.
type ending struct {
	Reason   a2a.EndReason `json:"reason"`
	Class    string        `json:"class,omitempty"`
	Sentence string        `json:"sentence,omitempty"`
	Trailer  []pair        `json:"trailer,omitempty"`
}

// An event is a unit of a stream, or a message of gRPC or MQTT.
type event struct {
	Record  a2a.RecordID `json:"record,omitempty"`
	Time    float64      `json:"time"` // since the start of the exchange
	ID      string       `json:"id,omitempty"`
	Event   string       `json:"event,omitempty"`
	Size    int          `json:"size"`           // of its bytes in the content, in order
	Data    string       `json:"data,omitempty"` // its payload, if it is text
	Binary  *binary      `json:"proto,omitempty"`
	Headers []pair       `json:"headers,omitempty"` // of a message on a broker
	Torn    bool         `json:"torn,omitempty"`
}

// A pair is a name with a value.
type pair struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// pairs returns a header, by name.
func pairs(h http.Header) []pair {
	out := []pair{}
	for name, values := range h {
		for _, v := range values {
			out = append(out, pair{name, v})
		}
	}
	slices.SortStableFunc(out, func(x, y pair) int { return strings.Compare(x.Name, y.Name) })
	return out
}

// query returns the parameters of a URL in order.
func query(address string) []pair {
	out := []pair{}
	_, text, _ := strings.Cut(address, "?")
	text, _, _ = strings.Cut(text, "#")
	for field := range strings.SplitSeq(text, "&") {
		name, value, _ := strings.Cut(field, "=")
		if field != "" {
			out = append(out, pair{unescaped(name), unescaped(value)})
		}
	}
	return out
}

func unescaped(s string) string {
	if plain, err := url.QueryUnescape(s); err == nil {
		return plain
	}
	return s
}

// ms returns a duration in milliseconds.
func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
