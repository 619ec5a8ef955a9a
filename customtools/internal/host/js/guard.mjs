// What tool code must not do to the worker that it runs in, and who gets an
// error that nobody caught.
import { failure } from './values.mjs';

export function guard({ report, owner }) {
  const refuse = (code) => {
    throw new Error(`process.exit(${code ?? ''}) was called: a tool cannot end its host`);
  };
  process.exit = refuse;
  process.reallyExit = refuse;

  // AsyncLocalStorage says which call a timer or an event belongs to, except in
  // Deno, which has another one for an error: there it is the only call's that
  // runs.
  process.on('uncaughtException', (thrown) => report('uncaughtException', failure(thrown), owner()));
  process.on('unhandledRejection', (thrown) => report('unhandledRejection', failure(thrown), owner()));
}
