// The behaviour of the agents on the JavaScript SDKs for A2A 0.2 and 0.3, whose events
// have a member kind.
//
// The first word of a message selects the behaviour: hello answers with a message;
// count N streams N chunks; ask waits for input and auth for credentials, and both
// repeat the answer; wait works until the task is cancelled; artifact sends parts of
// every kind; measure reports the size of the received files; any other word fails.
// A request to /sign-in?task=ID completes a task that waits for credentials.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

const text = (value) => ({ kind: 'text', text: value });

const everyKind = [
  text('three files'),
  { kind: 'file', file: { name: 'hello.txt', mimeType: 'text/plain', bytes: 'SGVsbG8sIGZpbGUh' } },
  { kind: 'file', file: { name: 'far.png', mimeType: 'image/png', uri: 'https://example.com/far.png' } },
  { kind: 'data', data: { big: 12345678901234, nested: { list: [1, 'two', null] } } },
];

export class Executor {
  #cancelled = new Map();

  execute = async (request, bus) => {
    const turn = new Turn(request, bus);
    const [word, count] = turn.said.split(' ');
    if (word === 'hello') {
      bus.publish(turn.message('Hello from the SDK'));
    } else if (request.task) {
      turn.artifact('answer', 'answer', [text(`You said ${turn.said}`)], false, true);
      turn.status('completed');
    } else {
      await this.#work(turn, word, count);
    }
    bus.finished();
  };

  async #work(turn, word, count) {
    turn.open();
    turn.status('working');
    switch (word) {
      case 'count':
        for (let i = 1; i <= Number(count); i++) {
          turn.artifact('numbers', 'numbers', [text(`${i} `)], i > 1, i === Number(count));
          await sleep(20);
        }
        return turn.status('completed');
      case 'ask':
        return turn.status('input-required', 'Which dates?');
      case 'auth':
        return turn.status('auth-required', 'Sign in first');
      case 'artifact':
        turn.artifact('everything', 'every kind', everyKind, false, true);
        return turn.status('completed');
      case 'measure':
        turn.artifact('size', 'size', [text(`${turn.size} bytes`)], false, true);
        return turn.status('completed');
      case 'wait':
        await new Promise((resolve) => this.#cancelled.set(turn.taskId, resolve));
        return turn.status('canceled');
      default:
        return turn.status('failed', 'Nothing is known about that');
    }
  }

  // SDK 0.2.5 answers with the task in its state at the return of this function, and
  // applies events of the meantime only after a while.
  cancelTask = async (taskId) => {
    this.#cancelled.get(taskId)?.();
    await sleep(100);
  };
}

// A Turn publishes the events of one message.
class Turn {
  constructor(request, bus) {
    this.bus = bus;
    this.asked = request.userMessage;
    this.taskId = request.taskId;
    this.contextId = request.contextId;
    const file = this.asked.parts.find((p) => p.kind === 'file')?.file;
    this.size = Buffer.from(file?.bytes ?? '', 'base64').length;
    this.said = this.asked.parts.filter((p) => p.kind === 'text').map((p) => p.text).join('');
  }

  message(value, ids = {}) {
    return {
      kind: 'message', messageId: randomUUID(), role: 'agent', parts: [text(value)], contextId: this.contextId, ...ids,
    };
  }

  open() {
    this.bus.publish({
      kind: 'task', id: this.taskId, contextId: this.contextId, history: [this.asked], artifacts: [],
      status: { state: 'submitted', timestamp: new Date().toISOString() },
    });
  }

  status(state, words) {
    const message = words && this.message(words, { taskId: this.taskId });
    this.bus.publish({
      kind: 'status-update', taskId: this.taskId, contextId: this.contextId,
      status: { state, message, timestamp: new Date().toISOString() },
      final: state !== 'working',
    });
  }

  artifact(artifactId, name, parts, append, lastChunk) {
    this.bus.publish({
      kind: 'artifact-update', taskId: this.taskId, contextId: this.contextId, append, lastChunk,
      artifact: { artifactId, name, parts },
    });
  }
}

// signingIn returns a task store on top of an SDK's, and a handler that signs in for one of
// its tasks: the task continues without a message.
export function signingIn(Store, completed) {
  const contexts = new Map();
  const store = new (class extends Store {
    save(task, context) {
      contexts.set(task.id, context);
      return super.save(task, context);
    }
  })();
  const signIn = async (request, response) => {
    const id = request.query.task;
    const task = await store.load(id, contexts.get(id));
    await store.save({ ...task, status: { state: completed, timestamp: new Date().toISOString() } }, contexts.get(id));
    response.end('signed in');
  };
  return { store, signIn };
}

// outliveConnections keeps the agent alive when a client closes a connection of HTTP/2 in the middle: the
// library for gRPC listens to no error of such a stream, and Node ends a program for an error without a listener.
export function outliveConnections() {
  process.on('uncaughtException', (error) => {
    if (error.code !== 'ERR_HTTP2_ERROR') {
      console.error(error);
      process.exit(1);
    }
  });
}
