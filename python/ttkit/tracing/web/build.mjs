// Bundles the libraries of package-lock.json into libraries.js, with their licences and a record of versions and hashes.
//
//     npm ci && node build.mjs
//
// The bundle is part of the sources, so installing ttkit needs no npm.  Building again gives the same bytes.
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { build } from "esbuild";

const made = await build({
  entryPoints: ["libraries.mjs"],
  bundle: true,
  minify: true,
  format: "iife",
  target: "es2020",
  charset: "ascii",
  legalComments: "none",
  metafile: true,
  outfile: "libraries.js",
});
const names = new Set();
for (const path of Object.keys(made.metafile.inputs)) {
  const found = path.match(/^node_modules\/((?:@[^/]+\/)?[^/]+)\//);
  if (found) names.add(found[1]);
}
const packages = {};
let licences = "The trace page contains these libraries, bundled from npm.\n";
for (const name of [...names].sort()) {
  const about = JSON.parse(readFileSync(`node_modules/${name}/package.json`, "utf8"));
  packages[name] = { version: about.version, license: about.license };
  const file = ["LICENSE", "LICENSE.md", "LICENSE.txt"].map((one) => `node_modules/${name}/${one}`).find(existsSync);
  if (!file) throw new Error(`${name} has no licence file`);
  licences += `\n${"-".repeat(80)}\n${name} ${about.version}\n\n${readFileSync(file, "utf8").trim()}\n`;
}
writeFileSync("libraries.LICENSES.txt", licences);
const hash = (path) => createHash("sha256").update(readFileSync(path)).digest("hex");
const files = Object.fromEntries(
  ["libraries.js", "libraries.LICENSES.txt", "libraries.mjs", "package-lock.json"].map((path) => [path, hash(path)]),
);
writeFileSync("libraries.json", JSON.stringify({ packages, sha256: files }, null, 2) + "\n");
