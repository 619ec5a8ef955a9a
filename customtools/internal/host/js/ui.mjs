// pi.ui: the questions and messages that go to a human's editor, and the object
// in its place while there is none.
import { theme } from './theme.mjs';

const noUI = Object.freeze({
  select: async () => undefined,
  confirm: async () => false,
  input: async () => undefined,
  editor: async () => undefined,
  notify() {},
  setStatus() {},
  setEditorText() {},
  getEditorText: () => '',
  custom: async () => undefined,
  theme,
});

// endOf makes one signal of a dialog's own and its timeout.
function endOf({ signal, timeout, onTimeout } = {}) {
  if (!(timeout > 0)) return { signal, done() {} };
  const controller = new AbortController();
  const timer = setTimeout(() => { controller.abort(); onTimeout?.(); }, timeout);
  const pass = () => controller.abort();
  signal?.addEventListener('abort', pass, { once: true });
  return {
    signal: controller.signal,
    done() { clearTimeout(timer); signal?.removeEventListener('abort', pass); },
  };
}

export function makeUI(link) {
  // A dialog that is aborted gives what one that is dismissed does.
  async function dialog(method, params, options, dismissed) {
    const end = endOf(options);
    try {
      if (options?.signal?.aborted) return dismissed;
      return (await link.ask(method, params, end.signal)) ?? dismissed;
    } finally {
      end.done();
    }
  }
  const live = Object.freeze({
    ...noUI,
    select: (title, options, dialogOptions) =>
      dialog('ui/select', { title: String(title), options: options.map(String) }, dialogOptions, undefined),
    confirm: (title, message, dialogOptions) =>
      dialog('ui/confirm', { title: String(title), message: String(message ?? '') }, dialogOptions, false),
    input: (title, placeholder, dialogOptions) =>
      dialog('ui/input', { title: String(title), placeholder: String(placeholder ?? '') }, dialogOptions, undefined),
    editor: (title, prefill, dialogOptions) =>
      dialog('ui/editor', { title: String(title), prefill: String(prefill ?? '') }, dialogOptions, undefined),
    notify(message, type = 'info') {
      link.notify('ui/notify', { message: String(message), level: ['warning', 'error'].includes(type) ? type : 'info' });
    },
    setStatus(key, text) {
      const line = text === undefined || text === null ? undefined : String(text).replace(/[\r\n\t]/g, ' ');
      link.notify('ui/setStatus', { key: String(key), text: line });
    },
  });
  return {
    live,
    none: noUI,
    set(api, hasUI) {
      api.hasUI = hasUI;
      api.ui = hasUI ? live : noUI;
    },
  };
}
