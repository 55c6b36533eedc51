// A test agent on the official JavaScript SDK 0.3.14 (A2A 0.3). It prints its URL and
// serves until its input ends.
import express from 'express';
import { Server, ServerCredentials } from '@grpc/grpc-js';
import { DefaultRequestHandler, InMemoryPushNotificationStore, InMemoryTaskStore } from '@a2a-js/sdk/server';
import { agentCardHandler, jsonRpcHandler, restHandler, UserBuilder } from '@a2a-js/sdk/server/express';
import { A2AService, grpcService, UserBuilder as GrpcUserBuilder } from '@a2a-js/sdk/server/grpc';
import { Executor, outliveConnections, signingIn } from './kinds.mjs';

function card(url, calls) {
  return {
    name: 'JavaScript SDK 0.3.14', description: 'An agent made with the official JavaScript SDK.', version: '0.3.14',
    protocolVersion: '0.3.0', url: `${url}/rpc`, preferredTransport: 'JSONRPC',
    additionalInterfaces: [{ url: `${url}/rpc`, transport: 'JSONRPC' }, { url: `${url}/rest`, transport: 'HTTP+JSON' }, { url: calls, transport: 'GRPC' }],
    capabilities: { streaming: true, pushNotifications: true, stateTransitionHistory: false },
    defaultInputModes: ['text/plain'], defaultOutputModes: ['text/plain'],
    supportsAuthenticatedExtendedCard: true,
    skills: [{ id: 'count', name: 'Count', description: 'Counts in chunks.', tags: ['test'], examples: ['count 5'] }],
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
  const extended = { ...open, name: 'JavaScript SDK 0.3.14, extended' };
  const push = new InMemoryPushNotificationStore();
  const { store, signIn } = signingIn(InMemoryTaskStore, 'completed');
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
