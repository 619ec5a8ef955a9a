// The updates of one call, sent at most once in 50 ms: the first at once, those
// that follow together. A frame keeps the newest; a tool that tells a few
// things loses none.
import { stringify } from './values.mjs';

const intervalMS = 50;
const keep = 16; // updates in a frame: what a human could still tell apart

export function openUpdates(send) {
  let held = [];
  let sentAt = -Infinity;
  let timer;
  let open = true;

  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    if (held.length === 0) return;
    const partials = held;
    held = [];
    sentAt = performance.now();
    send(`[${partials.join(',')}]`);
  };
  return {
    update(partial) {
      const json = open ? stringify(partial) : undefined; // now: the tool may change the object
      if (json === undefined) return;
      held.push(json);
      if (held.length > keep) held.shift();
      // A tool that never yields runs no timer, so each update looks at the clock.
      if (performance.now() - sentAt >= intervalMS) flush();
      else timer ??= setTimeout(flush, intervalMS);
    },
    close() {
      flush();
      open = false;
    },
  };
}
