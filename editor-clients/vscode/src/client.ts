// The language client: started, restarted and stopped here, and nowhere else. A
// window has one at a time, whose commands and handlers go with it, so that nothing
// is registered twice.
import * as vscode from 'vscode';
import { LanguageClient, State, type LanguageClientOptions, type ServerOptions, type StaticFeature } from 'vscode-languageclient/node';
import { findServer } from './serverPath';
import { serverSettings } from './settings';

export type ServerState = 'starting' | 'running' | 'stopped' | 'missing';

/** What the parts of the extension answer and hear for a client. */
export interface Part {
  /** Is called for each new client before it starts. */
  attach(client: LanguageClient): void;
}

export class Server implements vscode.Disposable {
  private client: LanguageClient | undefined;
  private turn: Promise<void> = Promise.resolve();
  private readonly stateChanged = new vscode.EventEmitter<ServerState>();
  readonly onState = this.stateChanged.event;
  state: ServerState = 'stopped';

  constructor(
    private readonly context: vscode.ExtensionContext,
    readonly log: vscode.LogOutputChannel,
    private readonly options: Pick<LanguageClientOptions, 'middleware'>,
    private readonly parts: Part[],
  ) {}

  /** Starts the server, or starts it anew. Calls wait for each other. */
  restart(): Promise<void> {
    this.turn = this.turn.then(async () => {
      await this.end();
      await this.start();
    });
    return this.turn;
  }

  /** The running client; waits for one that is starting. */
  async running(): Promise<LanguageClient> {
    await this.turn;
    if (!this.client || this.client.state === State.Stopped) {
      throw new Error('The xcsh server does not run: use the command "xcsh: Restart Server".');
    }
    await this.client.start(); // waits, where it is being started again after a crash
    return this.client;
  }

  /** Has the server ask for its settings again. */
  async settingsChanged(): Promise<void> {
    if (this.client?.state === State.Running) {
      await this.client.sendNotification('workspace/didChangeConfiguration', { settings: null });
    }
  }

  dispose(): void {
    this.stateChanged.dispose();
    void this.end();
  }

  private async start(): Promise<void> {
    const found = findServer({
      setting: vscode.workspace.getConfiguration('xcsh').get<string>('server.path', ''),
      extensionPath: this.context.extensionPath,
      platform: process.platform,
      arch: process.arch,
      pathVariable: process.env['PATH'] ?? '',
      workspaceFolders: (vscode.workspace.workspaceFolders ?? []).map((f) => f.uri.fsPath),
    });
    if ('missing' in found) {
      this.tell('missing');
      this.log.error(found.missing);
      void this.sayMissing(found.missing);
      return;
    }
    this.log.info(`server: ${found.command} (from ${found.from})`);
    const client = this.create(found.command);
    this.client = client;
    try {
      await client.start();
    } catch (error) {
      this.tell('stopped');
      this.log.error(`the server did not start: ${error instanceof Error ? error.message : String(error)}`);
      void this.sayStopped();
    }
  }

  private create(command: string): LanguageClient {
    const level = vscode.workspace.getConfiguration('xcsh').get<string>('server.logLevel', 'info');
    const run: ServerOptions = { command, args: ['serve', '--stdio', '--log-level', level] };
    const client = new LanguageClient('xcsh', 'xcsh', run, {
      // Every file, whatever its language: the server only knows of unsaved text in
      // documents that it is told about.
      documentSelector: [{ scheme: 'file' }],
      initializationOptions: serverSettings,
      outputChannel: this.log,
      ...this.options,
    });
    client.registerFeature(capabilities());
    client.onDidChangeState(({ newState }) => {
      if (client === this.client) {
        this.tell(newState === State.Running ? 'running' : newState === State.Starting ? 'starting' : 'stopped');
      }
    });
    this.parts.forEach((part) => part.attach(client));
    return client;
  }

  private async end(): Promise<void> {
    const client = this.client;
    this.client = undefined;
    if (client) {
      await client.dispose().catch((error: unknown) => this.log.warn(`the server did not stop in order: ${String(error)}`));
      this.tell('stopped');
    }
  }

  private tell(state: ServerState): void {
    this.state = state;
    this.stateChanged.fire(state);
    void vscode.commands.executeCommand('setContext', 'xcsh.server', state);
  }

  private async sayMissing(text: string): Promise<void> {
    const settings = 'Open Settings';
    const again = 'Try Again';
    const chosen = await vscode.window.showErrorMessage(text, settings, again);
    if (chosen === settings) {
      await vscode.commands.executeCommand('workbench.action.openSettings', 'xcsh.server.path');
    } else if (chosen === again) {
      await this.restart();
    }
  }

  private async sayStopped(): Promise<void> {
    const show = 'Show Log';
    if ((await vscode.window.showErrorMessage('The xcsh server did not start.', show)) === show) {
      this.log.show();
    }
  }
}

/** Says what this editor can do beyond the protocol. */
function capabilities(): StaticFeature {
  return {
    fillClientCapabilities(all) {
      const edit = ((all.workspace ??= {}).workspaceEdit ??= {}) as { metadataSupport?: boolean };
      edit.metadataSupport = true; // see applyEdit.ts
      all.experimental = {
        ...(all.experimental as object | undefined),
        xcsh: { input: true, quickPick: true, pendingChanged: true, toolUpdate: true },
        interactiveResolve: { inputTypes: ['string'] },
      };
    },
    initialize() {},
    getState: () => ({ kind: 'static' }),
    clear() {},
  };
}
