// A test agent on the official JavaScript SDK 1.3.0 (A2A 1.0). It prints its URL and
// serves until its input ends.
//
// The first word of a message selects the behaviour: hello answers with a message;
// count N streams N chunks; ask waits for input and auth for credentials, and both
// repeat the answer; wait works until the task is cancelled; artifact sends parts of
// every kind; measure reports the size of the received files; any other word fails.
// A request to /sign-in?task=ID completes a task that waits for credentials.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import express from 'express';
import { Server, ServerCredentials } from '@grpc/grpc-js';
import { Role, TaskState } from '@a2a-js/sdk';
import {
  AgentEvent, DefaultRequestHandler, InMemoryPushNotificationStore, InMemoryTaskStore,
} from '@a2a-js/sdk/server';
import { agentCardHandler, jsonRpcHandler, restHandler, UserBuilder } from '@a2a-js/sdk/server/express';
import { A2AService, grpcService, UserBuilder as GrpcUserBuilder } from '@a2a-js/sdk/server/grpc';
import { outliveConnections, signingIn } from './kinds.mjs';

const part = ($case, value, rest = {}) => (
  { content: { $case, value }, metadata: undefined, filename: '', mediaType: '', ...rest }
);
const text = (value) => part('text', value);

const everyKind = [
  text('three files'),
  part('raw', Buffer.from('Hello, file!'), { filename: 'hello.txt', mediaType: 'text/plain' }),
  part('url', 'https://example.com/far.png', { filename: 'far.png', mediaType: 'image/png' }),
  part('data', { big: 12345678901234, nested: { list: [1, 'two', null] } }),
];

// The URI of an extension that the agent requires and uses.
const [, , required] = process.argv;

class Executor {
  #cancelled = new Map();

  execute = async (request, bus) => {
    const turn = new Turn(request, bus);
    const [word, count] = turn.said.split(' ');
    for (const uri of request.context?.requestedExtensions ?? []) {
      if (uri === required) request.context.addActivatedExtension(uri);
    }
    if (word === 'hello') {
      bus.publish(AgentEvent.message(turn.message('Hello from the SDK', '')));
    } else if (request.task) {
      bus.publish(AgentEvent.task(request.task));
      turn.artifact('answer', 'answer', [text(`You said ${turn.said}`)], false, true);
      turn.status(TaskState.TASK_STATE_COMPLETED);
    } else {
      await this.#work(turn, word, count);
    }
    bus.finished();
  };

  async #work(turn, word, count) {
    turn.open();
    turn.status(TaskState.TASK_STATE_WORKING);
    switch (word) {
      case 'count':
        for (let i = 1; i <= Number(count); i++) {
          turn.artifact('numbers', 'numbers', [text(`${i} `)], i > 1, i === Number(count));
          await sleep(20);
        }
        return turn.status(TaskState.TASK_STATE_COMPLETED);
      case 'ask':
        return turn.status(TaskState.TASK_STATE_INPUT_REQUIRED, 'Which dates?');
      case 'auth':
        return turn.status(TaskState.TASK_STATE_AUTH_REQUIRED, 'Sign in first');
      case 'artifact':
        turn.artifact('everything', 'every kind', everyKind, false, true);
        return turn.status(TaskState.TASK_STATE_COMPLETED);
      case 'measure':
        turn.artifact('size', 'size', [text(`${turn.size} bytes`)], false, true);
        return turn.status(TaskState.TASK_STATE_COMPLETED);
      case 'wait':
        await new Promise((resolve) => this.#cancelled.set(turn.taskId, resolve));
        return turn.status(TaskState.TASK_STATE_CANCELED);
      default:
        return turn.status(TaskState.TASK_STATE_FAILED, 'Nothing is known about that');
    }
  }

  cancelTask = async (taskId) => this.#cancelled.get(taskId)?.();
}

