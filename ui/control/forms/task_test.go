package forms

import (
	"testing"

	"parley/a2a"
	"parley/session/model"
	"parley/session/task"
)

func TestAPromptIsSearchedForAFormOnce(t *testing.T) {
	var c Controller
	prompt := &a2a.Message{Parts: []a2a.Part{a2a.DataPart([]byte(`{"schema":{"properties":{"city":{}}}}`))}}
	asked := &model.Task{Prompt: prompt}
	if c.hasForm(asked) || len(c.prompts) != 0 {
		t.Errorf("got a form or %d cached prompts of a task without a prompt, want none", len(c.prompts))
	}
	asked.State = a2a.StateInputRequired
	if !c.hasForm(asked) {
		t.Error("hasForm is false for a prompt with a form")
	}
	prompt.Parts = nil // as no prompt changes
	if !c.hasForm(asked) {
		t.Error("got no form the second time, want the cached answer")
	}
	for range 3 * maxPrompts {
		c.hasForm(&model.Task{Prompt: &a2a.Message{}, Lifecycle: task.Lifecycle{State: a2a.StateInputRequired}})
	}
	if len(c.prompts) > maxPrompts {
		t.Errorf("got %d prompts, want at most %d", len(c.prompts), maxPrompts)
	}
}
