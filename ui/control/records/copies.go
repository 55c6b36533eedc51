package records

import (
	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/a2a/curl"
	"parley/internal/units"
	"parley/session/log"
	"parley/ui/control"
	"parley/ui/menu"
)

// CopyMenu offers what can be copied of a record's exchange.
func (c *Controller) CopyMenu(of *log.Item) tea.Cmd {
	it := c.requestOf(of)
	if it == nil {
		return c.host.Say(noRequest, true)
	}
	c.host.Menu("copy", c.exchangeName(it.Record.ID), c.copyItems(it))
	return nil
}

// copyItems returns the items of that menu for the request of an exchange.
func (c *Controller) copyItems(it *log.Item) []menu.Item {
	r, records := &it.Record, c.host.State().Log
	size, whole := responseSize(records, r.Exchange)
	line := menu.Item{Key: "c", Name: "curl", Note: "for a shell; secrets are variables", Value: c.copies("the curl command", func() string { return curl.Command(r, records.SentHead(r.Exchange)) })}
	if r.Head != nil && a2a.IsGRPC(r.Head.URL) {
		line.Name = "grpcurl"
		line.Value = c.copies("the grpcurl command", func() string { return curl.GRPC(r) })
	}
	onMesh := r.Head != nil && a2a.IsMesh(r.Head.URL)
	if onMesh {
		line.Name = "mosquitto_pub"
		line.Value = c.copies("the mosquitto_pub command", func() string { return curl.MQTT(r) })
		if curl.MQTT(r) == "" {
			line.Why = "mosquitto_pub cannot repeat it: it publishes, without WebSocket"
		}
	}
	body := menu.Item{Key: "j", Name: "request body", Note: units.Bytes(int64(len(r.Raw))), Value: c.copies("the request body", func() string { return string(r.Raw) })}
	switch {
	case len(r.Raw) == 0:
		body.Why = "this request has no body"
	case r.Call != nil && (r.Call.Binding == a2a.BindingJSONRPC || r.Call.Binding == a2a.BindingMQTT):
		body.Name = "JSON-RPC request"
	case r.Binary != nil:
		body.Name = "request as JSON"
	}
	raw := menu.Item{Key: "r", Name: "raw request", Note: "as HTTP text, with secrets masked", Value: c.copies("the raw request", func() string { return rawRequest(r, records.SentHead(r.Exchange)) })}
	if onMesh || r.Binary != nil {
		raw.Note = "as text, with secrets masked"
	}
	response := menu.Item{Key: "b", Name: "response body", Note: units.Bytes(int64(size)), Value: c.copies("the response body", func() string { return responseBody(records, r.Exchange) })}
	switch {
	case !whole:
		response.Why = "it is too large: it was not recorded completely"
	case size == 0:
		response.Why = "there is no response yet"
	}
	if r.Head == nil || r.Head.Method == "READ" {
		line.Why = "this was not an HTTP request"
	}
	refuseLarge(&line, len(r.Raw))
	refuseLarge(&body, len(r.Raw))
	refuseLarge(&raw, len(r.Raw))
	refuseLarge(&response, size)
	return []menu.Item{line, body, raw, response}
}

// copies returns the action that copies a text, which is built when the item is chosen.
func (c *Controller) copies(what string, text func() string) control.Action {
	return func() tea.Cmd { return c.host.Copy(text(), what) }
}

// refuseLarge refuses an item whose text is too large for the clipboard.
func refuseLarge(it *menu.Item, size int) {
	if it.Why == "" && size > control.MaxClipboard {
		it.Why = units.Bytes(int64(size)) + " exceed the limit of a terminal's clipboard: save them to a file from the wire pane"
	}
}
