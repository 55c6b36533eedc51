// Talks to an agent with the client of the official JavaScript SDK 0.3.14: it streams a count, answers a
// question, gets the task and sends without a stream. It prints what came of each. Its arguments are
// the base URL of the agent and the binding; with a text as the third one it prints the agent's skills,
// sends the text and prints what came of it.
import { randomUUID } from 'node:crypto';
import { ClientFactory, DefaultAgentCardResolver, JsonRpcTransportFactory, RestTransportFactory } from '@a2a-js/sdk/client';
import { GrpcTransportFactory } from '@a2a-js/sdk/client/grpc';

const [, , url, binding, text] = process.argv;
const factory = new ClientFactory({
  transports: [new JsonRpcTransportFactory(), new RestTransportFactory(), new GrpcTransportFactory()],
  preferredTransports: [binding],
});
const card = await new DefaultAgentCardResolver().resolve(url);
const client = await factory.createFromAgentCard(card);

const request = (text, ids = {}) => ({
  message: { kind: 'message', messageId: randomUUID(), role: 'user', parts: [{ kind: 'text', text }], ...ids },
});
const say = (...words) => console.log(words.filter(Boolean).join(' '));

async function stream(name, params) {
  let last = ''; let text = ''; let ids = {};
  for await (const event of client.sendMessageStream(params)) {
    if (event.kind === 'task') ids = { taskId: event.id, contextId: event.contextId };
    if (event.kind === 'task' || event.kind === 'status-update') last = event.status.state;
    if (event.kind === 'artifact-update') text += event.artifact.parts.map((p) => p.text).join('');
  }
  say(name, last, text.trim());
  return ids;
}

if (text) {
  say('skills', ...card.skills.map((s) => s.id));
  await stream('say', request(text));
  process.exit(0);
}
await stream('count', request('count 5'));
const asked = await stream('ask', request('ask'));
await stream('reply', request('blue', asked));
say('get', (await client.getTask({ id: asked.taskId })).status.state);
say('send', (await client.sendMessage(request('count 3'))).status.state);
process.exit(0);
