"use strict";
const fs = require("fs"), { join } = require("path");
var re = /a[b-d]+\/x/gi, tpl = `one ${1 + 2} two ${fs.readFileSync(join(__dirname, "x"))}`;
module.exports = async function* walk(dir, { depth = 3, ...rest } = {}) {
  for (const name of await fs.promises.readdir(dir)) {
    if (depth-- <= 0 || name?.[0] === ".") continue;
    yield { name, dir, ...rest };
  }
};
function Legacy(a) { this.a = a; return this; }
Legacy.prototype.get = function () { return this.a && this.a() || void 0; };
class B extends Legacy { static #n = 0; static { B.#n++; } get n() { return B.#n; } }
const view = <A b={1} c="2" {...re}>text {tpl}<B.C /></A>;
do { re = null } while (re);
