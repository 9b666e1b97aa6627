import { linkSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { identify } from "./process-record.ts";
import { UserError } from "./program.ts";

interface Holder {
	directory: string;
	pid: number;
	identity: string;
}

/** Takes a data folder for this process. A holder that was killed does not count. @returns a function that releases the folder */
export function lockDirectory(directory: string): () => void {
	const path = join(directory, "lock");
	const draft = `${path}.${process.pid}`;
	writeFileSync(draft, JSON.stringify({ directory, pid: process.pid, identity: identify(process.pid) }), {
		mode: 0o600,
	});
	try {
		const holder = lockHolder(directory);
		if (holder !== undefined) {
			throw new UserError(
				`A system is already running in ${directory} (process ${holder}); stop it first, or set DATA_DIR.`,
			);
		}
		rmSync(path, { force: true });
		// A link is made whole or not at all: of two that start at once, one fails here.
		linkSync(draft, path);
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
		throw new UserError(`Another system is just starting in ${directory}.`);
	} finally {
		rmSync(draft, { force: true });
	}
	return () => rmSync(path, { force: true });
}

/** The process that holds a data folder, if it is alive. */
export function lockHolder(directory: string): number | undefined {
	try {
		const holder = JSON.parse(readFileSync(join(directory, "lock"), "utf8")) as Holder;
		// A folder that was copied while in use brings the original's lock along.
		const held = holder.directory === directory && identify(holder.pid) === holder.identity;
		return held ? holder.pid : undefined;
	} catch {
		return undefined;
	}
}
