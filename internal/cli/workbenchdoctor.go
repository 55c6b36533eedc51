package cli

import (
	"context"
	"maps"

	"parley/internal/connection"
	"parley/internal/doctor"
	"parley/internal/signature"
)

// A workbenchDoctor is the doctor of the workbench: parley doctor, whose steps go to a sheet.
type workbenchDoctor struct {
	app        *app
	transports []string
	keys       func() *signature.Keys // those that the user trusts
}

// Examine follows the way to an agent with an engine of its own, so that the session on the screen
// has no record of it.
func (d workbenchDoctor) Examine(ctx context.Context, s doctor.Subject, report func(connection.Step)) {
	f := &doctorFlags{callFlags: callFlags{ref: s.Ref, output: "text", poll: defaultPoll, transports: d.transports, pins: s.Pins}, message: doctorMessage, send: s.Send}
	f.trusted = d.keys()
	e := &examination{app: d.app.within(ctx), flags: f, put: report}
	e.run()
}

// Machine returns the facts about this machine.
func (d workbenchDoctor) Machine() []doctor.Fact { return d.app.machine() }

// within returns the app for a command that runs while the workbench is on the terminal: it writes
// nothing there, reads no keys and has connections of its own.
func (a *app) within(ctx context.Context) *app {
	sub := &app{ctx: ctx, env: a.env, net: a.net, settings: a.settings, rosterFile: a.rosterFile, dotenv: a.dotenv, inside: true, after: a.after}
	sub.net.hub = newHub()
	sub.net.mqttClientID, sub.net.fromFlags = "", maps.Clone(a.net.fromFlags) // a broker lets one connection have an id
	if sub.net.fromFlags == nil {
		sub.net.fromFlags = map[string]bool{}
	}
	sub.net.fromFlags["mqtt-client-id"] = true // no saved agent sets it
	return sub
}
