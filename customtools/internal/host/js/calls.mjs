// The server's requests to this worker: each runs apart, is known to whatever
// it starts, and can be cancelled.
import { AsyncLocalStorage } from 'node:async_hooks';
import { failure, stringify } from './values.mjs';

export function openCalls({ maxAnswer }) {
  const running = new Map(); // id → AbortController
  const storage = new AsyncLocalStorage();

  // answerText is the response, or the refusal of one too long to send.
  const answerText = (id, json) => {
    if (json !== undefined && json.length > maxAnswer) {
      return errorText(id, { message: `The answer has ${json.length} characters; at most ${maxAnswer} are taken` });
    }
    return `{"jsonrpc":"2.0","id":${id},"result":${json === undefined ? '{}' : `{"value":${json}}`}}`;
  };
  const errorText = (id, { message, name, stack }) =>
    JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32000, message, data: { name, stack } } });

  return {
    // current is the id of the call that the running code belongs to.
    current: () => storage.getStore(),

    // only is the id of the call that runs where no other does.
    only: () => (running.size === 1 ? running.keys().next().value : undefined),

    // run calls serve(signal) and posts what it returns, or why it failed. The
    // object that serve returns is turned to JSON before the call counts as over.
    async run(id, serve, post) {
      const controller = new AbortController();
      running.set(id, controller);
      let text;
      try {
        text = answerText(id, stringify(await storage.run(id, () => serve(controller.signal))));
      } catch (thrown) {
        text = errorText(id, failure(thrown));
      }
      running.delete(id);
      post(text);
    },

    cancel(id) {
      running.get(id)?.abort(new DOMException('This operation was aborted', 'AbortError'));
    },
  };
}
