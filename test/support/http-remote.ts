import { spawn } from 'node:child_process';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Serves the bare repositories of a folder over smart HTTP on the loopback, behind a password where one is given. */
export async function serveHttp(root: string, env: Record<string, string>, login?: { user: string; password: string }) {
  const wanted = login && `Basic ${Buffer.from(`${login.user}:${login.password}`).toString('base64')}`;
  const server = createServer((request, response) => {
    if (!wanted || request.headers.authorization === wanted) return backend(request, response, root, env);
    response.writeHead(401, { 'WWW-Authenticate': 'Basic realm="test"' }).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { host: `127.0.0.1:${port}`, close: () => new Promise((resolve) => server.close(resolve)) };
}

function backend(request: IncomingMessage, response: ServerResponse, root: string, env: Record<string, string>): void {
  const url = new URL(request.url ?? '/', 'http://localhost');
  const child = spawn('git', ['http-backend'], {
    env: {
      ...env,
      GIT_PROJECT_ROOT: root,
      GIT_HTTP_EXPORT_ALL: '1',
      REMOTE_USER: 'someone',
      PATH_INFO: url.pathname,
      QUERY_STRING: url.search.slice(1),
      REQUEST_METHOD: request.method ?? 'GET',
      CONTENT_TYPE: request.headers['content-type'] ?? '',
      HTTP_CONTENT_ENCODING: String(request.headers['content-encoding'] ?? ''),
      GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
    },
  });
  request.pipe(child.stdin);
  let head = Buffer.alloc(0);
  let begun = false;
  child.stdout.on('data', (chunk: Buffer) => {
    if (begun) return void response.write(chunk);
    head = Buffer.concat([head, chunk]);
    const end = head.indexOf('\r\n\r\n');
    if (end < 0) return;
    begun = true;
    const headers = Object.fromEntries(
      head
        .toString('latin1', 0, end)
        .split('\r\n')
        .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()]),
    );
    response.writeHead(Number.parseInt(headers.Status ?? '200', 10), headers);
    response.write(head.subarray(end + 4));
  });
  child.stdout.on('end', () => response.end());
}
