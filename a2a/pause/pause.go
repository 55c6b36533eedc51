// Package pause reads how long an answer asks to wait before a request is sent again. The answer says so in the
// header Retry-After (RFC 9110, 10.2.3), or in the data of an error, where frameworks write it in several ways.
package pause

import (
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"

	"parley/a2a/jsontok"
)

// most is the longest wait that is believed; longer ones are ignored.
const most = 365 * 24 * time.Hour

// After returns how long an answer asks to wait before the request is sent again, in whole
// seconds, and 0 if it does not say or says nonsense. The header holds seconds or a date (RFC
// 9110, 10.2.3); a date counts from that of the answer, if it has one, because clocks disagree,
// and otherwise from now.
func After(h http.Header, now time.Time) time.Duration {
	value := strings.TrimSpace(h.Get("Retry-After"))
	if n, err := strconv.ParseInt(value, 10, 64); err == nil {
		if n <= 0 || n > int64(most/time.Second) {
			return 0
		}
		return time.Duration(n) * time.Second
	}
	until, err := http.ParseTime(value)
	if err != nil {
		return 0
	}
	if date, err := http.ParseTime(h.Get("Date")); err == nil {
		now = date
	}
	pause := until.Sub(now)
	if pause <= 0 || pause > most {
		return 0
	}
	return (pause + time.Second - 1).Truncate(time.Second)
}

// TryAgain says when to try again, as the end of a sentence: "try again in 7 s", or "try again
// later" if the time is unknown.
func TryAgain(pause time.Duration) string {
	switch {
	case pause <= 0:
		return "try again later"
	case pause < 2*time.Minute:
		return fmt.Sprintf("try again in %d s", (pause+time.Second-1)/time.Second)
	case pause < 2*time.Hour:
		return fmt.Sprintf("try again in %d min", (pause+time.Minute-1)/time.Minute)
	default:
		return fmt.Sprintf("try again in %d h", (pause+time.Hour-1)/time.Hour)
	}
}

// In returns how long an error's data asks to wait before the request is sent again, 0 if
// it does not say or says nonsense. No version of A2A defines a member for that; it reads
// seconds in retryAfter, retryAfterSeconds and retry_after, and retryDelay as
// google.rpc.RetryInfo writes it ("9s"), also in a list of details.
func In(data json.RawMessage) time.Duration {
	var doc jsontok.Doc
	if doc.Parse(data) != nil {
		return 0
	}
	root := doc.Root()
	if root.Kind() != jsontok.Array {
		return inObject(root)
	}
	for detail := range root.Elems() {
		if pause := inObject(detail); pause > 0 {
			return pause
		}
	}
	return 0
}

func inObject(n jsontok.Node) time.Duration {
	for _, name := range [...]string{"retryAfter", "retryAfterSeconds", "retry_after", "retryDelay"} {
		v := n.Get(name)
		if !v.Exists() {
			continue
		}
		seconds, err := strconv.ParseFloat(strings.TrimSuffix(strings.TrimSpace(v.Text()+v.Number()), "s"), 64)
		if err == nil && seconds > 0 && seconds <= most.Seconds() {
			return time.Duration(math.Ceil(seconds)) * time.Second
		}
	}
	return 0
}
