// Runs the bundle named on the command line with the code that V8 compiled last time; the first process that listens leaves that code behind.
const fs = require('node:fs');
const { createRequire } = require('node:module');
const path = require('node:path');
const process = require('node:process');
const vm = require('node:vm');

const file = process.argv[2];
const compiled = `${file}.compiled`;

function read() {
  try {
    return fs.readFileSync(compiled);
  } catch {
    return undefined;
  }
}

const cachedData = read();
const source = `(function (exports, require, module, __filename, __dirname) {${fs.readFileSync(file, 'utf8')}\n})`;
const script = new vm.Script(source, { filename: file, cachedData, importModuleDynamically: vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER });
process.once('listening', () => {
  if (cachedData !== undefined && !script.cachedDataRejected) return;
  fs.writeFileSync(`${compiled}.${process.pid}`, script.createCachedData());
  fs.renameSync(`${compiled}.${process.pid}`, compiled);
});
const module_ = { exports: {} };
script.runInThisContext()(module_.exports, createRequire(file), module_, file, path.dirname(file));
