// Package bundle turns a tool module, in TypeScript or JavaScript and with all
// that it imports, into one ECMAScript module that Node.js 18, Bun and Deno
// evaluate. Types are taken out, not checked. It runs nothing.
//
// esbuild does the work: it is pure Go, bundles a tool in milliseconds, and is
// what the tools' own authors build with.
package bundle
