package session

import (
	"strconv"
	"strings"
)

// sizeText writes a number of bytes as the screens do: "64 B", "1.4 kB", "12 MB".
func sizeText(n int64) string {
	if n < 1000 {
		return strconv.FormatInt(n, 10) + " B"
	}
	v, unit := float64(n)/1000, "kB"
	for _, next := range [...]string{"MB", "GB", "TB", "PB", "EB"} {
		if v < 999.95 {
			break
		}
		v, unit = v/1000, next
	}
	return strings.TrimSuffix(strconv.FormatFloat(v, 'f', 1, 64), ".0") + " " + unit
}
