// Package mesh takes part in a Solace Agent Mesh as a gateway, over MQTT 5. It is the carrier of
// [a2a.BindingMQTT] and the directory of the agents that announce themselves on a broker.
//
// A [Hub] holds a gateway for each namespace that is used: two connections to its broker. One
// receives, with a session, so that a short outage loses nothing. The other publishes, without
// one, so that a request is never sent twice: with a session, a lost confirmation would make the
// agent run a prompt again.
//
// A request is published to the topic of its agent and names the topics of its answers, which end
// in the id of its task. What comes there is the flow of the request until its final task, or an
// error. What comes for no open flow is a stray: it is reported, and changes nothing.
package mesh
