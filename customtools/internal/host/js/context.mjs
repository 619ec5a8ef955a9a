// The ctx of a tool.

// Each read asks the server, so that it is what is true now.
function sessionManager(link) {
  const read = () => {
    const session = link.askNow('session', {});
    return { ...session, entries: session.entries ?? [] };
  };
  const branch = (session, from) => {
    const end = session.entries.findIndex((entry) => entry.id === from);
    return from === undefined ? session.entries : session.entries.slice(0, end + 1);
  };
  // The entries are one line: each is the only child of the one before it.
  const tree = (entries) => entries.reduceRight((children, entry) => [{ entry, children, label: undefined }], []);
  return Object.freeze({
    getCwd: () => read().cwd,
    getSessionDir: () => read().sessionDir,
    getSessionId: () => read().sessionId,
    getSessionFile: () => read().sessionFile,
    getSessionName: () => read().sessionName,
    getArtifactsDir: () => read().artifactsDir ?? null,
    getLeafId: () => read().entries.at(-1)?.id ?? null,
    getLeafEntry: () => read().entries.at(-1),
    getEntry: (id) => read().entries.find((entry) => entry.id === id),
    getLabel: () => undefined,
    getBranch: (from) => branch(read(), from),
    getEntries: () => read().entries,
    getTree: () => tree(read().entries),
    getHeader: () => {
      const { sessionId: id, cwd, entries } = read();
      return { type: 'session', id, cwd, timestamp: entries[0]?.timestamp };
    },
    getUsageStatistics: () => ({ input: 0, output: 0, cacheRead: 0, cacheWrite: 0, cost: 0 }),
  });
}

// No conversation runs here, so no models are known.
const modelRegistry = Object.freeze({ getAll: () => [], getAvailable: () => [], find: () => undefined });

export function makeContext({ link, ui }) {
  const manager = sessionManager(link);
  return ({ hasUI, model, toolNames } = {}) => {
    const { call } = link.origin();
    return {
      sessionManager: manager,
      modelRegistry,
      model,
      isIdle: () => true,
      hasQueuedMessages: () => false,
      // The call is named here: a tool may keep ctx for later.
      abort: () => link.notify('abort', { of: call }),
      ui: hasUI ? ui.live : ui.none,
      hasUI: hasUI === true,
      toolNames: toolNames ?? [],
    };
  };
}
