package ui

import (
	"reflect"
	"testing"

	"parley/ui/control/controltest"
)

// fakeEngine is the engine of all tests.
type fakeEngine = controltest.Engine

// The engine of a recording says why it refuses, and does nothing.
func TestTheEngineOfARecordingDoesNothing(t *testing.T) {
	t.Parallel()
	e := RecordingEngine()
	const says = "This is a recording; nothing can be sent."
	if got := e.Refusal(); got != says {
		t.Errorf("it says %q, want %q", got, says)
	}
	v := reflect.ValueOf(e)
	for i := range v.NumMethod() {
		name, kind := v.Type().Method(i).Name, v.Method(i).Type()
		in := make([]reflect.Value, kind.NumIn())
		for j := range in {
			in[j] = reflect.Zero(kind.In(j))
		}
		call := v.Method(i).Call
		if kind.IsVariadic() {
			call = v.Method(i).CallSlice
		}
		for _, out := range call(in) {
			speaks := out.Kind() == reflect.String || out.Kind() == reflect.Interface // which say why
			if !speaks && !out.IsZero() {
				t.Errorf("%s of a recording's engine returns %v, want the zero value", name, out)
			}
		}
	}
}
