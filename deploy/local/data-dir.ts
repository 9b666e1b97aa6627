/** A data folder: its ports and its passwords stay the same from one start to the next. */
import { randomBytes, randomInt } from "node:crypto";
import { existsSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join, resolve } from "node:path";
import { makeFolder } from "#libs/service/make-folder.ts";
import { UserError } from "./program.ts";

export const root = resolve(import.meta.dirname, "../..");
export const host = "127.0.0.1";

/**
 * Makes the folder if need be. Others may pass through it (PostgreSQL's own user must), not list it.
 * @throws UserError where it cannot be made or written to
 */
export function openDataDir(path: string): string {
	const probe = join(path, `.probe-${process.pid}`);
	try {
		makeFolder(path, 0o711);
		writeFileSync(probe, "");
		rmSync(probe);
		return realpathSync(path);
	} catch (error) {
		throw unusable(`The data folder ${path} cannot be used`, error, "set DATA_DIR to another one");
	}
}

function unusable(what: string, error: unknown, remedy: string): unknown {
	if (!(error instanceof Error)) return error;
	// The text of a syntax error repeats a part of the file.
	const reason = error instanceof SyntaxError ? "it holds no JSON object" : error.message;
	return new UserError(`${what} (${reason}): ${remedy}.`);
}

/** A password for each name, made at random the first time. */
export function secret(dataDir: string, name: string): string {
	const known = read(dataDir, "secrets.json", "restore it from a copy, or set DATA_DIR to another folder");
	const value = known[name];
	if (typeof value === "string") return value;
	const made = randomBytes(18).toString("base64url");
	write(dataDir, "secrets.json", { ...known, [name]: made });
	return made;
}

/** The port this folder used for `name` last time if it is free, else another free one. */
export async function port(dataDir: string, name: string): Promise<number> {
	const remembered = read(dataDir, "ports.json", "remove it, and other ports are chosen");
	// A copied folder chooses its own ports, because the original may be starting at the same time.
	const known: Memory = remembered.directory === dataDir ? remembered : { directory: dataDir };
	const last = known[name];
	if (typeof last === "number" && last > 0 && last < 65_536 && (await isFree(last))) return last;
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

function read(dataDir: string, file: string, remedy: string): Memory {
	const path = join(dataDir, file);
	return existsSync(path) ? (readJsonObject(path, remedy) as Memory) : {};
}

/** @throws UserError that ends with `remedy`, for what is no JSON object or cannot be read */
export function readJsonObject(path: string, remedy: string): object {
	try {
		const value: unknown = JSON.parse(readFileSync(path, "utf8"));
		if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
		throw new SyntaxError();
	} catch (error) {
		throw unusable(`${path} cannot be read`, error, remedy);
	}
}

function write(dataDir: string, file: string, contents: Memory): void {
	replaceFile(join(dataDir, file), `${JSON.stringify(contents, null, "\t")}\n`);
}

/** Writes a file that only this user can read, and that is never incomplete. */
export function replaceFile(path: string, text: string): void {
	writeFileSync(`${path}.new`, text, { mode: 0o600 });
	renameSync(`${path}.new`, path);
}
