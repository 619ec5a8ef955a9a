// A worker's way to the server.
import { receiveMessageOnPort } from 'node:worker_threads';
import { frame } from './wire.mjs';
import { stringify } from './values.mjs';

// The server answers such a read from memory; longer means that it is gone.
const syncTimeoutMS = 10_000;

export function openLink({ port, worker, syncPort, flag, current }) {
  let asked = 0;
  const waiting = new Map(); // id → { resolve, reject }
  const withOrigin = (params) => JSON.parse(stringify({ ...params, worker, call: current() }));

  const link = {
    // post sends a frame that is already text.
    post: (text) => port.postMessage(text),
    origin: () => ({ worker, call: current() }),
    notify: (method, params) => link.post(frame(method, withOrigin(params))),

    // ask sends a request. When signal aborts, the server is told and still
    // answers.
    ask(method, params, signal) {
      const id = `a${worker}.${++asked}`;
      const withdraw = () => link.post(frame('withdraw', { worker, ask: id }));
      signal?.addEventListener('abort', withdraw, { once: true });
      return new Promise((resolve, reject) => {
        waiting.set(id, { resolve, reject });
        link.post(frame(method, withOrigin(params), id));
      }).finally(() => signal?.removeEventListener('abort', withdraw));
    },

    // askNow blocks this worker until the answer is there.
    askNow(method, params) {
      Atomics.store(flag, 0, 0);
      link.post(frame(method, withOrigin(params), `s${worker}.${++asked}`));
      if (Atomics.wait(flag, 0, 0, syncTimeoutMS) === 'timed-out') throw new Error(`${method}: no answer from the server`);
      const { error, result } = receiveMessageOnPort(syncPort).message;
      if (error) throw new Error(error.message);
      return result;
    },

    answered({ id, error, result }) {
      const { resolve, reject } = waiting.get(id);
      waiting.delete(id);
      if (error) reject(Object.assign(new Error(error.message), error.data));
      else resolve(result);
    },
  };
  return link;
}
