/** Decides which files of the archive are kept. Pure. */
import { type ArchiveFile, archiveLimits } from "#libs/contract/exports/archive.ts";

const dayMs = 86_400_000;

/** The files to keep, ordered by day: drops files past their series' retention, then the oldest days until the rest fits `limits.bytes`. */
export function selectFilesToKeep(
	files: readonly ArchiveFile[],
	today: string,
	limits: Record<"fulls" | "deltaDays" | "bytes", number> = archiveLimits,
): ArchiveFile[] {
	const ordered = [...files].sort((a, b) => compare(a.day, b.day) || compare(a.name, b.name));
	const firstDelta = new Date(Date.parse(today) - limits.deltaDays * dayMs).toISOString().slice(0, 10);
	const firstFull = ordered.filter(({ series }) => series === "full").at(-limits.fulls)?.day ?? "";
	const unexpired = ordered.filter(({ series, day }) => day >= (series === "full" ? firstFull : firstDelta));
	let bytes = unexpired.reduce((sum, file) => sum + file.bytes, 0);
	const last = unexpired.at(-1)?.day ?? "";
	let first = 0;
	for (; first < unexpired.length && bytes > limits.bytes; first++) {
		// Keeps the newest day, with which the next day is compared.
		if (unexpired[first]?.day === last) break;
		bytes -= unexpired[first]?.bytes ?? 0;
	}
	return unexpired.slice(first);
}

const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

/** Returns the ended days that are not archived, oldest first; only yesterday if nothing is archived. */
export function findMissingDays(files: readonly ArchiveFile[], now: Date): string[] {
	const yesterday = Math.floor(now.getTime() / dayMs) - 1;
	const last = files.reduce((newest, { day }) => Math.max(newest, Date.parse(day) / dayMs), Number.NEGATIVE_INFINITY);
	const first = Number.isFinite(last) ? Math.max(last + 1, yesterday - archiveLimits.deltaDays + 1) : yesterday;
	const days = Array.from({ length: Math.max(0, yesterday - first + 1) }, (_, at) => first + at);
	return days.map((day) => new Date(day * dayMs).toISOString().slice(0, 10));
}
