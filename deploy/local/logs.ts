/** Log files of bounded size, whichever process writes them: `NAME.log`, and as `NAME.log.1` what was written before. */
import { closeSync, ftruncateSync, openSync, readSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";

/** Of one file, of which there are two for each process (bytes). */
export const largestLogBytes = 16_000_000;
/** A log is looked at so often (ms): what is written meanwhile is what it can be longer by. */
export const lookEveryMs = 1_000;

/**
 * Sets aside a log that has become too long, and empties it. Its writers, which append, go on in the same file: a line that is
 * written in the moment between the last reading and the emptying is lost. Without room on the disk it is emptied only.
 */
export function rotateLog(path: string, most = largestLogBytes): void {
	if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) <= most) return;
	const log = openSync(path, "r+");
	try {
		setAside(log, `${path}.1`, 2 * most);
	} finally {
		ftruncateSync(log);
		closeSync(log);
	}
}

function setAside(log: number, path: string, most: number): void {
	const draft = `${path}.new`;
	try {
		const copy = openSync(draft, "w", 0o600);
		try {
			const piece = Buffer.allocUnsafe(1 << 20);
			let copied = 0;
			// Until nothing was added meanwhile; a writer may be faster than this.
			for (let read = -1; read !== 0 && copied < most; copied += read) {
				read = readSync(log, piece);
				writeFileSync(copy, piece.subarray(0, read));
			}
		} finally {
			closeSync(copy);
		}
		renameSync(draft, path);
	} catch {
		rmSync(draft, { force: true });
	}
}
