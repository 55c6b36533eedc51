// Talks to an agent with the client of the official JavaScript SDK 1.3.0: it streams a count, answers a
// question, gets the task and sends without a stream. It prints what came of each. Its arguments are
// the base URL of the agent and the binding; with a text as the third one it prints the agent's skills,
// sends the text and prints what came of it.
import { randomUUID } from 'node:crypto';
import { Role, TaskState } from '@a2a-js/sdk';
import { ClientFactory, DefaultAgentCardResolver, JsonRpcTransportFactory, RestTransportFactory } from '@a2a-js/sdk/client';
import { GrpcTransportFactory } from '@a2a-js/sdk/client/grpc';

const [, , url, binding, text] = process.argv;
const factory = new ClientFactory({
  transports: [new JsonRpcTransportFactory(), new RestTransportFactory(), new GrpcTransportFactory()],
  preferredTransports: [binding],
});
const card = await new DefaultAgentCardResolver().resolve(url);
const client = await factory.createFromAgentCard(card);

const request = (value, ids = {}) => ({
  tenant: '', metadata: undefined,
  message: {
    messageId: randomUUID(), role: Role.ROLE_USER, contextId: '', taskId: '', metadata: undefined, extensions: [], referenceTaskIds: [],
    parts: [{ content: { $case: 'text', value }, metadata: undefined, filename: '', mediaType: '' }], ...ids,
  },
});
const state = (status) => TaskState[status.state].replace('TASK_STATE_', '').toLowerCase().replaceAll('_', '-');
const say = (...words) => console.log(words.filter(Boolean).join(' '));

async function stream(name, params) {
  let last = ''; let text = ''; let ids = {};
  for await (const { payload } of client.sendMessageStream(params)) {
    const { $case: kind, value } = payload;
    if (kind === 'task') ids = { taskId: value.id, contextId: value.contextId };
    if (kind === 'task' || kind === 'statusUpdate') last = state(value.status);
    if (kind === 'artifactUpdate') text += value.artifact.parts.map((p) => p.content.value).join('');
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
say('get', state((await client.getTask({ tenant: '', id: asked.taskId })).status));
say('send', state((await client.sendMessage(request('count 3'))).status));
process.exit(0);
