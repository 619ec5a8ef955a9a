// Starts the VS Code that .ci/vscode has installed, with this extension and a
// workspace, opens its window in headless Chromium, and runs one kind of tests.
//
//   node test/run.mjs CODE_SERVER host|window [RESULTS]
//
// The start is tried three times, since Chromium or the server can fail for reasons
// of the machine; what a test asserts is never tried again.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const extension = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const START_TRIES = 3;

const settings = {
  'telemetry.telemetryLevel': 'off', 'workbench.startupEditor': 'none', 'extensions.autoCheckUpdates': false, 'extensions.autoUpdate': false,
  'update.mode': 'none', 'workbench.tips.enabled': false, 'git.enabled': false, 'typescript.disableAutomaticTypeAcquisition': true,
  'typescript.validate.enable': false, 'files.autoSave': 'off', 'extensions.ignoreRecommendations': true, 'workbench.enableExperiments': false,
  'chat.commandCenter.enabled': false, 'files.refactoring.autoSave': false, 'window.commandCenter': false,
};

async function freePort() {
  const server = net.createServer().listen(0, '127.0.0.1');
  await new Promise((done) => server.once('listening', done));
  const { port } = server.address();
  await new Promise((done) => server.close(done));
  return port;
}

function prepare(options) {
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'xcsh-vscode-'));
  for (const sub of ['user/User', 'extensions', 'home', 'ws', 'state']) {
    fs.mkdirSync(path.join(dir, sub), { recursive: true });
  }
  const { publisher, name, version } = JSON.parse(fs.readFileSync(path.join(extension, 'package.json'), 'utf8'));
  fs.symlinkSync(extension, path.join(dir, 'extensions', `${publisher}.${name}-${version}`)); // loads while there is no extensions.json
  fs.writeFileSync(path.join(dir, 'user/User/settings.json'), JSON.stringify({ ...settings, ...options.settings }));
  for (const [file, text] of Object.entries(options.files ?? {})) {
    fs.mkdirSync(path.dirname(path.join(dir, 'ws', file)), { recursive: true });
    fs.writeFileSync(path.join(dir, 'ws', file), text);
  }
  return dir;
}

async function startServer(program, dir, options) {
  const port = await freePort();
  const args = ['--auth', 'none', '--bind-addr', `127.0.0.1:${port}`, '--user-data-dir', path.join(dir, 'user'), '--extensions-dir', path.join(dir, 'extensions'),
    '--config', path.join(dir, 'config.yaml'), '--disable-telemetry', '--disable-update-check', '--disable-getting-started-override'];
  if (!options.trust) {
    args.push('--disable-workspace-trust');
  }
  const log = fs.openSync(path.join(dir, 'code-server.log'), 'a');
  const child = spawn(program, args, { env: { ...process.env, HOME: path.join(dir, 'home'), XDG_STATE_HOME: path.join(dir, 'state') }, stdio: ['ignore', log, log], detached: true });
  const base = `http://127.0.0.1:${port}`;
  for (let i = 0; i < 300 && child.exitCode === null; i++) {
    if (await fetch(`${base}/healthz`).then((r) => r.ok, () => false)) {
      return { base, stop: () => { try { process.kill(-child.pid); } catch { /* has ended */ } } };
    }
    await new Promise((done) => setTimeout(done, 100));
  }
  try { process.kill(-child.pid); } catch { /* has ended */ }
  throw new Error(`code-server does not answer, see ${dir}/code-server.log`);
}

function browser(dir) {
  return chromium.launchPersistentContext(fs.mkdtempSync(path.join(dir, 'chromium-')), {
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', headless: true, viewport: { width: 1280, height: 800 },
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
  });
}

/**
 * A window on a workspace of its own, as soon as its workbench is there.
 * options: files, settings, trust, payload(base, dir), prepare(page, context).
 */
export async function openWindow(program, options) {
  for (let attempt = 1; ; attempt++) {
    const dir = prepare(options);
    let server, context;
    try {
      server = await startServer(program, dir, options);
      context = await browser(dir);
      const page = context.pages()[0] ?? (await context.newPage());
      page.setDefaultTimeout(20000);
      await options.prepare?.(page);
      const query = new URLSearchParams({ folder: `${dir}/ws` });
      const payload = options.payload?.(new URL(server.base).host);
      if (payload) {
        query.set('payload', JSON.stringify(payload));
      }
      const url = `${server.base}/?${query}`;
      await page.goto(url);
      await page.waitForSelector('.monaco-workbench', { timeout: 60000 });
      const close = async () => {
        await context.close();
        server.stop();
        fs.rmSync(dir, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
      };
      return { page, context, dir, ws: path.join(dir, 'ws'), url, close };
    } catch (error) {
      await context?.close();
      server?.stop();
      console.log(`start ${attempt} failed: ${error.message.split('\n')[0]}`);
      if (attempt === START_TRIES) {
        throw error;
      }
    }
  }
}

async function inHost(program) {
  let done;
  const ended = new Promise((resolve) => { done = resolve; });
  const window = await openWindow(program, {
    prepare: async (page) => {
      await page.exposeFunction('codeAutomationLog', (_type, args) => String(args[0]).startsWith('[inhost]') && console.log(...args));
      await page.exposeFunction('codeAutomationExit', (code) => done(code));
      page.on('console', (m) => process.env.CONSOLE && console.log('  console:', m.text().slice(0, 300)));
    },
    payload: (host) => [
      ['extensionDevelopmentPath', `vscode-remote://${host}${extension}`],
      ['extensionTestsPath', `vscode-remote://${host}${extension}/dist/tests.js`],
    ],
  });
  const timer = setTimeout(() => done('no end after 150 s'), 150000);
  const code = await ended;
  clearTimeout(timer);
  if (code !== 0 && process.argv[4]) {
    await window.page.screenshot({ path: path.join(process.argv[4], 'host-failed.png') }).catch(() => {});
  }
  await window.close();
  if (code !== 0) {
    throw new Error(`the tests in the extension host ended with ${code}`);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [, , program, kind, results] = process.argv;
  if (results) {
    fs.mkdirSync(results, { recursive: true });
  }
  try {
    if (kind === 'host') {
      await inHost(program);
    } else {
      const { runAll } = await import('./window/tests.mjs');
      await runAll((options) => openWindow(program, options), results);
    }
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}
