// A test agent on the official JavaScript SDK 0.2.5 (A2A 0.2.5). It prints its URL and
// serves until its input ends.
import express from 'express';
import { A2AExpressApp, DefaultRequestHandler, InMemoryTaskStore } from '@a2a-js/sdk/server';
import { Executor } from './kinds.mjs';

function card(url) {
  return {
    name: 'JavaScript SDK 0.2.5', description: 'An agent made with the official JavaScript SDK.', version: '0.2.5',
    url: `${url}/`,
    capabilities: { streaming: true, pushNotifications: true, stateTransitionHistory: false },
    defaultInputModes: ['text/plain'], defaultOutputModes: ['text/plain'],
    skills: [{ id: 'count', name: 'Count', description: 'Counts in chunks.', tags: ['test'], examples: ['count 5'] }],
  };
}

const app = express();
const server = app.listen(0, '127.0.0.1', () => {
  const url = `http://127.0.0.1:${server.address().port}`;
  const handler = new DefaultRequestHandler(card(url), new InMemoryTaskStore(), new Executor());
  new A2AExpressApp(handler).setupRoutes(app);
  console.log(url);
});
process.stdin.on('end', () => process.exit(0)).resume();
