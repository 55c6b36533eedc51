package ui

import (
	"errors"
	"slices"
	"testing"
	"time"

	"parley/a2a"
)

// fakeTaps are taps that pass nothing on: the real ones are tested with sockets.
type fakeTaps struct{ taps []Tap }

func (f *fakeTaps) Taps() []Tap { return slices.Clone(f.taps) }

func (f *fakeTaps) Begin(target string) (Tap, error) {
	if target == "nowhere" {
		return Tap{}, errors.New("the agent of a tap is an http:// or https:// URL with a host")
	}
	t := Tap{Name: "desk", URL: "http://127.0.0.1:4107", Target: target, Agent: 1}
	f.taps = append(f.taps, t)
	return t, nil
}

func (f *fakeTaps) Stop(agent a2a.AgentID) {
	f.taps = slices.DeleteFunc(f.taps, func(t Tap) bool { return t.Agent == agent })
}

func (f *fakeTaps) SetFault(agent a2a.AgentID, fault string) error {
	for i := range f.taps {
		if f.taps[i].Agent == agent {
			f.taps[i].Fault = fault
		}
	}
	return nil
}

func TestTapsAreStartedAndStopped(t *testing.T) {
	t.Parallel()
	set := &fakeTaps{}
	bubble(t, 100, 30, Options{Taps: set}, func(d *desk) {
		d.carded()
		d.write("/tap")
		d.press("enter")
		d.sees("taps", "No tap is open", "n start a tap")
		d.press("n")
		d.sees("start a tap", "enter starts a tap in front of this agent")
		d.press("ctrl+u")
		d.write("nowhere")
		d.press("enter")
		d.says("No tap was started: the agent of a tap is an http:// or https:// URL with a host.")
		d.press("esc")
		d.write("/tap http://127.0.0.1:9999")
		d.press("enter")
		d.sees("tap desk is open: give clients http://127.0.0.1:4107", "127.0.0.1:4107 › 127.0.0.1:9999", "0 exchanges")
		d.press("y")
		d.sees("copied the address of the tap, 21 B")
		d.press("!")
		d.sees("fault injection in tap desk", "answer 503")
		d.press("k", "5", "enter")
		d.sees("cut:5", "tap desk injects cut:5 from the next request on")
		d.press("!", "o")
		d.sees("passes everything on again")
		set.taps[0].Open = 1
		d.wait(2 * time.Second)
		d.press("x")
		d.sees("stop tap desk?", "its clients lose their connections")
		d.press("y")
		d.sees("stopped tap desk", "No tap is open")
		d.press("esc")
		if d.model.sheet() != nil {
			t.Error("the sheet is open after esc, want it closed")
		}
	})
}

func TestATapNeedsALiveSession(t *testing.T) {
	t.Parallel()
	bubble(t, 100, 30, Options{}, func(d *desk) {
		d.carded()
		d.write("/tap http://127.0.0.1:9999")
		d.press("enter")
		d.says("No tap can be started in a resumed session")
	})
}
