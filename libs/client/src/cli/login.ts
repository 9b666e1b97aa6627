/** Asks for a key, tries it, and keeps it in a file of the user's own. */
import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { text } from "node:stream/consumers";
import { createClient } from "../index.ts";
import { UsageError } from "./failures.ts";
import { note } from "./output.ts";
import { type Settings, store } from "./settings.ts";

/** Never an argument: those are seen by every user of the machine, and kept in the shell's history. */
export async function login({ url }: Settings): Promise<void> {
	const key = (process.stdin.isTTY ? await askedFor("API key (pk_...): ") : await text(process.stdin)).trim();
	if (!/^pk_\w+$/.test(key)) throw new UsageError("that is no key: one begins with pk_ and has no spaces");
	await createClient({ baseUrl: url, key }).getUsage();
	note(`The key of ${url} is kept in ${store({ url, key }, process.env)}`);
}

/** Typed characters are not shown. */
async function askedFor(question: string): Promise<string> {
	const unseen = new Writable({ write: (_chunk, _encoding, done) => done() });
	const lines = createInterface({ input: process.stdin, output: unseen, terminal: true });
	process.stderr.write(question);
	// Ctrl-C and Ctrl-D leave as they do elsewhere.
	lines.once("SIGINT", () => process.exit(130));
	lines.once("close", () => process.stderr.write("\n"));
	try {
		return await lines.question("");
	} finally {
		lines.close();
	}
}
