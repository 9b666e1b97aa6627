/** A disk that is soon full: a file system in memory of a few hundred megabytes, which takes root on Linux. */
import { spawnSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, rmdirSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Why a small disk cannot be had here; undefined when it can. */
export function whyNoSmallDisk(): string | undefined {
	const probe = mkdtempSync(join(tmpdir(), "energy-disk-"));
	try {
		mountSmallDisk(probe, 1)[Symbol.dispose]();
		return undefined;
	} catch (error) {
		return error instanceof Error ? error.message : String(error);
	} finally {
		rmdirSync(probe);
	}
}

export function mountSmallDisk(directory: string, megabytes: number): Disposable {
	const { status, stderr, error } = spawnSync(
		"mount",
		["-t", "tmpfs", "-o", `size=${megabytes}m`, "energy-test", directory],
		{ encoding: "utf8" },
	);
	if (status !== 0) throw new Error(`no file system can be mounted: ${error?.message ?? stderr.trim()}`);
	return { [Symbol.dispose]: () => void spawnSync("umount", ["--lazy", directory]) };
}

const filler = (directory: string) => join(directory, "filler");

/** Space that is freed elsewhere is filled again after this time (ms). */
const refillEveryMs = 100;
const refilling = new Map<string, NodeJS.Timeout>();

/** Takes every byte that is free, and what becomes free until `freeDisk`. */
export function fillDisk(directory: string): void {
	fill(directory);
	refilling.set(directory, setInterval(() => fill(directory), refillEveryMs).unref());
}

function fill(directory: string): void {
	const file = openSync(filler(directory), "a");
	try {
		for (const size of [1024 ** 2, 4_096]) writeUntilFull(file, Buffer.alloc(size, 1));
	} finally {
		closeSync(file);
	}
}

function writeUntilFull(file: number, block: Buffer): void {
	for (;;) {
		try {
			if (writeSync(file, block) < block.length) return;
		} catch (error) {
			if ((error as NodeJS.ErrnoException).code === "ENOSPC") return;
			throw error;
		}
	}
}

export function freeDisk(directory: string): void {
	clearInterval(refilling.get(directory));
	refilling.delete(directory);
	rmSync(filler(directory), { force: true });
}
