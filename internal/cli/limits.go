package cli

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"parley/a2a"
)

// A sizeValue is the value of a flag that limits bytes: "16 MB", "1GiB", "500kB", a plain
// number of bytes, or 0 for no limit. A limit that counts other things takes a number.
type sizeValue struct {
	bytes *int64 // 0 is the limit's own
	limit a2a.Limit
}

var sizeUnits = map[string]float64{
	"": 1, "b": 1, "k": 1e3, "kb": 1e3, "m": 1e6, "mb": 1e6, "g": 1e9, "gb": 1e9,
	"kib": 1 << 10, "mib": 1 << 20, "gib": 1 << 30,
}

var errNoSize = errors.New("it is not a size")

// Set reads a size.
func (v sizeValue) Set(text string) error {
	number := strings.TrimRight(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ ")
	unit, known := sizeUnits[strings.ToLower(strings.TrimSpace(text[len(number):]))]
	n, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	switch {
	case !known || err != nil || math.IsNaN(n) || n < 0 || n*unit > 1<<60:
		return errNoSize
	case n == 0:
		*v.bytes = a2a.NoLimit
	case n*unit < 1:
		return errNoSize
	default:
		*v.bytes = int64(n * unit)
	}
	return nil
}

// String writes the limit as Set reads it.
func (v sizeValue) String() string {
	if v.bytes == nil {
		return "0"
	}
	n := *v.bytes
	switch {
	case n == a2a.NoLimit:
		return "0"
	case n == 0:
		n = v.limit.Bytes()
	}
	if !v.limit.CountsBytes() {
		return strconv.FormatInt(n, 10)
	}
	for _, unit := range []string{"GiB", "GB", "MiB", "MB", "KiB", "kB"} {
		if size := int64(sizeUnits[strings.ToLower(unit)]); n >= size && n%size == 0 {
			return strconv.FormatInt(n/size, 10) + unit
		}
	}
	return strconv.FormatInt(n, 10)
}

// Type names the value of the flag.
func (v sizeValue) Type() string {
	if !v.limit.CountsBytes() {
		return "number"
	}
	return "size"
}

// limitFlags defines a flag for each of the limits.
func limitFlags(f *pflag.FlagSet, to *a2a.Limits, limits ...a2a.Limit) {
	for _, l := range limits {
		f.Var(sizeValue{&to[l], l}, l.Flag(), limitUsage(l))
	}
}

func limitUsage(l a2a.Limit) string {
	switch l {
	case a2a.LimitStream:
		return "keep at most this `size` of a stream on the screen; 0 is no limit"
	case a2a.LimitItems:
		return fmt.Sprintf("accept at most this `number` of %s; 0 is no limit", l)
	case a2a.LimitRecording:
		return "stop the journal at this `size`; the run continues; 0 is no limit"
	case a2a.LimitSaved:
		return "save at most this `size` of files; 0 is no limit"
	default:
		return fmt.Sprintf("read at most this `size` of %s; 0 is no limit", l)
	}
}

// networkLimits are the limits of what agents send.
func networkLimits() []a2a.Limit {
	return slices.DeleteFunc(a2a.AllLimits(), func(l a2a.Limit) bool { return l == a2a.LimitRecording || l == a2a.LimitSaved })
}

// withoutStreamLimit removes the limit of streams unless a user set it: a command without a
// screen does not keep a stream.
func withoutStreamLimit(limits a2a.Limits) a2a.Limits {
	if limits[a2a.LimitStream] == 0 {
		limits[a2a.LimitStream] = a2a.NoLimit
	}
	return limits
}
