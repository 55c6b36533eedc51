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
// before. It has them judged and checked, off the screen's goroutine. Only one such command is pending, so that
// order is kept and a flood of events costs a few messages per frame.
func nextBatch(ctx context.Context, o *Options, wait time.Duration, most int) tea.Cmd {
	feed, stage := o.Feed, o.Stage
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
		stage.Prepare(items)
		return batchMsg{Items: items}
	}
}

// nextBlock waits for the next records of a recording. They come in blocks that are large
// enough.
func nextBlock(ctx context.Context, o *Options) tea.Cmd {
	return nextBatch(ctx, o, 0, log.OneBlock)
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

// wake asks for a clockMsg in so long, unless one comes earlier; never for 0. It replaces one that would come
// later.
func (t *ticks) wake(ctx context.Context, now time.Time, in time.Duration) tea.Cmd {
	due := now.Add(in)
	if in <= 0 || !t.due.IsZero() && !due.Before(t.due) {
		return nil
	}
	if t.stop != nil {
		t.stop()
	}
	ctx, t.stop = context.WithCancel(ctx)
	t.due = due
	return func() tea.Msg {
		timer := time.NewTimer(in)
		defer timer.Stop()
		select {
		case <-timer.C:
			return clockMsg(due)
		case <-ctx.Done():
			return nil
		}
	}
}

// begin notes whether something works, and reports it. When work begins its seconds begin, so that what was
// pending does not count.
func (t *ticks) begin(busy bool) bool {
	if busy && !t.busy {
		t.due = time.Time{}
	}
	t.busy = busy
	return busy
}

// rings reports whether a message is the one that is pending, which it no longer is.
func (t *ticks) rings(msg clockMsg) bool {
	if !time.Time(msg).Equal(t.due) {
		return false
	}
	t.due = time.Time{}
	t.stop()
	return true
}

// soonest returns the shortest of the times after which something changes, of which 0 is never.
func soonest(in ...time.Duration) (least time.Duration) {
	for _, d := range in {
		if d > 0 && (least == 0 || d < least) {
			least = d
		}
	}
	return least
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
