// The usual way to build what offprompt's page does: Node's http server and libsodium-wrappers (WebAssembly).
//   GET /        a page that seals its one field; libsodium comes with it
//   GET /status  the state as JSON
//   POST /       opens the seal and writes NAME=value, atomically and with fsync
// Arguments: the folder to write into. Says its port and public key on the first line.
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { gzipSync } from "node:zlib";
import { readFileSync } from "node:fs";
import { open, rename } from "node:fs/promises";
import { dirname, join } from "node:path";
import sodium from "libsodium-wrappers";

await sodium.ready;
const keys = sodium.crypto_box_keypair();
const folder = process.argv[2];
const require = createRequire(import.meta.url);
const wrappers = require.resolve("libsodium-wrappers");
const modules = join(dirname(wrappers), "..", "..", "..", "libsodium", "dist", "modules", "libsodium.js");
const scripts = [readFileSync(modules, "utf8"), readFileSync(wrappers, "utf8")].join("\n").replaceAll("</script", "<\\/script");
const page = Buffer.from(
  `<!doctype html><title>Peer</title><form><label>KEY <input id="value" type="password" disabled></label><button>Write</button></form>
<script>${scripts}</script>
<script>sodium.ready.then(() => { document.getElementById("value").disabled = false; });</script>`,
);
const packed = gzipSync(page);
let opened = 0;

async function body(request) {
  const parts = [];
  for await (const part of request) parts.push(part);
  return Buffer.concat(parts);
}

async function write(sealed) {
  const plain = sodium.crypto_box_seal_open(sodium.from_base64(sealed), keys.publicKey, keys.privateKey);
  const { values } = JSON.parse(Buffer.from(plain).toString());
  const text = Object.entries(values).map(([name, value]) => `${name}=${value}\n`).join("");
  const target = join(folder, `peer-${opened++ % 8}.env`);
  const file = await open(`${target}.tmp`, "w", 0o600);
  await file.writeFile(text);
  await file.sync();
  await file.close();
  await rename(`${target}.tmp`, target);
  const parent = await open(folder, "r");
  await parent.sync();
  await parent.close();
}

const server = createServer(async (request, response) => {
  if (request.method === "POST") {
    await write(JSON.parse(await body(request)).sealed);
    response.end(JSON.stringify({ status: "written" }));
  } else if (request.url === "/status") {
    response.setHeader("Content-Type", "application/json");
    response.end(JSON.stringify({ status: "awaiting", expires_in: 1790 }));
  } else {
    response.setHeader("Content-Type", "text/html; charset=utf-8");
    response.setHeader("Content-Encoding", "gzip");
    response.end(packed);
  }
});
server.keepAliveTimeout = 60_000; // a page looks every 10 s
server.listen(0, "127.0.0.1", () => {
  console.log(JSON.stringify({ port: server.address().port, key: sodium.to_base64(keys.publicKey), raw: page.length, gzip: packed.length }));
});
