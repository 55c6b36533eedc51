// Talks to an agent with the client of the official JavaScript SDK 0.3.14: it streams a count, answers a
// question, gets the task and sends without a stream. It prints what came of each. Its arguments are
// the base URL of the agent and the binding; with a text as the third one it prints the agent's skills,
// sends the text and prints what came of it; with -operations and texts it calls every operation for each.
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
const say = (...words) => words.some(Boolean) && console.log(words.filter(Boolean).join(' ').trim());

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

// named returns the name of an error as all clients print it. An error in a stream has only its code.
const codes = { '-32004': 'UnsupportedOperation' };
const named = (error) => codes[/Code: (-\d+)/i.exec(error.message)?.[1]] ?? (error.constructor.name === 'Error' ? `${error.name}: ${error.message}` : error.constructor.name)
  .replace(/^(Rest|JsonRpc|Grpc)/, '').replace(/Error$/, '').replace(/JSONRPC$/, '').replace(/^(Authenticated)?ExtendedAgentCard|^AuthenticatedExtendedCard/, 'ExtendedCard');
const tell = async (name, act) => {
  try { say(name, await act()); } catch (error) { say(name, named(error)); }
};
const texts = (parts) => parts.map((p) => p.text ?? '').join('');
const outcome = (r) => (r.kind === 'message' ? `message ${texts(r.parts)}` : `${r.status.state} ${texts((r.artifacts ?? []).flatMap((a) => a.parts))}`).trim();

// operations sends each text plainly and with a stream, and calls every other operation on the task.
async function operations(all) {
  for (const value of all) {
    await tell('at once', async () => (await client.sendMessage({ ...request(value), configuration: { blocking: false } })).kind);
    let task;
    await tell('send', async () => { const r = await client.sendMessage(request(value)); if (r.kind === 'task') task = r; return outcome(r); });
    await tell('', async () => { await stream('stream', request(value)); return undefined; });
    if (!task) continue;
    const { id } = task;
    await tell('get', async () => outcome(await client.getTask({ id })));
    await tell('subscribe', async () => {
      let first;
      for await (const event of client.resubscribeTask({ id })) first ??= event;
      return outcome(first);
    });
    await tell('cancel', async () => outcome(await client.cancelTask({ id })));
    const config = { id, pushNotificationConfigId: 'c' };
    await tell('push set', async () => { await client.setTaskPushNotificationConfig({ taskId: id, pushNotificationConfig: { id: 'c', url: 'http://127.0.0.1:1/' } }); return 'ok'; });
    await tell('push get', async () => { await client.getTaskPushNotificationConfig(config); return 'ok'; });
    await tell('push list', async () => { await client.listTaskPushNotificationConfig({ id }); return 'ok'; });
    await tell('push delete', async () => { await client.deleteTaskPushNotificationConfig(config); return 'ok'; });
  }
  await tell('card', async () => { await client.getAgentCard(); return 'ok'; });
}

if (text === '-operations') {
  await operations(process.argv.slice(5));
  process.exit(0);
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
