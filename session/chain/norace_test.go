//go:build !race

package chain

// manyExchanges is how many exchanges a hostile session has.
const manyExchanges = 100_000
