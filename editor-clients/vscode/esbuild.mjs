// Bundles the extension, and with --tests what runs in the extension host. The tests
// stay inside the extension's folder: VS Code gives each extension its own API object,
// found by the folder, and what they put in its place must be seen by the extension.
import { build } from 'esbuild';

const options = {
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'cjs',
  external: ['vscode'],
  sourcemap: true,
  logLevel: 'warning',
};
await build({ ...options, entryPoints: ['src/extension.ts'], outfile: 'dist/extension.js', minify: !process.argv.includes('--tests') });
if (process.argv.includes('--tests')) {
  await build({ ...options, entryPoints: ['test/host/tests.ts'], outfile: 'dist/tests.js' });
}
