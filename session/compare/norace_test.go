//go:build !race

package compare_test

const raced = false
