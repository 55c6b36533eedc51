package session

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"parley/a2a"
)

// TestMain turns the test binary into a program that records until it is killed.
func TestMain(m *testing.M) {
	if path := os.Getenv("PARLEY_TEST_RECORD"); path != "" {
		j, err := CreateJournal(path, JournalOptions{Now: clock()})
		if err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		r := NewRecorder(NewFeed(), j)
		fmt.Println("recording")
		for i := 0; ; i++ {
			r.Put(event(fmt.Sprintf("data: %d %s\n\n", i, strings.Repeat("x", i%2000))), a2a.Update{})
			if i%64 == 0 {
				r.feed.take(0)
			}
		}
	}
	os.Exit(m.Run())
}

// waitForSize polls until a file that another process writes is that large.
func waitForSize(t *testing.T, path string, size int64) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(time.Millisecond) {
		if info, err := os.Stat(path); err == nil && info.Size() >= size {
			return
		}
	}
	t.Fatalf("%s did not grow to %d bytes", path, size)
}
