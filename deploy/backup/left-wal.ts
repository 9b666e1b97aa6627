/** Saves the WAL that a cluster wrote last and did not archive: after a crash, or while its archive was away, the cluster alone has it. */
import {
	chownSync,
	closeSync,
	copyFileSync,
	existsSync,
	openSync,
	readdirSync,
	readSync,
	renameSync,
	statSync,
} from "node:fs";
import { join } from "node:path";

/**
 * Puts it into the archive, marked as PostgreSQL marks the files that a history ends in (`.partial`): if the cluster is started after all,
 * it archives the whole file beside it. Answers the names of the files.
 */
export function saveLeftWal(cluster: string, wal: string): string[] {
	const folder = join(cluster, "pg_wal");
	const names = existsSync(folder) ? readdirSync(folder) : [];
	const left = names.filter((name) => !existsSync(join(wal, name)) && isWritten(join(folder, name), name)).sort();
	const { uid, gid } = statSync(wal);
	for (const name of left) {
		const target = join(wal, `${name}.partial`);
		copyFileSync(join(folder, name), `${target}.new`);
		chownSync(`${target}.new`, uid, gid);
		renameSync(`${target}.new`, target);
	}
	return left;
}

/** Not a file that was used up and only waits under its next name: its first page says where in the WAL it belongs. */
function isWritten(path: string, name: string): boolean {
	if (!/^[0-9A-F]{24}$/.test(name)) return false;
	const head = Buffer.alloc(16);
	const file = openSync(path, "r");
	try {
		if (readSync(file, head) < head.length) return false;
	} finally {
		closeSync(file);
	}
	// A file holds 16 MB; PostgreSQL writes as the machine does, which is little-endian wherever its packages run.
	const place = (BigInt(`0x${name.slice(8, 16)}`) << 32n) + (BigInt(`0x${name.slice(16)}`) << 24n);
	return head.readBigUInt64LE(8) === place;
}
