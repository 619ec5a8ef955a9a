// One generation of one tool module.
import { parentPort, workerData } from 'node:worker_threads';
import { makeApi } from './api.mjs';
import { openCalls } from './calls.mjs';
import { makeContext } from './context.mjs';
import { guard } from './guard.mjs';
import { openLink } from './link.mjs';
import { openModule } from './module.mjs';
import { openPending } from './pending.mjs';
import { makeUI } from './ui.mjs';
import { frame } from './wire.mjs';

process.setSourceMapsEnabled?.(true); // bundles carry their map: stacks name the tool's own lines

const { worker, cwd, url, canStage, hasUI, maxAnswer, syncPort, flag } = workerData;
const calls = openCalls({ maxAnswer });
const { current } = calls;
const link = openLink({ port: parentPort, worker, syncPort, flag, current });
guard({ owner: globalThis.Deno ? calls.only : current, report: (kind, error, call) => link.post(frame('fault', { worker, kind, error, call })) });

const ui = makeUI(link);
const pending = openPending({ link, canStage });
const api = makeApi({ link, cwd, ui, hasUI, push: pending.push });
const context = makeContext({ link, ui });
const module = openModule({ url, api, context, link });

const methods = { ...module.methods, resolve: pending.resolve, ping: () => null };

parentPort.on('message', (message) => {
  const { id, method, params } = message;
  switch (method) {
    case undefined: return link.answered(message);
    case 'cancel': return calls.cancel(params.id);
    case 'forget': return pending.forget(params.action);
    case 'ui': return ui.set(api, params.hasUI);
  }
  return calls.run(id, (signal) => methods[method](params, signal), link.post);
});
