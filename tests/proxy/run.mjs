// The proxy between the TypeScript SDK's client and real servers: list, call, refusal, rewriting.
// node run.mjs BAILIWICK

import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";

const bailiwick = resolve(process.argv[2]);
const require = createRequire(import.meta.url);
const place = realpathSync(mkdtempSync(join(tmpdir(), "bailiwick-")));

function server(name) {
  const root = join(dirname(new URL(import.meta.url).pathname), "node_modules/@modelcontextprotocol", `server-${name}`);
  const { bin } = require(join(root, "package.json"));
  return join(root, typeof bin === "string" ? bin : Object.values(bin)[0]);
}

async function connect(command, args, env = {}) {
  const transport = new StdioClientTransport({ command, args, cwd: place, env: { ...process.env, ...env }, stderr: "pipe" });
  const client = new Client({ name: "test", version: "1" });
  await client.connect(transport);
  return client;
}

/** What the server lists, imported; the vocabulary checks, has not drifted, and its file is returned. */
async function imported(name, args, env) {
  const client = await connect("node", [server(name), ...args], env);
  const tools = await client.listTools();
  await client.close();
  writeFileSync(join(place, `${name}.json`), JSON.stringify(tools));
  const made = execFileSync(bailiwick, ["-q", "import", "mcp", `${name}.json`, "--name", "server"], { cwd: place });
  writeFileSync(join(place, `${name}.bwk`), made);
  execFileSync(bailiwick, ["check", `${name}.bwk`], { cwd: place });
  assert.equal(spawnSync(bailiwick, ["drift", `${name}.bwk`, `${name}.json`], { cwd: place }).status, 0, `${name} drifts`);
  return tools.tools;
}

async function proxied(name, policy, args, env) {
  writeFileSync(join(place, `${name}.agent.bwk`), policy);
  const files = [`${name}.bwk`, `${name}.agent.bwk`];
  return connect(bailiwick, ["proxy", ...files, "--log", "log.jsonl", "--", "node", server(name), ...args], env);
}

async function filesystem() {
  mkdirSync(join(place, "ws/private"), { recursive: true });
  writeFileSync(join(place, "ws/a.txt"), "hello");
  writeFileSync(join(place, "ws/private/key"), "secret");
  symlinkSync(join(place, "ws/private"), join(place, "ws/link"));
  const tools = await imported("filesystem", [place]);
  assert.ok(tools.some((tool) => tool.name === "write_file"));
  const made = join(place, "filesystem.bwk");
  writeFileSync(made, readFileSync(made, "utf8")
    .replace("vocabulary server {", "vocabulary server {\n    limit roots: set of path")
    .replaceAll(/^(\s+path:\s+)text$/gm, "$1path limited by roots"));
  const roots = `"${place}/ws/**"`;
  const policy = `agent reader { use server { tools read_text_file, list_directory; roots = { ${roots} } except { "${place}/ws/private/**" } } }\n`;
  const client = await proxied("filesystem", policy, [place]);
  const names = (await client.listTools()).tools.map((tool) => tool.name).sort();
  assert.deepEqual(names, ["list_directory", "read_text_file"]);
  const read = (path) => client.callTool({ name: "read_text_file", arguments: { path } });
  assert.equal((await read(join(place, "ws/a.txt"))).content[0].text, "hello");
  assert.equal((await read(`${place}/ws/./private/../a.txt`)).content[0].text, "hello", "rewritten to its canonical form");
  for (const path of ["ws/private/key", "ws/link/key", "outside"].map((path) => join(place, path)).concat("/etc/hostname")) {
    const refused = await read(path);
    assert.equal(refused.isError, true, path);
    assert.equal(refused._meta["bailiwick/refusal"].code, "limit", path);
  }
  await assert.rejects(client.callTool({ name: "write_file", arguments: { path: `${place}/ws/a.txt`, content: "" } }), /Unknown tool/);
  await client.close();
}

async function everything() {
  const tools = await imported("everything", []);
  const sum = tools.find((tool) => /sum/.test(tool.name)).name;
  const policy = `agent adder { use server { allow "${sum}" { a in 0..10 } } }\n`;
  const client = await proxied("everything", policy, []);
  const listed = (await client.listTools()).tools;
  assert.deepEqual(listed.map((tool) => tool.name), [sum]);
  assert.equal(listed[0].inputSchema.properties.a.maximum, 10);
  const call = (a) => client.callTool({ name: sum, arguments: { a, b: 2 } });
  assert.match((await call(3)).content[0].text, /5/);
  assert.equal((await call(11))._meta["bailiwick/refusal"].code, "row");
  await client.close();
}

async function memory() {
  const env = { MEMORY_FILE_PATH: join(place, "memory.jsonl") };
  await imported("memory", [], env);
  const policy = `agent keeper { use server { tools read_graph, search_nodes } }\n`;
  const client = await proxied("memory", policy, [], env);
  assert.equal((await client.listTools()).tools.length, 2);
  assert.ok(!(await client.callTool({ name: "read_graph", arguments: {} })).isError);
  await assert.rejects(client.callTool({ name: "delete_entities", arguments: { entityNames: [] } }), /Unknown tool/);
  await client.close();
}

try {
  for (const part of [filesystem, everything, memory]) {
    await part();
    console.log(`ok ${part.name}`);
  }
  const log = readFileSync(join(place, "log.jsonl"), "utf8").trim().split("\n").map((line) => JSON.parse(line));
  console.log(`${log.length} decisions, ${log.filter((line) => line.permitted).length} permitted`);
} finally {
  rmSync(place, { recursive: true, force: true });
}
