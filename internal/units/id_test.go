package units

import "testing"

func TestIDShowsWhatTellsIdsApart(t *testing.T) {
	for id, want := range map[string]string{
		"": "", "t-1": "t-1", "task-17": "task-17", "91c2e0d4-77f1-4b7e": "91c2", "deadbeefcafe0": "dead", "not-your-task": "not-your-task",
		"01a1f8c3-cb01-768e-83b0-0c59445b3438": "3438", "01a1f8c3-cb01-468e-83b0-0c59445b3438": "01a1",
		"task-000000017": "0017", "안녕하세요여러분반갑": "안녕하세요여러분반갑", "안녕하세요여러분반갑습니다1": "습니다1",
	} {
		if got := ID(id); got != want {
			t.Errorf("ID(%q) = %q, want %q", id, got, want)
		}
	}
}
