package engine

import (
	"context"

	"parley/a2a"
	"parley/session/model"
)

// sendWithoutWebhook sends a message again without its webhook if the agent refused that.
func (d *dispatch) sendWithoutWebhook(ctx context.Context) bool {
	push, rpc := d.req.Config.Push, rpcError(d.out.Err)
	if push == nil || d.fw.hasEvents() || ctx.Err() != nil || !model.RefusesWebhook(d.call, push.URL, rpc) {
		return false
	}
	again := d.again(a2a.WhyWithoutWebhook)
	d.call, d.req.Call, d.req.Config.Push = again, again, nil
	d.try(ctx)
	return true
}
