//go:build !race

package a2a_test

const hugeEvent = 64_000_000
