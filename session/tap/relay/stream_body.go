package relay

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"time"
)

// body returns the body of the request, held and edited if the plan says so.
func (s *stream) body() (io.Reader, *End) {
	plan := &s.x.plan
	shown := &shownBody{s: s, from: s.r.Body}
	if plan.EditRequest == nil && plan.ChooseFault == nil {
		return shown, nil
	}
	most := s.c.relay.limits.Edit
	held, err := io.ReadAll(io.LimitReader(shown, int64(most)+1))
	if err != nil {
		return nil, &End{Cause: ClientBroke, Err: err}
	}
	if len(held) > most {
		return io.MultiReader(bytes.NewReader(held), shown), nil
	}
	if plan.ChooseFault != nil {
		plan.Fault = plan.ChooseFault(held)
	}
	if plan.EditRequest != nil {
		if edited := plan.EditRequest(slices.Clone(held)); !bytes.Equal(edited, held) {
			if s.r.ContentLength >= 0 {
				s.r.ContentLength = int64(len(edited))
			}
			held = edited
		}
	}
	return bytes.NewReader(held), nil
}

// shownBody is the body of a request as the observer sees it.
type shownBody struct {
	s    *stream
	from io.Reader
	read int64
}

func (b *shownBody) Read(p []byte) (int, error) {
	n, err := b.from.Read(p)
	at := time.Now()
	b.s.x.requestBody(at, p[:n])
	if b.read += int64(n); errors.Is(err, io.EOF) || b.read == b.s.r.ContentLength {
		b.s.x.requestEnd(at)
	}
	return n, err
}

// An openBody ends with the body that the client sends, which wakes up whoever reads it.
type openBody struct {
	io.Reader
	io.Closer
}
