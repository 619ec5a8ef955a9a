// Runs in the extension host of a real VS Code, with its API.
import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { XcshApi } from '../../api';
import { agentTests } from './agents';
import { decideTests } from './decide';
import { Box, Context, type Test } from './harness';
import { serverTests } from './server';
import { unitTests } from './units';

export async function run(): Promise<void> {
  const extension = vscode.extensions.getExtension<XcshApi>('xcsh-lsp.xcsh');
  assert.ok(extension, 'the extension is not installed');
  const root = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
  assert.ok(root, 'no folder is open');
  Box.watch();
  const context = new Context(await extension.activate(), root);
  const tests: Record<string, Test> = { ...unitTests, ...decideTests, ...agentTests, ...serverTests };
  let failed = 0;
  for (const [name, test] of Object.entries(tests)) {
    try {
      await context.reset();
      await test(context);
      console.log(`[inhost] ok    ${name}`);
    } catch (error) {
      failed++;
      console.log(`[inhost] FAIL  ${name}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    }
  }
  console.log(`[inhost] ${Object.keys(tests).length - failed} passed, ${failed} failed`);
  if (failed > 0) {
    throw new Error(`${failed} tests failed`);
  }
}
