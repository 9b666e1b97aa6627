import { existsSync, mkdirSync } from "node:fs";
import { dirname, resolve } from "node:path";

/**
 * Creates a folder and its missing parents. With `recursive: true`, Node.js would loop forever on file systems such as /proc, which refuse a
 * folder by reporting that its parent is missing.
 */
export function makeFolder(path: string, mode: number): void {
	if (existsSync(path)) return;
	makeFolder(dirname(resolve(path)), mode);
	try {
		mkdirSync(path, { mode });
	} catch (error) {
		// Another process may have created it.
		if (!existsSync(path)) throw error;
	}
}
