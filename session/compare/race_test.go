//go:build race

package compare_test

// raced is whether the race detector runs: it empties pools at random, so that allocations say
// nothing.
const raced = true
