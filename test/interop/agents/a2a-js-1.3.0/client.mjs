// Talks to an agent with the client of the official JavaScript SDK 1.3.0: it streams a count, answers a
// question, gets the task and sends without a stream. It prints what came of each. Its arguments are
// the base URL of the agent and the binding; with a text as the third one it prints the agent's skills,
// sends the text and prints what came of it; with -operations and texts it calls every operation for each.
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
const say = (...words) => words.some(Boolean) && console.log(words.filter(Boolean).join(' ').trim());

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

// named returns the name of an error as all clients print it. An error in a stream has only its code.
const codes = { '-32004': 'UnsupportedOperation' };
const named = (error) => codes[/Code: (-\d+)/i.exec(error.message)?.[1]] ?? (error.constructor.name === 'Error' ? `${error.name}: ${error.message}` : error.constructor.name)
  .replace(/^(Rest|JsonRpc|Grpc)/, '').replace(/Error$/, '').replace(/JSONRPC$/, '').replace(/^(Authenticated)?ExtendedAgentCard|^AuthenticatedExtendedCard/, 'ExtendedCard');
const tell = async (name, act) => {
  try { say(name, await act()); } catch (error) { say(name, named(error)); }
};
const texts = (parts) => parts.map((p) => p.content?.value ?? '').join('');
const outcome = (r) => (r.parts ? `message ${texts(r.parts)}` : `${state(r.status)} ${texts((r.artifacts ?? []).flatMap((a) => a.parts))}`).trim();

// operations sends each text plainly and with a stream, and calls every other operation on the task.
async function operations(all) {
  for (const value of all) {
    await tell('at once', async () => ((await client.sendMessage({ ...request(value), configuration: { acceptedOutputModes: [], taskPushNotificationConfig: undefined, historyLength: undefined, returnImmediately: true } })).status ? 'task' : 'message'));
    let task;
    await tell('send', async () => { const r = await client.sendMessage(request(value)); if (r.status) task = r; return outcome(r); });
    await tell('', async () => { await stream('stream', request(value)); return undefined; });
    if (!task) continue;
    const { id, contextId } = task;
    await tell('get', async () => outcome(await client.getTask({ tenant: '', id })));
    await tell('list', async () => {
      const { tasks } = await client.listTasks({ tenant: '', contextId, status: 0, pageToken: '', statusTimestampAfter: undefined });
      return tasks.length === 1 && tasks[0].id === id ? state(tasks[0].status) : '';
    });
    await tell('subscribe', async () => {
      let first;
      for await (const event of client.resubscribeTask({ tenant: '', id })) first ??= event.payload.value;
      return outcome(first);
    });
    await tell('cancel', async () => outcome(await client.cancelTask({ tenant: '', id, metadata: undefined })));
    const config = { tenant: '', taskId: id, id: 'c' };
    await tell('push set', async () => { await client.createTaskPushNotificationConfig({ ...config, url: 'http://127.0.0.1:1/', token: '', authentication: undefined }); return 'ok'; });
    await tell('push get', async () => { await client.getTaskPushNotificationConfig(config); return 'ok'; });
    await tell('push list', async () => { await client.listTaskPushNotificationConfig({ tenant: '', taskId: id, pageSize: 0, pageToken: '' }); return 'ok'; });
    await tell('push delete', async () => { await client.deleteTaskPushNotificationConfig(config); return 'ok'; });
  }
  await tell('card', async () => { await client.transport.getExtendedAgentCard({ tenant: '' }); return 'ok'; });
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
say('get', state((await client.getTask({ tenant: '', id: asked.taskId })).status));
say('send', state((await client.sendMessage(request('count 3'))).status));
process.exit(0);
