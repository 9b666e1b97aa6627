import { existsSync, mkdirSync } from "node:fs";
import { dirname, resolve } from "node:path";

/**
 * Makes a folder and its parents where they are missing. With `recursive: true`, Node.js would loop for ever on file systems that report a
 * missing parent for a refused folder, as /proc does.
 */
export function makeFolder(path: string, mode: number): void {
	if (existsSync(path)) return;
	makeFolder(dirname(resolve(path)), mode);
	try {
		mkdirSync(path, { mode });
	} catch (error) {
		// Another process may have made it.
		if (!existsSync(path)) throw error;
	}
}
