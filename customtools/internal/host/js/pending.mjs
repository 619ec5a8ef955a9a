// The callbacks of staged actions. They live here, and only here: the server
// holds numbers.

export function openPending({ link, canStage }) {
  const staged = new Map(); // number → action
  let count = 0;

  return {
    push(action) {
      if (!canStage) throw new Error('Pending action store unavailable for custom tools in this runtime.');
      if (typeof action?.label !== 'string') throw new Error('pushPendingAction: label must be a string');
      if (typeof action.apply !== 'function') throw new Error('pushPendingAction: apply must be a function');
      const { label, details, sourceToolName = 'custom_tool' } = action;
      staged.set(++count, action);
      link.notify('stage', { action: count, label, details, sourceToolName: String(sourceToolName) });
    },

    // resolve runs a callback. One that succeeds is never run again; after one
    // that throws, the action can be resolved once more.
    async resolve({ action: number, decision, reason, extra }) {
      const action = staged.get(number);
      const result = decision === 'apply' ? await action.apply(reason, extra) : await action.reject?.(reason, extra);
      staged.delete(number);
      return result;
    },

    forget: (number) => staged.delete(number),
  };
}
