// What the agents do that are made with the JavaScript SDKs of A2A 0.2 and 0.3, whose
// events say by their kind what they are.
//
// It depends on the first word of the message: hello answers with a message, count N
// streams N chunks, ask waits for input and auth for credentials, and both answer with
// what they were told; wait works until it is cancelled, artifact makes parts of every
// kind, measure tells the size of the file that came along, anything else fails. A task
// that waits for credentials is completed, too, by who signs in at /sign-in?task=ID.
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

  // SDK 0.2.5 answers with the task as it is when this returns, and takes what is
  // published in between only after a while.
  cancelTask = async (taskId) => {
    this.#cancelled.get(taskId)?.();
    await sleep(100);
  };
}

// A Turn publishes what one message led to.
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

// signingIn is a store of tasks, made with an SDK's, and what signs in for one of them: the
// task goes on although nobody says a word in it.
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
