import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request that a client sent to a model server of the tests. */
export interface Recorded {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  // biome-ignore lint/suspicious/noExplicitAny: what a client sends is looked at from many sides
  body: any;
  /** main: a turn of a conversation; side: titles and the like */
  kind: 'main' | 'side' | 'other';
  /** what the real service would object to; such a request was answered with a 400 */
  fault?: string;
}

export interface Loopback {
  /** http://127.0.0.1:<port> */
  url: string;
  requests: Recorded[];
  close(): Promise<void>;
}

/** An HTTP server on 127.0.0.1 that records every request before `answer` sees it. */
export async function startLoopback(answer: (request: Recorded, response: ServerResponse) => void): Promise<Loopback> {
  const requests: Recorded[] = [];
  const server = createServer(async (incoming, response) => {
    const recorded: Recorded = {
      method: incoming.method ?? '',
      path: (incoming.url ?? '').split('?')[0] ?? '',
      headers: incoming.headers,
      body: await bodyOf(incoming),
      kind: 'other',
    };
    requests.push(recorded);
    answer(recorded, response);
  });
  await new Promise<void>((done, fail) => server.once('error', fail).listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

async function bodyOf(incoming: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString('utf8');
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

export function sendJson(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(value));
}

/** Starts an event stream and returns the function that sends one event of it. */
export function eventStream(response: ServerResponse): (type: string, data: object) => void {
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' });
  return (type, data) => response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
}
