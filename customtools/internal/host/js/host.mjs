// The process's main thread. It carries messages between the server's socket
// and the workers, one for each generation of a tool module, and knows nothing
// of what they say: the server decides what runs, and what must end.
//
// Messages are JSON-RPC 2.0, one a line. The methods start, kill and memory
// are served here; everything else goes to the worker that it names.
import { rmSync } from 'node:fs';
import { connect } from 'node:net';
import { MessageChannel, Worker } from 'node:worker_threads';
import { frame, readLines } from './wire.mjs';

const { XCSH_TOOLHOST_ADDRESS: address, XCSH_TOOLHOST_TOKEN: token, XCSH_TOOLHOST_CWD: cwd } = process.env;
// Ours, and what would change how node starts the children of a tool.
for (const name of Object.keys(process.env)) {
  if (name.startsWith('XCSH_TOOLHOST_') || name === 'ELECTRON_RUN_AS_NODE' || name === 'NODE_OPTIONS') delete process.env[name];
}
const home = process.cwd(); // the private folder that holds this file
try {
  if (cwd) process.chdir(cwd); // only now: a runtime reads settings from where it starts
} catch {
  // The folder is gone: tools that rely on it say so better.
}

const port = /^\d+$/.test(address) ? { host: '127.0.0.1', port: Number(address) } : { path: address };
const socket = connect(port);
socket.setNoDelay(true);
// What is sent in one turn of the event loop goes out in one write: a write for
// each of a thousand answers costs more than the answers.
let unsent = '';
function flush() {
  socket.write(unsent);
  unsent = '';
}
function send(text) {
  if (unsent === '') setImmediate(flush);
  unsent += text + '\n';
}
const workers = new Map(); // number → { thread, answers, flag }

function start({ worker, heapMB, ...data }) {
  const { port1: answers, port2: syncPort } = new MessageChannel();
  const flag = new Int32Array(new SharedArrayBuffer(4));
  const thread = new Worker(new URL('./worker.mjs', import.meta.url), {
    name: data.name,
    stdout: true,
    stderr: true,
    workerData: { ...data, worker, syncPort, flag },
    transferList: [syncPort],
    resourceLimits: heapMB ? { maxOldGenerationSizeMb: heapMB } : undefined,
  });
  workers.set(worker, { thread, answers, flag });
  for (const stream of ['stdout', 'stderr']) {
    thread[stream]?.setEncoding('utf8').on('data', (text) => send(frame('output', { worker, stream, text })));
  }
  let error;
  thread.on('message', send);
  thread.on('error', (e) => { error = String(e?.message ?? e); });
  thread.on('exit', (code) => {
    workers.delete(worker);
    answers.close();
    send(frame('exited', { worker, code, error }));
  });
}

// answer hands the server's answer to the worker that asked. One that waits in
// Atomics.wait gets it by its port, and is woken.
function answer(message) {
  const [, kind, number] = /^([as])(\d+)\./.exec(message.id);
  const to = workers.get(Number(number));
  if (!to) return;
  if (kind === 'a') return to.thread.postMessage(message);
  to.answers.postMessage(message);
  Atomics.store(to.flag, 0, 1);
  Atomics.notify(to.flag, 0);
}

function receive(line) {
  const message = JSON.parse(line);
  const { id, method, params } = message;
  switch (method) {
    case undefined: return answer(message);
    case 'start': return start(params);
    case 'kill': return void workers.get(params.worker)?.thread.terminate();
    case 'memory': return send(JSON.stringify({ jsonrpc: '2.0', id, result: { value: process.memoryUsage.rss() } }));
  }
  const to = workers.get(params.worker);
  // A worker that is gone has been reported: its calls have failed by then.
  to?.thread.postMessage(message);
}

// Without its server the process goes, and all that tools have started with
// it: the group is ours. exit() would wait for a worker that is blocked.
function leave() {
  try { rmSync(home, { recursive: true, force: true }); } catch { /* it is a temporary folder */ }
  try { process.kill(-process.pid, 'SIGKILL'); } catch { /* no groups here */ }
  process.kill(process.pid, 'SIGKILL');
}

socket.on('connect', () => {
  send(token);
  send(frame('ready', { version: process.versions.node, bun: process.versions.bun, deno: process.versions.deno }));
});
readLines(socket, receive);
socket.on('close', leave);
socket.on('error', leave);
process.on('SIGINT', () => {}); // Ctrl-C reaches the server too, which decides
