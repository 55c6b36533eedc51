package log_test

import (
	"context"
	"errors"
	"io"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"parley/a2a"
	"parley/session/log"
	"parley/session/sessiontest"
)

func numbered(n int) log.Item { return log.Item{Record: a2a.Record{ID: a2a.RecordID(n)}} }

func TestFeedKeepsEveryItemInOrder(t *testing.T) {
	for _, limit := range []int{0, 1, 7, 1000} {
		f := log.NewFeed()
		const n = 5000
		go func() {
			for i := 1; i <= n; i++ {
				f.Append(numbered(i))
			}
		}()
		for i, it := range sessiontest.Drain(t, f, n, limit) {
			if it.Record.ID != a2a.RecordID(i+1) {
				t.Fatalf("limit %d: item %d: got number %d", limit, i, it.Record.ID)
			}
		}
		if f.Len() != 0 {
			t.Errorf("limit %d: got %d items left, want 0", limit, f.Len())
		}
	}
}

func TestFeedGivesEveryItemToExactlyOneOfManyTakers(t *testing.T) {
	f := log.NewFeed()
	const producers, each, takers = 8, 500, 4
	var put, took sync.WaitGroup
	var mu sync.Mutex
	seen := map[a2a.RecordID]int{}
	for p := range producers {
		put.Go(func() {
			for i := range each {
				f.Append(numbered(p*each + i + 1))
			}
		})
	}
	for range takers {
		took.Go(func() {
			for {
				items, err := f.Next(context.Background(), 3)
				if err != nil {
					return
				}
				mu.Lock()
				for _, it := range items {
					seen[it.Record.ID]++
				}
				mu.Unlock()
			}
		})
	}
	put.Wait()
	f.Close()
	took.Wait()
	for i := 1; i <= producers*each; i++ {
		if seen[a2a.RecordID(i)] != 1 {
			t.Fatalf("item %d was taken %d times, want once", i, seen[a2a.RecordID(i)])
		}
	}
}

func TestFeedNextOwnsWhatItReturns(t *testing.T) {
	f := log.NewFeed()
	for i := 1; i <= 4; i++ {
		f.Append(numbered(i))
	}
	first, _ := f.Next(t.Context(), 2)
	_ = append(first, numbered(99)) // must not write into what is still queued
	rest, _ := f.Next(t.Context(), 0)
	if rest[0].Record.ID != 3 {
		t.Errorf("got next item %d, want 3", rest[0].Record.ID)
	}
}

func TestFeedEndsWithItsContextAndWithClose(t *testing.T) {
	f := log.NewFeed()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := f.Next(ctx, 0); !errors.Is(err, context.Canceled) {
		t.Errorf("Next with an ended context: got error %v, want context.Canceled", err)
	}
	f.Append(numbered(1))
	f.Close()
	f.Append(numbered(2)) // too late
	if items, err := f.Next(t.Context(), 0); err != nil || len(items) != 1 {
		t.Errorf("Next after Close: got %d items (%v), want the queued one", len(items), err)
	}
	if _, err := f.Next(t.Context(), 0); err != io.EOF {
		t.Errorf("Next on an empty closed feed: got error %v, want io.EOF", err)
	}
}

func BenchmarkFeed(b *testing.B) {
	b.ReportAllocs()
	f := log.NewFeed()
	it := numbered(1)
	n := 0
	for b.Loop() {
		f.Append(it)
		if n++; n == 1000 {
			if _, err := f.Next(context.Background(), 0); err != nil {
				b.Fatal(err)
			}
			n = 0
		}
	}
}

// BenchmarkFeedFloor is a plain slice under a lock.
func BenchmarkFeedFloor(b *testing.B) {
	b.ReportAllocs()
	var mu sync.Mutex
	var queue []log.Item
	it := numbered(1)
	for b.Loop() {
		mu.Lock()
		queue = append(queue, it)
		if len(queue) == 1000 {
			queue = nil
		}
		mu.Unlock()
	}
}

// A producer of a full feed is delayed for a moment, and continues at once when items are
// taken, however many producers wait.
func TestAFullFeedHoldsUpThoseWhoFillIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const most, waiting = 5, 3
		f, ctx := log.NewFeed(), t.Context()
		fill := func() {
			for range 2 * most {
				f.Append(log.Item{})
			}
		}
		fill()
		began := time.Now()
		f.Relieve(ctx, most, time.After)
		if waited := time.Since(began); waited != log.Moment {
			t.Errorf("got delay %v, want %v", waited, log.Moment)
		}
		var done sync.WaitGroup
		for range waiting {
			done.Go(func() { f.Relieve(ctx, most, time.After) })
		}
		synctest.Wait()
		began = time.Now()
		if items, err := f.Next(ctx, most); len(items) != most || err != nil {
			t.Fatalf("got %d items (%v), want %d", len(items), err, most)
		}
		done.Wait()
		f.Relieve(ctx, most, time.After)
		if waited := time.Since(began); waited != 0 {
			t.Errorf("got delay %v with room in the feed, want 0", waited)
		}
		fill()
		gone, cancel := context.WithCancel(ctx)
		cancel()
		f.Relieve(gone, most, time.After)
		if waited := time.Since(began); waited != 0 {
			t.Errorf("got delay %v with an ended context, want 0", waited)
		}
	})
}

// What a consumer gives back is filled again, so that a stream of any length takes the memory of
// a few blocks. Nothing is lost, and nothing of an older item is left in a newer one.
func TestBlocksThatAreGivenBackAreFilledAgain(t *testing.T) {
	const many = 1500 // more than a block
	f := log.NewFeed()
	seen, put, mark := 0, 0, &a2a.DecodeError{}
	round := func() {
		for range many {
			put++
			f.Append(numbered(put))
		}
		for f.Len() > 0 {
			items, err := f.Next(t.Context(), log.OneBlock)
			if err != nil {
				t.Fatal(err)
			}
			for i := range items {
				if seen++; items[i].Record.ID != a2a.RecordID(seen) || items[i].Update.Err != nil {
					t.Fatalf("item %d: got %+v, want record %d alone", seen, items[i], seen)
				}
				items[i].Update.Err = mark
			}
			f.GiveBack(items)
		}
	}
	round()
	if n := testing.AllocsPerRun(20, round); n > 4 {
		t.Errorf("got %v allocations for %d items, want those of the list of blocks", n, many)
	}
	if seen != put {
		t.Errorf("got %d items, want %d", seen, put)
	}
}
