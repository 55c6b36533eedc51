//go:build race

package a2a_test

// The race detector makes reading 64 MB byte by byte take most of a minute.
const hugeEvent = 12 << 20
