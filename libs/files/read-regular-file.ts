/** Reads files that a person names on a command line. */
import { constants, open } from "node:fs/promises";

export type ReadFileResult = { bytes: Buffer } | { bytes?: never; isTooLarge: boolean; reason: string };

/**
 * Reads a regular file of at most `maxBytes`, or returns the reason why it is refused. The file is opened without blocking, and its type is
 * checked before it is read, so that FIFOs, devices and folders are never read.
 */
export async function readRegularFile(path: string, maxBytes: number): Promise<ReadFileResult> {
	const refused = (reason: string, isTooLarge = false) => ({ isTooLarge, reason });
	let file: Awaited<ReturnType<typeof open>>;
	try {
		file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
	} catch (error) {
		return refused((error as NodeJS.ErrnoException).code === "ENOENT" ? "there is no such file" : "cannot be read");
	}
	await using opened = file;
	const stats = await opened.stat();
	if (!stats.isFile()) return refused("is not a regular file");
	const tooLarge = (size: number) => refused(`has ${size} bytes, more than the maximum of ${maxBytes}`, true);
	if (stats.size > maxBytes) return tooLarge(stats.size);
	const bytes = await opened.readFile();
	// The file may have grown since `stat`.
	return bytes.length > maxBytes ? tooLarge(bytes.length) : { bytes };
}
