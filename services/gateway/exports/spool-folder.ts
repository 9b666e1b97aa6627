/** The folder that one process spools in: emptied of what earlier processes left, and removed when this one ends. */
import { randomBytes } from "node:crypto";
import { mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { makeFolder } from "#libs/service/make-folder.ts";

/** `<host>-<pid>-<random>`; the host's name without what a file's name cannot hold. */
const host = hostname().replace(/[^\w.]/g, "_");
const pattern = /^(.+)-(\d+)-[0-9a-f]{16}$/;
/** Of this process: several gateways of one process (tests) do not remove each other's. */
const own = new Set<string>();

/** Makes it below `root`. Folders of processes that have ended go; those of another host (a shared volume) once they are `maxAgeMs` old. */
export function openSpoolFolder(root: string, maxAgeMs: number): string {
	makeFolder(root, 0o700);
	for (const name of readdirSync(root)) {
		if (isStale(root, name, maxAgeMs)) rmSync(join(root, name), { recursive: true, force: true });
	}
	const name = `${host}-${process.pid}-${randomBytes(8).toString("hex")}`;
	const folder = join(root, name);
	mkdirSync(folder, { mode: 0o700 });
	own.add(name);
	return folder;
}

function isStale(root: string, name: string, maxAgeMs: number): boolean {
	const [, itsHost, pid] = pattern.exec(name) ?? [];
	if (itsHost === undefined || own.has(name)) return false;
	// In a container every start has the same number.
	if (itsHost === host && (Number(pid) === process.pid || !isAlive(Number(pid)))) return true;
	const changed = statSync(join(root, name), { throwIfNoEntry: false })?.mtimeMs ?? 0;
	return Date.now() - changed > maxAgeMs;
}

function isAlive(pid: number): boolean {
	try {
		process.kill(pid, 0);
		return true;
	} catch (error) {
		return error instanceof Error && "code" in error && error.code === "EPERM";
	}
}
