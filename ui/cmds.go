package ui

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/session"
	"parley/ui/chat"
	"parley/ui/control"
	"parley/ui/wire"
)

const (
	// frame is the least time between two batches of items: bulk text is not
	// painted more often than this.
	frame = time.Second / 60
	// remoteFrame is the same over ssh, where bytes are dearer.
	remoteFrame = time.Second / 30
	// firstFrame is how long the renderer may take to begin: many of its frames.
	firstFrame = 100 * time.Millisecond
	// noticeTime is how long a notice stands in the footer at least, and readingTime how
	// long for each of its bytes.
	noticeTime  = 4 * time.Second
	readingTime = 60 * time.Millisecond
)

// nextBatch waits for items: the first at once, then no sooner than one frame
// after the batch before. One such command is outstanding, so that order is
// kept and a flood of events costs a few messages per frame.
func nextBatch(ctx context.Context, feed *session.Feed, wait time.Duration, most int) tea.Cmd {
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

// nextBlock waits for what a recording hands over next. It comes in blocks that are
// large enough by themselves.
func nextBlock(ctx context.Context, feed *session.Feed) tea.Cmd {
	return nextBatch(ctx, feed, 0, session.OneBlock)
}

// afterStart runs cmd when the first frame is on the terminal, so that nothing which is
// not in it has the processor before.
func (m *Model) afterStart(cmd tea.Cmd) tea.Cmd {
	if m.out == nil || m.out.shown == nil {
		return cmd
	}
	return after(m.ctx, m.out.shown, cmd)
}

// after runs cmd when something is done, or will never be because ctx has ended.
func after(ctx context.Context, done <-chan struct{}, cmd tea.Cmd) tea.Cmd {
	return func() tea.Msg {
		select {
		case <-done:
		case <-ctx.Done():
		}
		return cmd()
	}
}

// render runs one markdown job off the screen's goroutine.
func render(job chat.Job) tea.Cmd {
	return func() tea.Msg { return renderedMsg{Done: job.Run()} }
}

// work does what the wire pane wants done off the screen's goroutine.
func work(job wire.Job) tea.Cmd {
	return func() tea.Msg { return workedMsg{Arrive: job()} }
}

// renderAt looks for markdown jobs again after d.
func renderAt(d time.Duration) tea.Cmd {
	return tea.Tick(max(d, time.Millisecond), func(time.Time) tea.Msg { return dueMsg{} })
}

func tickClock() tea.Cmd {
	return tea.Tick(time.Second, func(t time.Time) tea.Msg { return clockMsg(t) })
}

func expireNotice(n notice) tea.Cmd {
	seq, long := n.seq, time.Duration(min(len(n.text), 300))*readingTime
	return tea.Tick(max(noticeTime, long), func(time.Time) tea.Msg { return noticeOverMsg{Seq: seq} })
}

// soon says that the first frame should be on the terminal. What is drawn before that is
// drawn on the screen that the user finds again afterwards.
func soon() tea.Cmd {
	return tea.Tick(firstFrame, func(time.Time) tea.Msg { return shownMsg{} })
}

func catchUp() tea.Cmd {
	return tea.Tick(frame, func(time.Time) tea.Msg { return catchUpMsg{} })
}

// edit opens text in the user's editor, a command line that is not empty, and
// brings back what was saved, as a message like back: a request but for the line end that
// editors add, others without any at their end.
func edit(editor []string, text string, back control.EditedMsg) tea.Cmd {
	return func() tea.Msg {
		name, err := draft(text, back)
		if err != nil {
			back.Err = err
			return back
		}
		cmd := exec.Command(editor[0], append(editor[1:len(editor):len(editor)], name)...)
		return tea.Exec(&guest{Cmd: cmd}, func(err error) tea.Msg {
			defer os.Remove(name)
			if back.Err = err; err != nil {
				return back
			}
			data, err := os.ReadFile(name)
			back.Text, back.Err = string(data), err
			if !back.Request {
				back.Text = strings.TrimRight(back.Text, "\n")
			} else if !strings.HasSuffix(text, "\n") {
				back.Text = strings.TrimSuffix(back.Text, "\n")
			}
			return back
		})()
	}
}

// draft writes text to a new file, which is left behind only if that worked. Editors know
// by its name what it is.
func draft(text string, is control.EditedMsg) (name string, err error) {
	pattern := "parley-*.md"
	switch {
	case is.Request:
		pattern = "parley-*.http"
	case is.JSON:
		pattern = "parley-*.json"
	}
	file, err := os.CreateTemp("", pattern)
	if err != nil {
		return "", err
	}
	_, err = file.WriteString(text)
	if err = errors.Join(err, file.Close()); err != nil {
		_ = os.Remove(file.Name())
		return "", err
	}
	return file.Name(), nil
}
