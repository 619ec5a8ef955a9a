// What a command of the server does when VS Code runs it: from a code action, a
// lens, or another extension.
import type { Middleware } from 'vscode-languageclient/node';
import type { ResolveArgument } from '../api';
import type { Caller } from './call';
import type { Draft } from './replace';
import { serverSettings } from './settings';

export interface Humans {
  caller: Caller;
  resolver: { decide(argument: ResolveArgument): Promise<unknown> };
  replacer: { ask(draft: Draft): Promise<unknown> };
}

export function middleware(humans: () => Humans): Pick<Middleware, 'executeCommand' | 'workspace'> {
  return {
    workspace: {
      configuration: (params) => params.items.map(({ section }) => (section === 'xcsh' ? serverSettings() : null)),
    },
    // The language client would show every failure of its own accord; the server
    // has told the human, and a program gets the error.
    executeCommand: (command, args) => {
      const { caller, resolver, replacer } = humans();
      const argument = (args[0] ?? {}) as Record<string, unknown>;
      if (!argument['agent'] && command === 'xcsh.resolve' && argument['reason'] === undefined) {
        return resolver.decide(argument as unknown as ResolveArgument);
      }
      if (!argument['agent'] && command === 'xcsh.replace' && argument['out'] === undefined) {
        return replacer.ask({ pattern: argument['pat'] as string | undefined });
      }
      return caller.send(command, args);
    },
  };
}
