/** The files of a NATS server as a power cut leaves them: those that were synced, or what was torn. */
import { closeSync, cpSync, globSync, openSync, rmSync, statSync, truncateSync, writeSync } from "node:fs";
import { join } from "node:path";

/** Data that a power cut loses: `messages` alone where consumers' positions were synced after them. */
export type Lost = "everything" | "messages";

/** The disk of the server whose home is `directory`, which must not write meanwhile. */
export function natsDisk(directory: string) {
	const store = join(directory, "nats", "jetstream");
	const synced = join(directory, "nats", "synced");
	return {
		/** Marks everything written so far as stored on the disk. */
		sync() {
			rmSync(synced, { recursive: true, force: true });
			cpSync(store, synced, { recursive: true });
		},
		/** The disk has nothing that was written since. */
		lose(lost: Lost) {
			const folders = lost === "messages" ? globSync("*/streams/*/msgs", { cwd: store }) : ["."];
			for (const path of folders) {
				rmSync(join(store, path), { recursive: true });
				cpSync(join(synced, path), join(store, path), { recursive: true });
			}
		},
		/** Streams lose their last bytes, object stores a page in the middle of each file. */
		tear() {
			for (const path of globSync("*/streams/*/msgs/*.blk", { cwd: store })) {
				const file = join(store, path);
				const { size } = statSync(file);
				if (path.includes("OBJ_")) zeroPage(file, Math.floor(size / 2));
				else truncateSync(file, Math.max(0, size - tornBytes));
			}
		},
	};
}

const pageBytes = 4_096;
/** Less than a message. */
const tornBytes = 100;

function zeroPage(path: string, position: number): void {
	const file = openSync(path, "r+");
	writeSync(file, Buffer.alloc(pageBytes), 0, pageBytes, position);
	closeSync(file);
}
