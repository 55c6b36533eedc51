package log

import (
	"testing"
	"time"
)

func TestQuantilesOfEqualGapsAreThatGap(t *testing.T) {
	for _, gap := range []time.Duration{3 * time.Second, 27 * time.Millisecond, 209 * time.Millisecond, 1} {
		var g Gaps
		for range 7 {
			g.add(gap, 1)
		}
		for _, q := range []float64{0.01, 0.5, 0.95, 1} {
			if got := g.Quantile(q); got != gap {
				t.Errorf("pauses of %v: quantile %v: got %v", gap, q, got)
			}
		}
	}
}
