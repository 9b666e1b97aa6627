/** The files of a NATS server as a power cut leaves them: those that were synced. */
import { cpSync, globSync, rmSync } from "node:fs";
import { join } from "node:path";

/** What a power cut takes: `messages` alone where consumers' positions were synced after them. */
export type Lost = "everything" | "messages";

/** Of the server whose home is `directory`, which must not write meanwhile. */
export function natsDisk(directory: string) {
	const store = join(directory, "nats", "jetstream");
	const synced = join(directory, "nats", "synced");
	return {
		/** From now on the disk has what was written until now. */
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
	};
}
