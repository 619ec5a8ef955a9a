// Calls of the server's commands from inside the extension, typed.
import type { CancellationToken } from 'vscode';
import { ExecuteCommandRequest, ResponseError } from 'vscode-languageclient/node';
import type { AgentMark, Commands, ErrorData } from '../api';
import type { Server } from './client';

/** A command of the server that failed; the message is for the user. */
export class CommandError extends Error {
  constructor(message: string, readonly data: ErrorData | undefined) {
    super(message);
    this.name = 'CommandError';
  }
}

export type Argument<Name extends keyof Commands> = Commands[Name][0] & { agent?: AgentMark };
export type Result<Name extends keyof Commands> = Commands[Name][1];

export class Caller {
  constructor(private readonly server: Server) {}

  /** Runs a command. `token` cancels it. */
  async run<Name extends keyof Commands>(command: Name, argument: Argument<Name>, token?: CancellationToken): Promise<Result<Name>> {
    return (await this.send(command, [argument], undefined, token)) as Result<Name>;
  }

  /** Sends a command as it is, with the answers to its form, if it had one. */
  async send(command: string, args: unknown[], formAnswers?: unknown, token?: CancellationToken): Promise<unknown> {
    const client = await this.server.running();
    const params = { command, arguments: args as never[], ...(formAnswers ? { formAnswers } : {}) };
    try {
      // A token that is undefined would count as a second parameter.
      return await (token ? client.sendRequest(ExecuteCommandRequest.method, params, token) : client.sendRequest(ExecuteCommandRequest.method, params));
    } catch (error) {
      throw error instanceof ResponseError ? new CommandError(error.message, error.data as ErrorData | undefined) : error;
    }
  }

  async request(method: string, params: object): Promise<unknown> {
    return (await this.server.running()).sendRequest(method, params);
  }
}
