import { existsSync, mkdirSync } from "node:fs";
import { dirname, resolve } from "node:path";

/**
 * Makes a folder, and those above it, where there is none. Not by `recursive: true`, with which Node.js tries for ever where a file system
 * refuses folders as if the one above were missing, as /proc does.
 */
export function makeFolder(path: string, mode: number): void {
	if (existsSync(path)) return;
	makeFolder(dirname(resolve(path)), mode);
	try {
		mkdirSync(path, { mode });
	} catch (error) {
		// Another process was quicker.
		if (!existsSync(path)) throw error;
	}
}
