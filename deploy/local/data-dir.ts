/** What a data folder remembers between starts: its ports and its passwords. */
import { randomBytes, randomInt } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, realpathSync, renameSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join, resolve } from "node:path";

export const root = resolve(import.meta.dirname, "../..");
export const host = "127.0.0.1";

/** Makes the folder if need be. Others may pass through it (PostgreSQL's own user must), not list it. */
export function openDataDir(path: string): string {
	mkdirSync(path, { recursive: true, mode: 0o711 });
	return realpathSync(path);
}

/** A password for each name, made at random the first time. */
export function secret(dataDir: string, name: string): string {
	const known = read(dataDir, "secrets.json");
	const value = known[name];
	if (typeof value === "string") return value;
	const made = randomBytes(18).toString("base64url");
	write(dataDir, "secrets.json", { ...known, [name]: made });
	return made;
}

/** The port this folder used for `name` last time if it is free, else another free one. */
export async function port(dataDir: string, name: string): Promise<number> {
	const remembered = read(dataDir, "ports.json");
	// A copied folder chooses its own: the original may be starting at this very moment.
	const known: Memory = remembered.directory === dataDir ? remembered : { directory: dataDir };
	const last = known[name];
	if (typeof last === "number" && (await isFree(last))) return last;
	const chosen = await freePort();
	write(dataDir, "ports.json", { ...known, [name]: chosen });
	return chosen;
}

/** Below the range from which systems take the ports of outgoing connections, so that none of those is in the way. */
export async function freePort(): Promise<number> {
	for (;;) {
		const candidate = randomInt(20_000, 32_000);
		if (await isFree(candidate)) return candidate;
	}
}

export function isFree(candidate: number): Promise<boolean> {
	return new Promise((decide) => {
		const server = createServer();
		server.once("error", () => decide(false));
		server.listen(candidate, host, () => server.close(() => decide(true)));
	});
}

type Memory = Record<string, unknown>;

function read(dataDir: string, file: string): Memory {
	const path = join(dataDir, file);
	return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : {};
}

function write(dataDir: string, file: string, contents: Memory): void {
	replaceFile(join(dataDir, file), `${JSON.stringify(contents, null, "\t")}\n`);
}

/** Private to this user, and never seen half written. */
export function replaceFile(path: string, text: string): void {
	writeFileSync(`${path}.new`, text, { mode: 0o600 });
	renameSync(`${path}.new`, path);
}
