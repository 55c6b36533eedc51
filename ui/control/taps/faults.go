package taps

import (
	"strconv"

	tea "charm.land/bubbletea/v2"

	"parley/ui/canvas"
	"parley/ui/control"
	"parley/ui/menu"
	"parley/ui/taps"
)

// faultMenu offers the faults that a tap can inject. Each lasts until another one is chosen.
func (c *Controller) faultMenu(t taps.Tap) {
	set := func(fault string) control.Action { return func() tea.Cmd { return c.setFault(t, fault) } }
	number := func(before string, after string) control.NumberAction {
		return func(n int) tea.Cmd { return c.setFault(t, before+strconv.Itoa(n)+after) }
	}
	off := ""
	if t.Fault == "" {
		off = "this tap injects no fault"
	}
	note := "for other clients; each fault lasts until you end it"
	if t.Fault != "" {
		note = "now " + canvas.SanitizeLine(t.Fault)
	}
	c.host.Menu("fault injection in tap "+canvas.SanitizeLine(t.Name), note, []menu.Item{
		{Key: "k", Name: "cut streams after some events", Ask: "after how many events?", Default: 3, Value: number("cut:", "")},
		{Key: "s", Name: "stall streams", Note: "nothing comes for a while", Ask: "for how many seconds?", Default: 10, Value: number("stall:", "s")},
		{Key: "l", Name: "delay requests", Ask: "by how many seconds?", Default: 2, Value: number("delay:", "s")},
		{Key: "d", Name: "duplicate events", Value: set("duplicate")},
		{Key: "r", Name: "reorder events", Note: "every two change places", Value: set("reorder")},
		{Key: "a", Name: "answer 401", Note: "as if credentials were missing", Value: set("unauthorized")},
		{Key: "b", Name: "answer 503", Note: "with Retry-After", Ask: "try again after how many seconds?", Default: 5, Value: number("unavailable:", "s")},
		{Key: "o", Name: "end the fault", Why: off, Value: set("")},
	})
}

// setFault sets the fault of a tap and shows the sheet again.
func (c *Controller) setFault(t taps.Tap, fault string) tea.Cmd {
	if err := c.o.Set.SetFault(t.Agent, fault); err != nil {
		return c.host.Say("The fault was not set: "+canvas.SanitizeLine(err.Error())+".", true)
	}
	said := "tap " + canvas.SanitizeLine(t.Name) + " injects " + fault + " from the next request on"
	if fault == "" {
		said = "tap " + canvas.SanitizeLine(t.Name) + " passes everything on again"
	}
	return tea.Batch(c.Open(), c.host.Say(said, false))
}
