// The object that a factory is given.
import { resolve } from 'node:path';
import { makePi } from './pi.mjs';
import { typebox as makeTypebox } from './typebox/typebox.mjs';
import { stringify } from './values.mjs';

// The modules that bundles import in place of the host's packages read this.
const injected = Symbol.for('xcsh-lsp.injected');

// changedEnv is what the tool changed in its environment, null for what it
// deleted: commands run in the server's process, and inherit it from there.
function changedEnv(before) {
  const names = new Set([...Object.keys(before), ...Object.keys(process.env)]);
  const changed = [...names].filter((name) => before[name] !== process.env[name]);
  return changed.length > 0 ? Object.fromEntries(changed.map((name) => [name, process.env[name] ?? null])) : undefined;
}

function makeLogger(link) {
  const at = (level) => (message, context) => {
    try {
      const flat = stringify(context);
      link.notify('log', { level, message: String(message), context: flat && JSON.parse(flat) });
    } catch {
      // A log that fails must not fail the tool.
    }
  };
  return Object.freeze({ error: at('error'), warn: at('warn'), debug: at('debug'), info: at('debug') });
}

function makeExec(link, cwd) {
  const before = { ...process.env };
  return (command, args = [], { signal, timeout, cwd: dir } = {}) =>
    link.ask('exec', {
      command: String(command),
      args: [...args].map(String),
      cwd: dir === undefined || dir === null ? cwd : resolve(cwd, String(dir)),
      timeoutMS: timeout > 0 ? Number(timeout) : 0,
      aborted: signal?.aborted === true,
      env: changedEnv(before),
    }, signal);
}

export function makeApi({ link, cwd, ui, hasUI, push }) {
  const logger = makeLogger(link);
  const typebox = makeTypebox();
  const pi = makePi({ Type: typebox.Type, logger });
  globalThis[injected] = { pi, typebox };
  const api = { cwd, exec: makeExec(link, cwd), logger, typebox, pi, pushPendingAction: push };
  ui.set(api, hasUI);
  return api;
}
