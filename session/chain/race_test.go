//go:build race

package chain

// manyExchanges is how many exchanges a hostile session has; the race detector is slow.
const manyExchanges = 20_000
