package ui

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/session/log"
	"parley/ui/chat"
	"parley/ui/wire"
)

const (
	// frame is the least time between two batches of items, and hence between two paints of
	// bulk text.
	frame = time.Second / 60
	// remoteFrame is the same over ssh, where bandwidth is lower.
	remoteFrame = time.Second / 30
	// unreadTime is how long a notice stays although another one waits, if no key is pressed.
	unreadTime = 2 * time.Second
	// noticeTime is the least time for which the last notice is shown, and readingTime the time
	// for each of its bytes.
	noticeTime  = 4 * time.Second
	readingTime = 60 * time.Millisecond
)

// nextBatch waits for items: the first at once, then no sooner than one frame after the batch
// before. Only one such command is pending, so that order is kept and a flood of events costs a
// few messages per frame.
func nextBatch(ctx context.Context, feed *log.Feed, wait time.Duration, most int) tea.Cmd {
	return func() tea.Msg {
		if wait > 0 {
			timer := time.NewTimer(wait)
			defer timer.Stop()
			select {
			case <-timer.C:
			case <-ctx.Done():
				return feedClosedMsg{}
			}
		}
		items, err := feed.Next(ctx, most)
		if err != nil {
			return feedClosedMsg{}
		}
		return batchMsg{Items: items}
	}
}

// nextBlock waits for the next records of a recording. They come in blocks that are large
// enough.
func nextBlock(ctx context.Context, feed *log.Feed) tea.Cmd {
	return nextBatch(ctx, feed, 0, log.OneBlock)
}

// render runs one markdown job off the screen's goroutine.
func render(job chat.Job) tea.Cmd {
	return func() tea.Msg { return renderedMsg{Done: job.Run()} }
}

// work runs a job of the wire pane off the screen's goroutine.
func work(job wire.Job) tea.Cmd {
	return func() tea.Msg { return workedMsg{Arrive: job()} }
}

// renderAt starts markdown jobs again after d.
func renderAt(d time.Duration) tea.Cmd {
	return tea.Tick(max(d, time.Millisecond), func(time.Time) tea.Msg { return dueMsg{} })
}

func tickClock() tea.Cmd {
	return tea.Tick(time.Second, func(t time.Time) tea.Msg { return clockMsg(t) })
}

// timeNotice says when a notice was shown long enough to make way for another one, and when its
// own time is over.
func timeNotice(n notice) tea.Cmd {
	seq, long := n.seq, time.Duration(min(len(n.text), 300))*readingTime
	return tea.Batch(
		tea.Tick(unreadTime, func(time.Time) tea.Msg { return noticeTimeMsg{Seq: seq} }),
		tea.Tick(max(noticeTime, long), func(time.Time) tea.Msg { return noticeTimeMsg{Seq: seq, Over: true} }),
	)
}

func catchUp() tea.Cmd {
	return tea.Tick(frame, func(time.Time) tea.Msg { return catchUpMsg{} })
}
