/** Reads one file as the service does, and prints the memory of the process before it (kB): `parse-peak FEED FILE`. */
import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { parseFile } from "../../services/queue-ingest/queues/jobs/files/parse-file.ts";
import { sourceOf } from "../../services/queue-ingest/queues/sources/index.ts";

const [name = "", path = ""] = process.argv.slice(2);
const { feed } = sourceOf(name);
const bytes = await readFile(path);
const before = Math.round(process.memoryUsage.rss() / 1024);
const { requests, message } = await parseFile({
	feed,
	name: basename(path),
	path,
	bytes,
	asOf: "2026-07-20T00:00:00Z",
}).then(
	(file) => ({ requests: file.requests.length, message: "" }),
	(error: Error) => ({ requests: 0, message: error.message }),
);
console.log(JSON.stringify({ before, message, requests }));
