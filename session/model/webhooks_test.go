package model

import (
	"strconv"
	"testing"

	"parley/a2a"
)

func TestALongListOfWebhooksIsTakenOver(t *testing.T) {
	const many = 100_000
	told := make([]a2a.PushConfig, 2*many)
	for i := range told {
		told[i].ID = strconv.Itoa(i % many)
	}
	var p Push
	p.put(told, 7)
	if p.put(told[:1], 8); len(p.Hooks) != many || p.Hooks[0].Record != 8 || p.Hooks[1].Record != 7 {
		t.Errorf("got %d webhooks, want %d, the first of record 8", len(p.Hooks), many)
	}
}