// A Turn publishes the events of one message.
class Turn {
  constructor(request, bus) {
    this.bus = bus;
    this.asked = request.userMessage;
    this.taskId = request.taskId;
    this.contextId = request.contextId;
    this.size = this.asked.parts.find((p) => p.content?.$case === 'raw')?.content.value.length ?? 0;
    this.said = this.asked.parts.filter((p) => p.content?.$case === 'text').map((p) => p.content.value).join('');
  }

  message(value, taskId) {
    return {
      messageId: randomUUID(), role: Role.ROLE_AGENT, parts: [text(value)], contextId: this.contextId, taskId,
      metadata: undefined, extensions: [], referenceTaskIds: [],
    };
  }

  open() {
    this.bus.publish(AgentEvent.task({
      id: this.taskId, contextId: this.contextId, history: [this.asked], artifacts: [], metadata: undefined,
      status: { state: TaskState.TASK_STATE_SUBMITTED, message: undefined, timestamp: new Date().toISOString() },
    }));
  }

  status(state, words) {
    const message = words && this.message(words, this.taskId);
    this.bus.publish(AgentEvent.statusUpdate({
      taskId: this.taskId, contextId: this.contextId, metadata: undefined,
      status: { state, message, timestamp: new Date().toISOString() },
    }));
  }

  artifact(artifactId, name, parts, append, lastChunk) {
    this.bus.publish(AgentEvent.artifactUpdate({
      taskId: this.taskId, contextId: this.contextId, append, lastChunk, metadata: undefined,
      artifact: { artifactId, name, description: '', parts, metadata: undefined, extensions: [] },
    }));
  }
}

function card(url, calls) {
  const at = (path, protocolBinding) => (
    { url: `${url}/${path}`, protocolBinding, tenant: '', protocolVersion: '1.0' }
  );
  return {
    name: 'JavaScript SDK 1.3.0', description: 'An agent made with the official JavaScript SDK.', version: '1.3.0',
    supportedInterfaces: [
      at('rpc', 'JSONRPC'), at('rest', 'HTTP+JSON'),
      { url: calls, protocolBinding: 'GRPC', tenant: '', protocolVersion: '1.0' },
    ],
    provider: undefined, signatures: [], securityRequirements: [],
    securitySchemes: {
      bearer: { scheme: { $case: 'httpAuthSecurityScheme', value: { description: '', scheme: 'Bearer', bearerFormat: '' } } },
    },
    capabilities: {
      streaming: true, pushNotifications: true, extendedAgentCard: true,
      extensions: required ? [{ uri: required, description: '', required: true, params: undefined }] : [],
    },
    defaultInputModes: ['text/plain'], defaultOutputModes: ['text/plain'],
    skills: [{
      id: 'count', name: 'Count', description: 'Counts in chunks.', tags: ['test'], examples: ['count 5'],
      inputModes: [], outputModes: [], securityRequirements: [],
    }],
  };
}

outliveConnections();
const app = express();
const calls = new Server();
const server = app.listen(0, '127.0.0.1', () => calls.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), serve));

function serve(error, port) {
  if (error) throw error;
  const url = `http://127.0.0.1:${server.address().port}`;
  const open = card(url, `127.0.0.1:${port}`);
  const extended = { ...open, name: 'JavaScript SDK 1.3.0, extended' };
  const push = new InMemoryPushNotificationStore();
  const { store, signIn } = signingIn(InMemoryTaskStore, TaskState.TASK_STATE_COMPLETED);
  app.get('/sign-in', signIn);
  const requestHandler = new DefaultRequestHandler(
    open, store, new Executor(), undefined, push, undefined, async () => extended,
  );
  const userBuilder = UserBuilder.noAuthentication;
  app.use('/.well-known/agent-card.json', agentCardHandler({ agentCardProvider: requestHandler }));
  app.use('/rpc', jsonRpcHandler({ requestHandler, userBuilder }));
  app.use('/rest', restHandler({ requestHandler, userBuilder }));
  calls.addService(A2AService, grpcService({ requestHandler, userBuilder: GrpcUserBuilder.noAuthentication }));
  console.log(url);
}
process.stdin.on('end', () => process.exit(0)).resume();
