/** A failure that the reader can act on. It is printed as it is, without a stack. */
export class Sentence extends Error {}

/** Runs a program of the command line: what goes wrong ends it with one readable sentence wherever there is one. */
export async function runProgram(main: () => Promise<void>): Promise<void> {
	try {
		await main();
	} catch (error) {
		process.stderr.write(`${describe(error)}\n`);
		process.exitCode = 1;
	}
}

export function describe(error: unknown): string {
	if (error instanceof Sentence) return error.message;
	if (!(error instanceof Error)) return String(error);
	const { code, path } = error as NodeJS.ErrnoException;
	if ((code === "EACCES" || code === "EPERM") && path) {
		return `${path} belongs to another user; was the system started by another user (root?) in this folder before?`;
	}
	if (code === "ENOSPC") return "The disk is full.";
	return error.stack ?? error.message;
}
