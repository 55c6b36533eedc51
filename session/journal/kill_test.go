package journal

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"parley/a2a"
	"parley/session/log"
	"parley/session/sessiontest"
)

// TestMain makes the test binary a program that records until it is killed.
func TestMain(m *testing.M) {
	if path := os.Getenv("PARLEY_TEST_RECORD"); path != "" {
		j, err := Create(path, Options{Now: clock()})
		if err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		r := NewRecorder(log.NewFeed(), j)
		fmt.Println("recording")
		for i := 0; ; i++ {
			r.Put(sessiontest.Event(fmt.Sprintf("data: %d %s\n\n", i, strings.Repeat("x", i%2000))), a2a.Update{})
			if i%64 == 0 {
				taken(r.feed)
			}
		}
	}
	os.Exit(m.Run())
}

// waitForSize polls until a file that another process writes has that size.
func waitForSize(t *testing.T, path string, size int64) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(time.Millisecond) {
		if info, err := os.Stat(path); err == nil && info.Size() >= size {
			return
		}
	}
	t.Fatalf("%s: want it to grow to %d bytes", path, size)
}

// taken takes all items of a feed, which must not be empty.
func taken(f *log.Feed) []log.Item {
	items, _ := f.Next(context.Background(), 0)
	return items
}
